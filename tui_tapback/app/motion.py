"""Stops what moves while the link to the terminal is slow, and lets it move again afterwards."""

from __future__ import annotations

from collections.abc import Callable


class Motion:
    """``look`` after each frame; ``moves`` is told False when all has to stand still, True when no more."""

    def __init__(self, slow: Callable[[], bool], moves: Callable[[bool], object]) -> None:
        self._slow, self._moves = slow, moves
        self._still = False

    def look(self) -> None:
        """Tell ``moves`` if the link has become slow or is no longer."""
        still = self._slow()
        if still != self._still:
            self._still = still
            self._moves(not still)
