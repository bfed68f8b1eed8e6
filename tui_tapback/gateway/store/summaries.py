"""The table of summaries: what the model reads in place of the old part of a session."""

from __future__ import annotations

from .database import Database
from .records import SummaryRecord


class SummaryTable:
    """At most one summary counts, the one that reaches farthest; the rows it stands for stay where they are.

    Writing belongs inside ``Database.transaction``.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, summary: SummaryRecord) -> None:
        """Keep a summary; one that reaches exactly as far is replaced."""
        self._db.run(
            "INSERT OR REPLACE INTO summaries(session_id, until_position, text, sent, created_at) "
            "VALUES(?,?,?,?,?)",
            (summary.session_id, summary.until, summary.text, summary.sent, summary.created_at),
        )

    def all(self, session_id: str) -> list[SummaryRecord]:
        """The summaries of a session, the one that reaches farthest last."""
        rows = self._db.rows(
            "SELECT session_id, until_position, text, sent, created_at FROM summaries "
            "WHERE session_id = ? ORDER BY until_position",
            (session_id,),
        )
        return [SummaryRecord(*row) for row in rows]

    def newest(self, session_id: str) -> SummaryRecord | None:
        """The summary that counts, or None."""
        found = self.all(session_id)
        return found[-1] if found else None

    def forget_from(self, session_id: str, position: int) -> None:
        """Drop the summaries that speak of rows at ``position`` or behind: those rows are being rewound."""
        self._db.run(
            "DELETE FROM summaries WHERE session_id = ? AND until_position >= ?", (session_id, position)
        )
