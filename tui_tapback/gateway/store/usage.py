"""The table of tokens: what the model's server counted for each session."""

from __future__ import annotations

from .database import Database
from .records import UsageRecord


class UsageTable:
    """One line a session. Writing belongs inside ``Database.transaction``."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, session_id: str) -> UsageRecord:
        """The tokens of a session; all zero where nothing was counted."""
        row = self._db.row(
            "SELECT input, output, calls, context_tokens, context_bytes FROM usage WHERE session_id = ?",
            (session_id,),
        )
        return UsageRecord() if row is None else UsageRecord(*row)

    def set(self, session_id: str, usage: UsageRecord) -> None:
        """Replace the line of a session."""
        self._db.run(
            "INSERT OR REPLACE INTO usage(session_id, input, output, calls, context_tokens, context_bytes) "
            "VALUES(?,?,?,?,?,?)",
            (
                session_id,
                usage.input,
                usage.output,
                usage.calls,
                usage.context_tokens,
                usage.context_bytes,
            ),
        )
