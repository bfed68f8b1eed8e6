"""The window over the messages: an anchor instead of an offset, so that what is read stays where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tui_tapback.domain.values import value

from .heights import HeightIndex


@value
class Anchor:
    """The message at the top of the window and how many of its rows are above the window."""

    index: int = 0
    skip: int = 0


class Window:
    """Where a window of ``rows`` rows stands over messages whose heights are estimated until measured.

    ``measure(index)`` returns the exact height of one message; it is called for messages in or next to the
    window only. While ``following`` the window sticks to the end.
    """

    def __init__(self, measure: Callable[[int], int]) -> None:
        self._measure = measure
        self.heights = HeightIndex()
        self.rows = 0
        self.anchor = Anchor()
        self.following = True

    def replace(self, heights: Iterable[int], anchor: Anchor) -> None:
        """Take a new list of messages; ``anchor`` is where the reader is in it."""
        self.heights = HeightIndex(heights)
        self.anchor = anchor

    @property
    def top(self) -> int:
        """Row of the window's first line, counted from the first message."""
        return self.heights.above(self.anchor.index) + self.anchor.skip

    @property
    def at_end(self) -> bool:
        """Whether the last row of the last message is in the window (or there is none)."""
        return self.top + self.rows >= self.heights.total

    def height(self, index: int) -> int:
        """The exact height of a message; corrects the index."""
        height = self._measure(index)
        self.heights.set(index, height)
        return height

    def settle(self) -> None:
        """Bring the anchor into bounds and make every height in the window exact."""
        count = len(self.heights)
        if not count:
            self.anchor = Anchor()
            return
        if self.following:
            self._to_end()
            return
        index = min(max(0, self.anchor.index), count - 1)
        skip = max(0, min(self.anchor.skip, self.height(index) - 1)) if index == self.anchor.index else 0
        if not self._fills(index, skip):
            self._to_end()
            return
        self.anchor = Anchor(index, skip)

    def _fills(self, index: int, skip: int) -> bool:
        """Whether the messages from there on fill the window; measures those that show."""
        need = self.rows + skip
        while index < len(self.heights) and need > 0:
            need -= self.height(index)
            index += 1
        return need <= 0

    def _to_end(self) -> None:
        index = len(self.heights)
        need = self.rows
        while need > 0 and index > 0:
            index -= 1
            need -= self.height(index)
        self.anchor = Anchor(index, max(0, -need))

    def scroll(self, rows: int) -> None:
        """Move by ``rows`` (down if positive) as far as there is something; follows again at the end."""
        if not len(self.heights):
            return
        index, skip = self.anchor.index, self.anchor.skip + rows
        while skip < 0 and index > 0:
            index -= 1
            skip += self.height(index)
        skip = max(0, skip)
        while index < len(self.heights) - 1 and skip >= (height := self.height(index)):
            skip -= height
            index += 1
        self.following = False
        self.anchor = Anchor(index, skip)
        self.settle()
        self.following = self.at_end

    def to_start(self) -> None:
        """Show the first message."""
        self.following = False
        self.anchor = Anchor()
        self.settle()
        self.following = self.at_end

    def to_end(self) -> None:
        """Show the last row and follow."""
        self.following = True
        self.settle()

    def reveal(self, index: int, *, upward: bool) -> None:
        """Scroll just so far that message ``index`` is visible; of one that is too tall its near end."""
        height = self.height(index)
        first = self.row_of(index)
        if first is not None and first >= 0 and first + height <= self.rows:
            return
        beyond = index > self.anchor.index if first is None else first > 0
        self.following = False
        if height >= self.rows:
            self.anchor = Anchor(index, max(0, height - self.rows) if upward else 0)
        elif not beyond:
            self.anchor = Anchor(index, 0)
        else:  # its last row becomes the window's last
            self.anchor = Anchor(index, 0)
            need = self.rows - height
            while need > 0 and index > 0:
                index -= 1
                need -= self.height(index)
            self.anchor = Anchor(index, max(0, -need))
        self.settle()
        self.following = self.at_end

    def show_row(self, index: int, row: int) -> None:
        """Bring one row of a message into the window, if it is not there: a third below its top."""
        self.height(index)
        first = self.heights.above(index) - self.top
        if 0 <= first + row < self.rows - 1:
            return
        self.following = False
        self.anchor = Anchor(index, row)
        self.settle()
        self.scroll(-(self.rows // 3))

    def row_of(self, index: int) -> int | None:
        """Window row of a message's first line (negative when above); None when wholly out of the window."""
        row = self.heights.above(index) - self.top
        return row if row < self.rows and row + self.heights[index] > 0 else None

    def visible(self) -> range:
        """Indexes of the messages in the window."""
        index, room = self.anchor.index, self.rows + self.anchor.skip
        first = index
        while index < len(self.heights) and room > 0:
            room -= self.heights[index]
            index += 1
        return range(first, index)
