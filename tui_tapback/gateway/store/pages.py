"""Reads parts of a session in both directions, at a cost that does not grow with its length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .messages import MessageTable
from .records import MessageRecord

Direction = Literal["older", "newer"]
Shown = Callable[[MessageRecord], bool]
_MOST_TOOLS = 1000
"""Rows of tools between two messages beyond which a page may begin with one."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Rows in order, and whether there is more on either side."""

    rows: list[MessageRecord]
    has_older: bool
    has_newer: bool


class Pages:
    """Slices of sessions; ``shown`` decides which rows count."""

    def __init__(self, messages: MessageTable, shown: Shown) -> None:
        self._messages = messages
        self._shown = shown

    def newest(self, session_id: str, limit: int) -> Slice:
        """The end of the session, prompts that wait included."""
        return self._end(session_id, self._waiting(session_id), limit, has_newer=False)

    def oldest(self, session_id: str, limit: int) -> Slice:
        """The beginning of the session, prompts that wait included where it is short."""
        rows, more = self._towards(session_id, None, "newer", limit)
        waiting = [] if more else self._waiting(session_id)
        room = max(0, limit - len(rows))
        return Slice([*rows, *waiting[:room]], has_older=False, has_newer=more or len(waiting) > room)

    def before(self, row: MessageRecord, limit: int) -> Slice:
        """What stands in front of ``row``."""
        if row.position is None:
            earlier = [found for found in self._waiting(row.session_id) if found.row_id < row.row_id]
            return self._end(row.session_id, earlier, limit, has_newer=True)
        rows, more = self._towards(row.session_id, row.position, "older", limit)
        return Slice(rows, has_older=more, has_newer=True)

    def after(self, row: MessageRecord, limit: int) -> Slice:
        """What stands behind ``row``, prompts that wait last."""
        waiting = self._waiting(row.session_id)
        if row.position is None:
            later = [found for found in waiting if found.row_id > row.row_id]
            return Slice(later[:limit], has_older=True, has_newer=len(later) > limit)
        rows, more = self._towards(row.session_id, row.position, "newer", limit)
        if more:
            return Slice(rows, has_older=True, has_newer=True)
        room = max(limit - len(rows), 0 if _cut_here(rows) else 1)
        return Slice([*rows, *waiting[:room]], has_older=True, has_newer=len(waiting) > room)

    def around(self, row: MessageRecord, limit: int) -> Slice:
        """``row`` with what stands on either side of it."""
        older = self.before(row, limit // 2)
        newer = self.after(row, limit - len(older.rows) - 1)
        return Slice([*older.rows, row, *newer.rows], older.has_older, newer.has_newer)

    def _waiting(self, session_id: str) -> list[MessageRecord]:
        return [row for row in self._messages.waiting(session_id) if self._shown(row)]

    def _end(self, session_id: str, waiting: list[MessageRecord], limit: int, *, has_newer: bool) -> Slice:
        """The last ``limit`` of what stands and what waits behind it."""
        if len(waiting) >= limit:
            rows, (older, more) = waiting[len(waiting) - limit :], self._towards(session_id, None, "older", 0)
            return Slice([*older, *rows], has_older=more or len(waiting) > limit, has_newer=has_newer)
        older, more = self._towards(session_id, None, "older", limit - len(waiting))
        return Slice([*older, *waiting], has_older=more, has_newer=has_newer)

    def _towards(
        self, session_id: str, position: int | None, direction: Direction, limit: int
    ) -> tuple[list[MessageRecord], bool]:
        """``limit`` shown rows from ``position`` on, in order, and whether there is more.

        A page ends with a message that has an id on the wire, which is where the next one begins.
        """
        found: list[MessageRecord] = []
        at = position
        while True:
            batch = self._messages.beside(session_id, at, direction, limit + 8)
            for row in batch:
                if not self._shown(row):
                    continue
                if len(found) >= limit and (_cut_here(found) or len(found) > _MOST_TOOLS):
                    return _in_order(found, direction), True
                found.append(row)
            if len(batch) < limit + 8:
                return _in_order(found, direction), False
            at = batch[-1].position


def _cut_here(found: list[MessageRecord]) -> bool:
    """A page ends with a message, not among the rows of tools beside one."""
    return not found or found[-1].role != "tool"


def _in_order(found: list[MessageRecord], direction: Direction) -> list[MessageRecord]:
    return found[::-1] if direction == "older" else found
