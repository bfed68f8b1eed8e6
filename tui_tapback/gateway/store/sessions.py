"""The table of sessions."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

import msgspec

from .database import Database
from .messages import SAID
from .records import SessionRecord, SessionSummary

_COLUMNS = "id, title, source, system_prompt, tools, created_at, last_active, running_row, parent"
_USED = "EXISTS(SELECT 1 FROM messages WHERE session_id = sessions.id AND active = 1)"
_PREVIEW = 200
_BEYOND_RECALL = 0.0
"""Time of deletion of a session of which a part is gone."""


class SessionTable:
    """All sessions of the file. Writing belongs inside ``Database.transaction``."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def insert(self, session: SessionRecord) -> None:
        """Add a session."""
        self._db.run(
            f"INSERT INTO sessions({_COLUMNS}) VALUES(?,?,?,?,?,?,?,?,?)",
            (
                session.id,
                session.title,
                session.source,
                session.system_prompt,
                session.tools,
                session.created_at,
                session.last_active,
                session.running_row,
                session.parent,
            ),
        )

    def get(self, session_id: str) -> SessionRecord | None:
        """The session, or None; one that was deleted is not there, though it may come back."""
        row = self._db.row(
            f"SELECT {_COLUMNS} FROM sessions WHERE id = ? AND deleted_at IS NULL", (session_id,)
        )
        return None if row is None else _record(row)

    def recent(
        self, limit: int, *, archived: bool = False, among: Collection[str] | None = None
    ) -> list[SessionSummary]:
        """Sessions that hold a message or were given a title, newest activity first: those that were put
        away, or the others; ``among`` keeps those with these ids."""
        newest = f"FROM messages WHERE session_id = sessions.id AND {SAID} ORDER BY position DESC LIMIT 1"
        chosen = "" if among is None else "AND id IN (SELECT value FROM json_each(?)) "
        values = () if among is None else (msgspec.json.encode(sorted(among)).decode(),)
        rows = self._db.rows(
            f"SELECT {_COLUMNS}, archived, coalesce((SELECT substr(text, 1, ?) {newest}), '') AS preview, "
            "coalesce((SELECT said FROM session_counts WHERE session_id = sessions.id), 0) AS total, "
            "(SELECT count(*) FROM tapbacks WHERE session_id = sessions.id) AS reactions, "
            f"(SELECT row_id {newest}) AS last_row_id, "
            "(SELECT title FROM sessions AS parents WHERE parents.id = sessions.parent "
            "AND parents.deleted_at IS NULL) AS parent_title "
            f"FROM sessions WHERE deleted_at IS NULL AND archived = ? AND (title != '' OR {_USED}) {chosen}"
            "ORDER BY last_active DESC, id DESC LIMIT ?",
            (_PREVIEW, int(archived), *values, limit),
        )
        return [
            SessionSummary(
                _record(row),
                row["preview"],
                row["total"],
                bool(row["archived"]),
                row["reactions"],
                row["last_row_id"],
                row["parent_title"],
            )
            for row in rows
        ]

    def count(self) -> int:
        """How many there are, those that were deleted left out."""
        return self._db.rows("SELECT count(*) FROM sessions WHERE deleted_at IS NULL")[0][0]

    def titles(self) -> list[tuple[str, str]]:
        """Ids and titles of all sessions."""
        return [(row[0], row[1]) for row in self._db.rows("SELECT id, title FROM sessions WHERE title != ''")]

    def set_archived(self, session_id: str, archived: bool) -> None:
        """Put away, or take back."""
        self._db.run("UPDATE sessions SET archived = ? WHERE id = ?", (int(archived), session_id))

    def set_deleted(self, session_id: str, at: float | None) -> None:
        """Delete so that it can be brought back, or with None bring it back."""
        self._db.run("UPDATE sessions SET deleted_at = ? WHERE id = ?", (at, session_id))

    def deleted(self, session_id: str, since: float) -> SessionRecord | None:
        """The session if it was deleted at ``since`` or later, and so can still be brought back whole."""
        row = self._db.row(
            f"SELECT {_COLUMNS} FROM sessions WHERE id = ? AND deleted_at >= ?", (session_id, since)
        )
        return None if row is None else _record(row)

    def purge(self, before: float, rows: int) -> str | None:
        """Remove at most ``rows`` messages of one session that was deleted before ``before``; its id once it
        is gone with them, else None. A long session takes several calls, so that none lasts."""
        found = self._db.row("SELECT id FROM sessions WHERE deleted_at < ? ORDER BY deleted_at", (before,))
        if found is None:
            return None
        gone = self._db.run(
            "DELETE FROM messages WHERE row_id IN (SELECT row_id FROM messages WHERE session_id = ? LIMIT ?)",
            (found[0], rows),
        ).rowcount
        if gone == rows:
            # A clock that is set back must not bring back what is left of it.
            self.set_deleted(found[0], _BEYOND_RECALL)
            return None
        self.delete(found[0])
        return found[0]

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
        parent=row["parent"],
    )
