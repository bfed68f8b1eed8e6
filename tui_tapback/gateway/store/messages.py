"""The table of messages: one row each, its reactions inside ``display_metadata``."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from tui_tapback.domain.errors import StoreDamaged

from .database import Database
from .records import MessageRecord, NewMessage

_COLUMNS = (
    "row_id, session_id, position, role, text, sent, reasoning, tool_call_id, tool_name, "
    "display_kind, display_metadata, created_at, active"
)
_COPIED = "position, role, text, sent, reasoning, tool_call_id, tool_name, display_kind, created_at"
SAID = "active = 1 AND role IN ('user', 'assistant') AND text != ''"
"""The condition of the index ``messages_said``, in its very words, else it is not used."""
_LARGEST_ROW_ID = 2**63 - 1


class MessageTable:
    """Rows of all sessions. Writing belongs inside ``Database.transaction``."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def insert(self, new: NewMessage) -> MessageRecord:
        """Add a row at the end of its session (or without a place, when it waits)."""
        position = None if new.waiting else self._next_position(new.session_id)
        cursor = self._db.run(
            "INSERT INTO messages(session_id, position, role, text, sent, reasoning, tool_call_id, "
            "tool_name, display_kind, display_metadata, created_at) VALUES(?,?,?,?,?,?,?,?,?,?,?)",
            (
                new.session_id,
                position,
                new.role,
                new.text,
                new.sent,
                new.reasoning,
                new.tool_call_id,
                new.tool_name,
                new.kind,
                _metadata_text(new.metadata),
                new.at,
            ),
        )
        row_id = cursor.lastrowid
        if row_id is None:
            raise AssertionError("an insert has a row id")
        return self.fetch(row_id)

    def copy(self, session_id: str, until: int, target: str, *, without: Sequence[str]) -> dict[int, int]:
        """Copy the rows up to the position ``until`` into a session that has none, under new ids but at the
        same positions, and leave some keys of their metadata out; returns new ids by old ones. One statement:
        a long session would keep everybody waiting row by row."""
        some = " OR ".join("display_metadata LIKE ?" for _ in without)
        keys = ", ".join("?" for _ in without)
        self._db.run(
            f"INSERT INTO messages(session_id, {_COPIED}, display_metadata) SELECT ?, {_COPIED}, "
            f"CASE WHEN {some} THEN nullif(json_remove(display_metadata, {keys}), '{{}}') "
            "ELSE display_metadata END FROM messages "
            "WHERE session_id = ? AND active = 1 AND position <= ? ORDER BY position",
            (
                target,
                *(f'%"{key}":%' for key in without),
                *(f'$."{key}"' for key in without),
                session_id,
                until,
            ),
        )
        pairs = self._db.rows(
            "SELECT old.row_id, new.row_id FROM messages AS new JOIN messages AS old "
            "ON old.session_id = ? AND old.position = new.position WHERE new.session_id = ?",
            (session_id, target),
        )
        return {row[0]: row[1] for row in pairs}

    def get(self, session_id: str, row_id: int) -> MessageRecord | None:
        """The row if it stands in this session: not in another one, not rewound."""
        if not 0 < row_id <= _LARGEST_ROW_ID:
            return None
        found = self._db.row(
            f"SELECT {_COLUMNS} FROM messages WHERE row_id = ? AND session_id = ? AND active = 1",
            (row_id, session_id),
        )
        return None if found is None else self._record(found)

    def all(self, session_id: str) -> list[MessageRecord]:
        """The rows that stand, in order, waiting prompts last."""
        return self._select(
            "session_id = ? AND active = 1 ORDER BY position IS NULL, position, row_id", session_id
        )

    def after(self, session_id: str, row_id: int) -> list[MessageRecord]:
        """The rows behind ``row_id``, in order, without waiting prompts."""
        return self._select(
            "session_id = ? AND active = 1 AND position > "
            "(SELECT position FROM messages WHERE row_id = ?) ORDER BY position",
            session_id,
            row_id,
        )

    def annotated(self, session_id: str) -> list[MessageRecord]:
        """The rows that carry reactions or notes, in order, without waiting prompts."""
        return self._select(
            "session_id = ? AND active = 1 AND display_metadata IS NOT NULL AND position IS NOT NULL "
            "AND (display_metadata LIKE '%\"reactions\":%' OR display_metadata LIKE '%\"notes\":%') "
            "ORDER BY position",
            session_id,
        )

    def newest(self, session_id: str, role: str, back: int = 0) -> MessageRecord | None:
        """The row of ``role`` with a text that is ``back`` rows from the end, waiting prompts left out."""
        if not 0 <= back <= _LARGEST_ROW_ID:
            return None
        found = self._select(
            "session_id = ? AND active = 1 AND role = ? AND text != '' AND position IS NOT NULL "
            "ORDER BY position DESC LIMIT 1 OFFSET ?",
            session_id,
            role,
            back,
        )
        return found[0] if found else None

    def waiting(self, session_id: str) -> list[MessageRecord]:
        """The prompts that wait, oldest first."""
        return self._select("session_id = ? AND position IS NULL AND active = 1 ORDER BY row_id", session_id)

    def beside(
        self, session_id: str, position: int | None, direction: Literal["older", "newer"], limit: int
    ) -> list[MessageRecord]:
        """At most ``limit`` rows that stand in front of or behind a position (None: from the end, or from
        the beginning), the nearest first."""
        if direction == "older":
            end = 1 << 62 if position is None else position
            condition, at = "position < ? ORDER BY position DESC", end
        else:
            condition, at = "position > ? ORDER BY position", 0 if position is None else position
        return self._select(f"session_id = ? AND active = 1 AND {condition} LIMIT ?", session_id, at, limit)

    def first_waiting(self, session_id: str) -> MessageRecord | None:
        """The prompt that is next in the queue."""
        found = self._select(
            "session_id = ? AND position IS NULL AND active = 1 ORDER BY row_id LIMIT 1", session_id
        )
        return found[0] if found else None

    def context(self, session_id: str, after: int = 0) -> list[str]:
        """The provider messages of the session, exactly as they are sent, from behind the position ``after``
        on."""
        rows = self._db.rows(
            "SELECT sent FROM messages WHERE session_id = ? AND active = 1 AND sent IS NOT NULL "
            "AND position > ? ORDER BY position",
            (session_id, after),
        )
        return [row[0] for row in rows]

    def count(self, session_id: str) -> int:
        """How many messages stand in which something was said, tool rows left out."""
        row = self._db.row("SELECT said FROM session_counts WHERE session_id = ?", (session_id,))
        return 0 if row is None else row[0]

    def set_metadata(self, row_id: int, metadata: Mapping[str, Any]) -> MessageRecord:
        """Replace the metadata; empty metadata leaves nothing behind."""
        self._db.run(
            "UPDATE messages SET display_metadata = ? WHERE row_id = ?", (_metadata_text(metadata), row_id)
        )
        return self.fetch(row_id)

    def set_text(self, row_id: int, text: str, reasoning: str) -> None:
        """Save the text of a row that is still being written."""
        self._db.run(
            "UPDATE messages SET text = ?, reasoning = ? WHERE row_id = ?", (text, reasoning, row_id)
        )

    def set_kind(self, row_id: int, kind: str, text: str) -> None:
        """Turn a row without text into one of another kind, with a text for people only."""
        self._db.run("UPDATE messages SET display_kind = ?, text = ? WHERE row_id = ?", (kind, text, row_id))

    def delete(self, row_id: int) -> None:
        """Remove an answer in which nothing was said; its id is not given again."""
        self._db.run("DELETE FROM messages WHERE row_id = ? AND sent IS NULL", (row_id,))

    def seal(self, row_id: int, sent: str) -> MessageRecord:
        """Fix what the model is sent for this row. It is written once; twice is a programming error."""
        changed = self._db.run(
            "UPDATE messages SET sent = ? WHERE row_id = ? AND sent IS NULL", (sent, row_id)
        ).rowcount
        if changed != 1:
            raise AssertionError(f"row {row_id} has been sent already")
        return self.fetch(row_id)

    def place(self, row_id: int, at: float) -> MessageRecord:
        """Give a waiting prompt its place at the end of the session, and the time at which it was sent."""
        session_id = self.fetch(row_id).session_id
        self._db.run(
            "UPDATE messages SET position = ?, created_at = ? WHERE row_id = ? AND position IS NULL",
            (self._next_position(session_id), at, row_id),
        )
        return self.fetch(row_id)

    def _next_position(self, session_id: str) -> int:
        row = self._db.row("SELECT max(position) FROM messages WHERE session_id = ?", (session_id,))
        return 1 + ((row[0] if row else None) or 0)

    def fetch(self, row_id: int) -> MessageRecord:
        """A row that is known to be there, whatever its session and state."""
        row = self._db.row(f"SELECT {_COLUMNS} FROM messages WHERE row_id = ?", (row_id,))
        if row is None:
            raise AssertionError(f"row {row_id} has gone")
        return self._record(row)

    def _select(self, condition: str, *values: object) -> list[MessageRecord]:
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM messages WHERE {condition}", values)
        return [self._record(row) for row in rows]

    def _record(self, row: sqlite3.Row) -> MessageRecord:
        raw: str | None = row["display_metadata"]
        try:
            metadata = msgspec.json.decode(raw, type=dict[str, Any]) if raw else {}
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise StoreDamaged(
                f"The file {self._db.path} is damaged: the metadata of row {row['row_id']} cannot be read.",
                hint="Run tui-tapback sessions repair, or put back a copy of it.",
            ) from error
        return MessageRecord(
            row_id=row["row_id"],
            session_id=row["session_id"],
            position=row["position"],
            role=row["role"],
            text=row["text"],
            sent=row["sent"],
            created_at=row["created_at"],
            reasoning=row["reasoning"],
            tool_call_id=row["tool_call_id"],
            tool_name=row["tool_name"],
            kind=row["display_kind"],
            metadata=metadata,
            active=bool(row["active"]),
        )


def _metadata_text(metadata: Mapping[str, Any]) -> str | None:
    return msgspec.json.encode(metadata).decode() if metadata else None
