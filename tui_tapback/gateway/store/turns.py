"""The rows of a session as turns: where they begin, and how they are taken back."""

from __future__ import annotations

from collections.abc import Sequence

from .database import Database


class TurnTable:
    """Looks at the table of messages by turns; ids only. Writing belongs inside
    ``Database.transaction``."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def prompts(self, session_id: str) -> list[int]:
        """The rows of the user that have their place, in order."""
        return self._ids("role = 'user' AND position IS NOT NULL ORDER BY position", session_id)

    def first_row(self, session_id: str) -> int | None:
        """The row with which the session begins."""
        found = self._ids("position IS NOT NULL ORDER BY position LIMIT 1", session_id)
        return found[0] if found else None

    def starts(self, session_id: str, apart_from: Sequence[str]) -> list[int]:
        """The rows of the user that are of none of these display kinds, in order."""
        marks = ",".join("?" * len(apart_from))
        return self._ids(
            "role = 'user' AND position IS NOT NULL "
            f"AND coalesce(display_kind, '') NOT IN ({marks}) ORDER BY position",
            session_id,
            *apart_from,
        )

    def sizes(self, session_id: str, after: int) -> list[tuple[int, int]]:
        """Position and length in bytes of what the model is sent, from behind the position ``after`` on."""
        rows = self._db.rows(
            "SELECT position, length(CAST(sent AS BLOB)) FROM messages WHERE session_id = ? AND active = 1 "
            "AND sent IS NOT NULL AND position > ? ORDER BY position",
            (session_id, after),
        )
        return [(row[0], row[1]) for row in rows]

    def positions(self, session_id: str, row_ids: Sequence[int]) -> dict[int, int]:
        """Where rows of a session stand that have their place."""
        rows = self._db.rows(
            "SELECT row_id, position FROM messages WHERE session_id = ? AND active = 1 "
            "AND position IS NOT NULL",
            (session_id,),
        )
        wanted = set(row_ids)
        return {row[0]: row[1] for row in rows if row[0] in wanted}

    def rewind(self, session_id: str, position: int) -> list[int]:
        """Take the rows from ``position`` on out of the session, with all they carry; returns their ids."""
        gone = self._ids("position >= ? ORDER BY position", session_id, position)
        self._db.run(
            "UPDATE messages SET active = 0 WHERE session_id = ? AND active = 1 AND position >= ?",
            (session_id, position),
        )
        return gone

    def _ids(self, condition: str, session_id: str, *values: object) -> list[int]:
        rows = self._db.rows(
            f"SELECT row_id FROM messages WHERE session_id = ? AND active = 1 AND {condition}",
            (session_id, *values),
        )
        return [row[0] for row in rows]
