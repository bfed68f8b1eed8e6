"""The schema, step by step: each migration is a function, ``PRAGMA user_version`` counts those done."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from tui_tapback.domain.errors import StoreTooNew

from .library_schema import library_schema

Migration = Callable[[sqlite3.Connection], None]


def _first_schema(connection: sqlite3.Connection) -> None:
    """Sessions, messages, remembered operations and settings.

    ``messages.position`` orders a session; a prompt that waits behind a running turn has none (NULL) until it
    is drained, and so comes last in display and not at all in the context. ``sent`` is the JSON text of the
    provider message exactly as it goes out, written once; NULL rows are for display only.
    ``sessions.running_row`` is the user row of a turn that has begun and not ended.
    """
    for statement in (
        """CREATE TABLE sessions(
            id TEXT PRIMARY KEY NOT NULL,
            title TEXT NOT NULL,
            source TEXT NOT NULL,
            system_prompt TEXT NOT NULL,
            tools TEXT NOT NULL,
            created_at REAL NOT NULL,
            last_active REAL NOT NULL,
            running_row INTEGER
        )""",
        "CREATE INDEX sessions_by_activity ON sessions(last_active)",
        """CREATE TABLE messages(
            row_id INTEGER PRIMARY KEY AUTOINCREMENT,
            session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            position INTEGER,
            role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'tool', 'system')),
            text TEXT NOT NULL,
            sent TEXT,
            reasoning TEXT NOT NULL DEFAULT '',
            tool_call_id TEXT,
            tool_name TEXT,
            display_kind TEXT,
            display_metadata TEXT,
            created_at REAL NOT NULL,
            active INTEGER NOT NULL DEFAULT 1
        )""",
        "CREATE UNIQUE INDEX messages_in_order ON messages(session_id, position)",
        """CREATE INDEX messages_annotated ON messages(session_id)
            WHERE display_metadata IS NOT NULL""",
        """CREATE TABLE operations(
            kind TEXT NOT NULL,
            session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            op_id TEXT NOT NULL,
            result TEXT NOT NULL,
            at REAL NOT NULL,
            PRIMARY KEY(kind, session_id, op_id)
        ) WITHOUT ROWID""",
        "CREATE INDEX operations_by_age ON operations(kind, at)",
        "CREATE TABLE settings(key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID",
    ):
        connection.execute(statement)


def _index_of_what_was_said(connection: sqlite3.Connection) -> None:
    """The list of sessions counts and quotes what was said in each: without this it reads every row."""
    connection.execute(
        "CREATE INDEX messages_said ON messages(session_id, position) "
        "WHERE active = 1 AND role IN ('user', 'assistant') AND text != ''"
    )


def _summaries_and_tokens(connection: sqlite3.Connection) -> None:
    """Summaries of the old part of a session, and the tokens that its requests took.

    ``summaries.until_position`` is the last position that the summary stands for.
    """
    for statement in (
        """CREATE TABLE summaries(
            session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            until_position INTEGER NOT NULL,
            text TEXT NOT NULL,
            sent TEXT NOT NULL,
            created_at REAL NOT NULL,
            PRIMARY KEY(session_id, until_position)
        ) WITHOUT ROWID""",
        """CREATE TABLE usage(
            session_id TEXT PRIMARY KEY NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            input INTEGER NOT NULL,
            output INTEGER NOT NULL,
            calls INTEGER NOT NULL,
            context_tokens INTEGER NOT NULL,
            context_bytes INTEGER NOT NULL
        ) WITHOUT ROWID""",
    ):
        connection.execute(statement)


def _origins_and_posts(connection: sqlite3.Connection) -> None:
    """Which session a branch came from (it may be gone), and the messages that went out to other chats.

    ``posts.taps`` is JSON: who reacted there with what, oldest first.
    """
    for statement in (
        "ALTER TABLE sessions ADD COLUMN parent TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE posts(
            platform TEXT NOT NULL,
            chat TEXT NOT NULL,
            message TEXT NOT NULL,
            session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            row_id INTEGER NOT NULL,
            taps TEXT NOT NULL,
            PRIMARY KEY(platform, chat, message)
        ) WITHOUT ROWID""",
        "CREATE INDEX posts_by_session ON posts(session_id)",
    ):
        connection.execute(statement)


MIGRATIONS: tuple[Migration, ...] = (
    _first_schema,
    _index_of_what_was_said,
    _summaries_and_tokens,
    library_schema,
    _origins_and_posts,
)


def pending(connection: sqlite3.Connection, path: str, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """How many steps the file has yet to take.

    Raises StoreTooNew where the file has seen more migrations than we know; it is then left untouched.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(migrations):
        raise StoreTooNew(
            f"The data file {path} was written by a newer version of this program "
            f"(schema {version}, this version knows {len(migrations)}).",
            hint="Update the program, or choose another data folder with TUI_TAPBACK_HOME.",
        )
    return len(migrations) - version


def migrate(connection: sqlite3.Connection, path: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the file up to date, each step in its own transaction. Raises StoreTooNew."""
    version = len(migrations) - pending(connection, path, migrations)
    for number, step in enumerate(migrations[version:], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            step(connection)
            connection.execute(f"PRAGMA user_version = {number:d}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
