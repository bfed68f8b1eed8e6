"""What a person's use teaches the program: the emoji used lately, kept in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tui_tapback.emoji.recents import Recents


class Habits:
    """Recent emoji in memory, saved to ``file`` when told to (None: never)."""

    def __init__(self, recents: Recents, file: Path | None = None) -> None:
        self.recents = recents
        self._file = file
        self._fresh = False

    def used(self, emoji: str) -> None:
        """The person reacted with ``emoji``."""
        self.recents.use(emoji)
        self._fresh = True

    def shown(self, limit: int, tone: int) -> Sequence[str]:
        """For the picker."""
        return self.recents.shown(limit, tone)

    def save(self) -> str:
        """Write what is new; returns a sentence where that failed, else the empty string."""
        if not self._fresh or self._file is None:
            return ""
        self._fresh = False
        try:
            self.recents.save(self._file)
        except OSError as error:
            return f"The recent emoji could not be saved: {error.strerror or error}."
        return ""
