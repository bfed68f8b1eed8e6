"""The schema behind lists and search: archive, deletion with a way back, counters, tapbacks by emoji."""

from __future__ import annotations

import sqlite3

TONES_AND_STYLE = ("\U0001f3fb", "\U0001f3fc", "\U0001f3fd", "\U0001f3fe", "\U0001f3ff", "\ufe0f")
"""What the meaning of an emoji does without: 👍🏽 is found as 👍, ❤️ as ❤."""


def meaning_of(emoji: str) -> str:
    """The emoji as the table of tapbacks finds it, tones and presentation left out."""
    for mark in TONES_AND_STYLE:
        emoji = emoji.replace(mark, "")
    return emoji


def _meaning_sql(expression: str) -> str:
    for mark in TONES_AND_STYLE:
        expression = f"replace({expression}, '{mark}', '')"
    return expression


def _said(row: str) -> str:
    return f"({row}.active = 1 AND {row}.role IN ('user', 'assistant') AND {row}.text != '')"


def _tapbacks_of(row: str) -> str:
    """Fill the table from one row; what is no JSON (a damaged row) has none."""
    metadata = f"CASE WHEN json_valid({row}.display_metadata) THEN {row}.display_metadata ELSE '{{}}' END"
    emoji = "json_extract(entry.value, '$.emoji')"
    return (
        "INSERT OR IGNORE INTO tapbacks(meaning, row_id, author, part, emoji, session_id) "
        f"SELECT {_meaning_sql(emoji)}, {row}.row_id, coalesce(json_extract(entry.value, '$.author'), ''), "
        f"coalesce(json_extract(entry.value, '$.part'), ''), {emoji}, {row}.session_id "
        f"FROM json_each({metadata}, '$.reactions') AS entry "
        f"WHERE {row}.active = 1 AND entry.type = 'object' AND {emoji} IS NOT NULL"
    )


def _count(row: str, change: str) -> str:
    return (
        f"INSERT INTO session_counts(session_id, said) VALUES({row}.session_id, {change}) "
        "ON CONFLICT(session_id) DO UPDATE SET said = said + excluded.said"
    )


_HAS = "instr(coalesce({row}.display_metadata, ''), '\"reactions\":') > 0"
_OLD_HAS, _NEW_HAS = _HAS.format(row="old"), _HAS.format(row="new")

COUNTS = (
    "DELETE FROM session_counts",
    "INSERT INTO session_counts(session_id, said) "
    f"SELECT session_id, count(*) FROM messages WHERE {_said('messages')} GROUP BY session_id",
    "DELETE FROM tapbacks",
    f"{_tapbacks_of('messages').replace('FROM json_each', 'FROM messages, json_each')}",
)
"""Makes both derived tables anew from the rows."""


def library_schema(connection: sqlite3.Connection) -> None:
    """Sessions can be put away, and deleted with a way back; two tables are derived from the messages.

    ``session_counts.said`` is how many messages stand in a session, ``tapbacks`` finds messages by the emoji
    they bear. Triggers keep both right inside the transaction that changes a row; the rows stay the truth.
    """
    for statement in (
        "ALTER TABLE sessions ADD COLUMN archived INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE sessions ADD COLUMN deleted_at REAL",
        "CREATE INDEX sessions_deleted ON sessions(deleted_at) WHERE deleted_at IS NOT NULL",
        "CREATE TABLE session_counts("
        "session_id TEXT PRIMARY KEY NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, "
        "said INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE TABLE tapbacks("
        "meaning TEXT NOT NULL, row_id INTEGER NOT NULL, author TEXT NOT NULL, part TEXT NOT NULL, "
        "emoji TEXT NOT NULL, session_id TEXT NOT NULL, "
        "PRIMARY KEY(meaning, row_id, author, part)) WITHOUT ROWID",
        "CREATE INDEX tapbacks_by_row ON tapbacks(row_id)",
        "CREATE INDEX tapbacks_by_session ON tapbacks(session_id, meaning)",
        *COUNTS,
        f"CREATE TRIGGER count_inserted AFTER INSERT ON messages WHEN {_said('new')} "
        f"BEGIN {_count('new', '1')}; END",
        # The counter of a session that is itself being removed must not be made again.
        f"CREATE TRIGGER count_deleted AFTER DELETE ON messages WHEN {_said('old')} "
        "BEGIN UPDATE session_counts SET said = said - 1 WHERE session_id = old.session_id; END",
        "CREATE TRIGGER count_updated AFTER UPDATE OF text, role, active ON messages "
        f"WHEN {_said('old')} != {_said('new')} "
        f"BEGIN {_count('new', _said('new') + ' - ' + _said('old'))}; END",
        f"CREATE TRIGGER tapbacks_inserted AFTER INSERT ON messages WHEN {_NEW_HAS} "
        f"BEGIN {_tapbacks_of('new')}; END",
        f"CREATE TRIGGER tapbacks_deleted AFTER DELETE ON messages WHEN {_OLD_HAS} "
        "BEGIN DELETE FROM tapbacks WHERE row_id = old.row_id; END",
        "CREATE TRIGGER tapbacks_updated AFTER UPDATE OF display_metadata, active ON messages "
        f"WHEN {_OLD_HAS} OR {_NEW_HAS} "
        f"BEGIN DELETE FROM tapbacks WHERE row_id = old.row_id; {_tapbacks_of('new')}; END",
    ):
        connection.execute(statement)
