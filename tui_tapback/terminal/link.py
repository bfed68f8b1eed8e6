"""Whether the link to the terminal is slow: how long until the terminal acknowledges what was drawn."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

QUESTION: Final = "\x1b[6n"
"""What to write after a frame: the terminal answers it when it has drawn all that was written before."""
EVERY: Final = 2.0
"""Seconds between two questions, counted from the answer: a few bytes each."""
SLOW: Final = 0.3
"""Seconds for a frame from which on motion is worse than none: it arrives in jerks and delays the keys."""
FAST: Final = 0.15
"""Seconds below which it is worth it again; between the two nothing changes."""
HEALED: Final = 3
"""Fast frames in a row that end the slowness."""
MUTE: Final = 10.0
"""Seconds without any first answer after which a terminal is held for one that never answers."""


class LinkPace:
    """Tell it of frames and answers, and ask ``slow``. It reads no terminal and writes to none.

    Two slow frames in a row make the link slow, or one that is not acknowledged in twice the time of two.
    Where the terminal never answers nothing is known, and the link counts as fast.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._asked_at: float | None = None
        self._answered_at: float | None = None
        self._mute = False
        self._slow = False
        self._in_a_row = 0  # slow frames while it is fast, fast ones while it is slow
        self.last: float | None = None
        """Seconds that the last acknowledged frame took; None before the first."""

    def frame_drawn(self) -> bool:
        """Whether ``QUESTION`` is to be written now, after the frame that has just been."""
        now = self._clock()
        if self._mute:
            return False
        if self._asked_at is not None:
            self._mute = self._answered_at is None and now - self._asked_at > MUTE
            return False
        if self._answered_at is not None and now - self._answered_at < EVERY:
            return False
        self._asked_at = now
        return True

    def acknowledged(self) -> None:
        """The terminal has answered; an answer that nobody asked for is of no account."""
        if self._asked_at is None:
            return
        now = self._clock()
        self.last = now - self._asked_at
        overdue = self.last >= 4 * SLOW
        self._asked_at, self._answered_at, self._mute = None, now, False
        against = self.last < FAST if self._slow else self.last >= SLOW
        self._in_a_row = self._in_a_row + 1 if against else 0
        if self._slow and self._in_a_row >= HEALED:
            self._slow, self._in_a_row = False, 0
        elif not self._slow and (overdue or self._in_a_row >= 2):
            self._slow, self._in_a_row = True, 0

    @property
    def slow(self) -> bool:
        """Whether to stop animating now."""
        waiting = self._asked_at is not None and self._answered_at is not None
        return self._slow or (waiting and self._clock() - (self._asked_at or 0.0) >= 4 * SLOW)
