"""Counts what lies before and behind the messages that are held, for an honest scroll bar; pure."""

from __future__ import annotations

from collections.abc import Sequence

from tui_tapback.domain.messages import Message, Role


class Extent:
    """Follows one window after the other over one chat; another chat needs another extent.

    Exact while windows overlap or touch an end; after a jump into the middle estimated from the row ids,
    until an end has been reached.
    """

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._keys: dict[str, int] = {}
        self._older = 0
        self._newer = 0
        self._low = 0
        self._high = 0

    def follow(
        self, messages: Sequence[Message], *, has_older: bool, has_newer: bool, total: int | None
    ) -> tuple[int, int]:
        """How many messages lie before and behind ``messages``; ``total`` is how many the chat has."""
        if not (has_older or has_newer) or not messages:
            self._older = self._newer = 0
            self._seen, self._keys = (), {}
            return 0, 0
        seen = (messages[0].key, messages[-1].key, len(messages), has_older, has_newer, total)
        if seen != self._seen:
            self._seen = seen
            shown = [m for m in messages if m.role is not Role.TOOL]
            self._look(shown, has_older, has_newer, max(1, (total or 0) - len(shown)))
            self._keys = {message.key: place for place, message in enumerate(shown)}
        return self._older, self._newer

    def _look(self, shown: list[Message], has_older: bool, has_newer: bool, beyond: int) -> None:
        rows = [m.row_id for m in shown if m.row_id is not None]
        if rows:
            self._high = max(self._high, rows[-1])
            if not has_older:
                self._low = rows[0]
        if not has_newer:
            self._older, self._newer = beyond, 0
        elif not has_older:
            self._older, self._newer = 0, beyond
        else:
            beyond = max(2, beyond)
            self._older = min(max(1, self._before(shown, rows, beyond)), beyond - 1)
            self._newer = beyond - self._older

    def _before(self, shown: list[Message], rows: list[int], beyond: int) -> int:
        """How many lie before the first one that is shown."""
        if shown and (place := self._keys.get(shown[0].key)) is not None:
            return self._older + place  # the first ones were let go
        for place, message in enumerate(shown):
            if message.key in self._keys:
                return self._older - place  # so many came in front
        if not rows:
            return beyond // 2
        low = self._low
        if not low:  # the first row was never seen: other chats may have rows between those of this one
            spacing = (rows[-1] - rows[0]) / max(1, len(rows) - 1)
            low = max(1, round(self._high - spacing * (beyond + len(shown) - 1)))
        before, behind = max(0, rows[0] - low), max(0, self._high - rows[-1])
        return round(beyond * before / max(1, before + behind))
