"""Tells from what is drawn whether the link is slow, and whether emoji still take the cells planned.

Nothing is drawn for it: a question about the cursor travels with a frame now and then, behind an emoji of it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Final

from rich.cells import cell_len

from tui_tapback.terminal.cells import VS16
from tui_tapback.terminal.graphemes import clusters
from tui_tapback.terminal.link import QUESTION, LinkPace
from tui_tapback.terminal.standins import is_wide_emoji

SURE: Final = 3
"""Answers of one kind after which the kept answer of the terminal counts as confirmed, or as wrong."""
FAREWELL: Final = 0.3
"""Seconds that an open question is waited for when the terminal is given back, so that no shell reads it."""
_PLACE: Final = re.compile(r"\x1b\[(\d+);(\d+)H")
_PIECE: Final = re.compile(r"\x1b\[[0-9;:]*m|([^\x00-\x1f\x1b]+)|")


class Watch:
    """Used by two threads: that of the app writes, that of the driver reads the terminal."""

    def __init__(self, pace: LinkPace) -> None:
        self._pace = pace
        self._verdicts: dict[bool, Callable[[], None]] = {}
        self._counts = {True: 0, False: 0}
        self._lock = threading.Lock()
        self._answered = threading.Event()
        self._answered.set()
        self._expected: tuple[int, int] | None = None
        self._earlier: Callable[[int, int], bool] = lambda _row, _column: False

    def report_to(self, *, confirmed: Callable[[], None], wrong: Callable[[], None]) -> None:
        """Have told whether emoji take the cells planned: each is called once at most, by the reader."""
        with self._lock:
            self._verdicts = {True: confirmed, False: wrong}

    def answer_first(self, earlier: Callable[[int, int], bool]) -> None:
        """Offer each answer (row and column) to ``earlier``, which was asked before the first frame; it
        returns False for one that is not its own."""
        self._earlier = earlier

    @property
    def slow(self) -> bool:
        """Whether to stop animating: frames reach the terminal late."""
        with self._lock:
            return self._pace.slow

    def outgoing(self, output: str) -> str:
        """What to write for ``output``: itself, or with a question in it if it is a frame and it is time."""
        if not _PLACE.search(output):
            return output
        with self._lock:
            if not self._pace.frame_drawn():
                return output
            self._answered.clear()
            offset, self._expected = _spot(output)
        return f"{output[:offset]}{QUESTION}{output[offset:]}"

    def cursor_at(self, row: int, column: int) -> bool:
        """The terminal has told where its cursor is, counted from 1; False if nobody had asked."""
        if self._earlier(row, column):
            return True
        with self._lock:
            if self._answered.is_set():
                return False
            self._pace.acknowledged()
            self._answered.set()
            expected, self._expected = self._expected, None
            if expected is None or expected[0] != row:  # an answer to somebody else's question
                return True
            right = expected[1] == column
            self._counts[right] += 1
            tell = self._verdicts.get(right) if self._counts[right] == SURE else None
        if tell is not None:
            tell()
        return True

    def settle(self) -> None:
        """Wait a little for an answer that is still to come."""
        self._answered.wait(FAREWELL)


def _spot(output: str) -> tuple[int, tuple[int, int] | None]:
    """Where in ``output`` to ask (after its last emoji, else at the end); row and column meant there."""
    for place in reversed(list(_PLACE.finditer(output))):
        column, position, found = int(place[2]), place.end(), None
        while (piece := _PIECE.match(output, position)) and piece.end() > position:
            for cluster in clusters(piece[1] or ""):
                column += cell_len(cluster)
                position += len(cluster)
                if VS16 in cluster or is_wide_emoji(cluster[0]):
                    found = position, (int(place[1]), column)
            position = piece.end()
        if found:
            return found
    return len(output), None
