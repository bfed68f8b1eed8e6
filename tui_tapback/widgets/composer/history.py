"""What was sent before, walked with ↑ and ↓ without losing the draft."""

from __future__ import annotations

from collections.abc import Iterable


class PromptHistory:
    """Texts sent, oldest first, and a position in them; the end of the walk is the draft."""

    def __init__(self, entries: Iterable[str] = (), *, limit: int = 500) -> None:
        self._limit = limit
        self._entries = list(entries)[-limit:]
        self._position = len(self._entries)
        self._draft = ""

    @property
    def entries(self) -> tuple[str, ...]:
        """All texts, oldest first."""
        return tuple(self._entries)

    def older(self, present: str) -> str | None:
        """The text before the present one, or None at the oldest; the draft is kept aside."""
        if self._position == 0:
            return None
        if self._position == len(self._entries):
            self._draft = present
        self._position -= 1
        return self._entries[self._position]

    def newer(self) -> str | None:
        """The text after the present one, at last the draft; None when that is where we are."""
        if self._position == len(self._entries):
            return None
        self._position += 1
        return self._draft if self._position == len(self._entries) else self._entries[self._position]

    def add(self, text: str) -> None:
        """Remember a text that was sent (once if it is the last one again) and end the walk."""
        if text.strip() and self._entries[-1:] != [text]:
            self._entries.append(text)
            del self._entries[: -self._limit]
        self.rest()

    def rest(self) -> None:
        """End the walk: what is in the composer now is the draft."""
        self._position = len(self._entries)
        self._draft = ""
