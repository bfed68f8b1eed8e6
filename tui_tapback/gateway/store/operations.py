"""Remembered operations: a repeated request gets the answer it got before and has no second effect."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from .database import Database

Kind = Literal["reaction", "prompt"]
LIFE: dict[Kind, float] = {"reaction": 24 * 3600.0, "prompt": 30 * 24 * 3600.0}
"""Seconds for which an operation is remembered."""


class OperationTable:
    """Answers by kind, session and operation id. Writing belongs inside ``Database.transaction``."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def find(self, kind: Kind, session_id: str, op_id: str, now: float) -> dict[str, Any] | None:
        """The answer given to this operation, or None where it is new or forgotten."""
        row = self._db.row(
            "SELECT result FROM operations WHERE kind = ? AND session_id = ? AND op_id = ? AND at > ?",
            (kind, session_id, op_id, now - LIFE[kind]),
        )
        return None if row is None else msgspec.json.decode(row[0], type=dict[str, Any])

    def remember(self, kind: Kind, session_id: str, op_id: str, result: dict[str, Any], now: float) -> None:
        """Keep an answer, and forget those that are too old."""
        self._db.run("DELETE FROM operations WHERE kind = ? AND at <= ?", (kind, now - LIFE[kind]))
        self._db.run(
            "INSERT OR REPLACE INTO operations(kind, session_id, op_id, result, at) VALUES(?,?,?,?,?)",
            (kind, session_id, op_id, msgspec.json.encode(result).decode(), now),
        )
