"""The table of sessions."""

from __future__ import annotations

import sqlite3

from .database import Database
from .messages import SAID
from .records import SessionRecord, SessionSummary

_COLUMNS = "id, title, source, system_prompt, tools, created_at, last_active, running_row"
_USED = "EXISTS(SELECT 1 FROM messages WHERE session_id = sessions.id AND active = 1)"
_PREVIEW = 200


class SessionTable:
    """All sessions of the file. Writing belongs inside ``Database.transaction``."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def insert(self, session: SessionRecord) -> None:
        """Add a session."""
        self._db.run(
            f"INSERT INTO sessions({_COLUMNS}) VALUES(?,?,?,?,?,?,?,?)",
            (
                session.id,
                session.title,
                session.source,
                session.system_prompt,
                session.tools,
                session.created_at,
                session.last_active,
                session.running_row,
            ),
        )

    def get(self, session_id: str) -> SessionRecord | None:
        """The session, or None."""
        row = self._db.row(f"SELECT {_COLUMNS} FROM sessions WHERE id = ?", (session_id,))
        return None if row is None else _record(row)

    def recent(self, limit: int) -> list[SessionSummary]:
        """Sessions that hold a message or were given a title, newest activity first."""
        rows = self._db.rows(
            f"SELECT {_COLUMNS}, "
            f"coalesce((SELECT substr(text, 1, ?) FROM messages WHERE session_id = sessions.id AND {SAID} "
            "  ORDER BY position DESC LIMIT 1), '') AS preview, "
            f"(SELECT count(*) FROM messages WHERE session_id = sessions.id AND {SAID}) AS total "
            f"FROM sessions WHERE title != '' OR {_USED} ORDER BY last_active DESC, id DESC LIMIT ?",
            (_PREVIEW, limit),
        )
        return [SessionSummary(_record(row), row["preview"], row["total"]) for row in rows]

    def unfinished(self) -> list[SessionRecord]:
        """Sessions with a turn that began and never ended."""
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM sessions WHERE running_row IS NOT NULL")
        return [_record(row) for row in rows]

    def set_title(self, session_id: str, title: str) -> None:
        """Rename."""
        self._db.run("UPDATE sessions SET title = ? WHERE id = ?", (title, session_id))

    def set_running(self, session_id: str, running_row: int | None, at: float) -> None:
        """Note that the turn of ``running_row`` began, or with None that it ended."""
        self._db.run(
            "UPDATE sessions SET running_row = ?, last_active = max(last_active, ?) WHERE id = ?",
            (running_row, at, session_id),
        )

    def touch(self, session_id: str, at: float) -> None:
        """Note activity."""
        self._db.run("UPDATE sessions SET last_active = max(last_active, ?) WHERE id = ?", (at, session_id))

    def delete(self, session_id: str) -> None:
        """Remove the session with all that belongs to it."""
        self._db.run("DELETE FROM sessions WHERE id = ?", (session_id,))

    def unused(self, before: float) -> list[str]:
        """Sessions made before ``before`` in which nothing was ever said and that have no title."""
        rows = self._db.rows(
            f"SELECT id FROM sessions WHERE title = '' AND created_at < ? AND NOT {_USED}", (before,)
        )
        return [row["id"] for row in rows]


def _record(row: sqlite3.Row) -> SessionRecord:
    return SessionRecord(
        id=row["id"],
        title=row["title"],
        source=row["source"],
        system_prompt=row["system_prompt"],
        tools=row["tools"],
        created_at=row["created_at"],
        last_active=row["last_active"],
        running_row=row["running_row"],
    )
