"""The laid-out messages behind the widget: roll, window and painted blocks, kept in step with each other."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from textual.strip import Strip

from tui_tapback.domain.messages import Message, Role, Status

from .look import Look
from .looks import Looks
from .painter import Block, Painter
from .roll import Changes, Days, Entry, Roll
from .window import Anchor, Window

CACHE_SIZE: Final = 120
"""Blocks kept painted, and at least as many as three windows can hold."""
EXACT_CHANGES: Final = 8
Place = tuple[Block, int]


class Sheet:
    """Messages laid out for a painter. Without one (before the first resize) it only keeps the messages.

    ``looks`` says which messages are drawn in a special way. ``unseen`` counts the messages that came below
    the window while it was not following. ``older`` and ``newer`` count the messages that exist beyond both
    ends but are not held here (estimates will do; 0 is a promise).
    """

    def __init__(self, days: Days) -> None:
        self.roll = Roll(days)
        self.window = Window(self._measure)
        self.unseen = 0
        self.painted = 0  # blocks painted so far: tests see by it that only the window is
        self.layouts = 0  # times that all was laid out for another width or other colours
        self.looks = Looks()
        self.older = 0
        self.newer = 0
        self.paging = False  # whether what comes behind was there before and is only read now
        self.lazy = False  # whether a growing answer is laid out only when it is drawn
        self._stale: set[int] = set()
        self._held: set[str] = set()  # keys of what was here before: it is no news when it comes again
        self.painter: Painter | None = None
        self._blocks: OrderedDict[str, tuple[Entry, Look, Block]] = OrderedDict()

    def lay_out(self, painter: Painter | None, rows: int) -> None:
        """Draw with another painter, in a window of ``rows`` rows; the reader's place is kept."""
        self.window.rows = rows
        if painter is not self.painter:
            self.painter = painter
            self.layouts += 1
            self._blocks.clear()
            if painter is not None:
                skip = self.window.anchor.skip if len(self.window.heights) == len(self.roll) else 0
                anchor = Anchor(self.window.anchor.index, skip)
                self.window.replace((painter.estimate(entry) for entry in self.roll.entries), anchor)
        self.settle()

    def settle(self) -> None:
        """Bring the window into order after any change."""
        if self.painter is not None:
            self.window.settle()
            self.seen()

    def seen(self) -> None:
        """Forget the unseen messages if the end is in the window."""
        if self.unseen and (self.window.following or self.window.at_end):
            self.unseen = 0

    def take(self, messages: Sequence[Message]) -> Changes:
        """Take the new full state; the window stays where the reader is, or at the end if it follows."""
        old = self.roll.entries
        changes = self.roll.take(messages)
        if self.painter is None or not changes:
            return changes
        self._lay_out(old, changes, self.painter)
        return changes

    def _lay_out(self, old: Sequence[Entry], changes: Changes, painter: Painter) -> None:
        if changes.rebuilt:
            self._stale.clear()
            self._move(old, painter)
        elif self.lazy and changes.grown(self.roll):
            self._stale.update(changes.changed)
            return
        else:
            self._amend(changes, painter)
        self.settle()

    def catch_up(self) -> None:
        """Lay out what has grown since it was last drawn."""
        if not self._stale or self.painter is None:
            return
        stale, self._stale = tuple(self._stale), set[int]()
        self._amend(Changes(changed=stale), self.painter)
        self.settle()

    def _amend(self, changes: Changes, painter: Painter) -> None:
        window, entries = self.window, self.roll.entries
        visible = window.visible()
        exact = len(changes.changed) <= EXACT_CHANGES
        for index in changes.changed:
            entry = entries[index]
            growing = entry.message.status is Status.STREAMING
            if index in visible or (exact and not growing):
                window.height(index)
            else:
                window.heights.set(index, painter.estimate(entry))
        fresh = entries[len(window.heights) :]
        for entry in fresh:
            window.heights.append(painter.estimate(entry))
        if not (self.newer or self.paging):
            self._unseen_from(len(entries) - len(fresh))

    def _move(self, old: Sequence[Entry], painter: Painter) -> None:
        """Places have moved: keep the heights of what stayed the same and the reader at the same message."""
        window = self.window
        self._held.update(entry.message.key for entry in old)
        heights = window.heights
        known = {entry.message.key: (entry, heights[index]) for index, entry in enumerate(old)}
        fresh: list[int] = []
        for entry in self.roll.entries:
            before = known.get(entry.message.key)
            same = before is not None and before[0].message is entry.message and before[0].day == entry.day
            fresh.append(before[1] if before is not None and same else painter.estimate(entry))
        last = self.roll.index(old[-1].message.key) if old else None
        anchor = self._carried(old, window.anchor)
        window.replace(fresh, Anchor(anchor.index, max(0, anchor.skip)))
        if anchor.skip < 0 and not window.following:
            window.scroll(anchor.skip)
        if last is not None and not (self.newer or self.paging):
            self._unseen_from(last + 1)

    def _unseen_from(self, first: int) -> None:
        """The messages from there on have come below the window, unless it follows."""
        fresh = [key for entry in self.roll.entries[first:] if (key := entry.message.key) not in self._held]
        if not fresh:
            return
        if not self.unseen and not self.window.following and not self.window.at_end:
            self.set_news(fresh[0])
        self.unseen += len(fresh)

    def _carried(self, old: Sequence[Entry], anchor: Anchor) -> Anchor:
        """The anchor's message in the new roll, else the next one that is left, else the one before.

        A negative skip stands for rows of what is above it.
        """
        for position in range(anchor.index, len(old)):
            index = self.roll.index(old[position].message.key)
            if index is not None:
                if position != anchor.index:
                    return Anchor(index)
                # A day's line goes or comes when another message becomes the first of its day.
                head = self.roll.entries[index].head - old[position].head
                return Anchor(index, anchor.skip + head)
        for position in range(min(anchor.index, len(old)) - 1, -1, -1):
            index = self.roll.index(old[position].message.key)
            if index is not None:
                return Anchor(index)
        return Anchor()

    def block(self, index: int) -> Block:
        """The painted block of a message."""
        entry = self.roll.entries[index]
        key = entry.message.key
        look = self.looks.of(index, self.roll)
        cached = self._blocks.get(key)
        if cached is not None and cached[0] is entry and cached[1] == look:
            self._blocks.move_to_end(key)
            return cached[2]
        assert self.painter is not None
        self.painted += 1
        block = self.painter.paint(entry, look)
        self._blocks[key] = (entry, look, block)
        self._blocks.move_to_end(key)
        while len(self._blocks) > max(CACHE_SIZE, 3 * self.window.rows):
            self._blocks.popitem(last=False)
        return block

    def prefetch(self, *, upward: bool) -> bool:
        """Paint one message within a window above or below this one; False where all of them are.

        Those in the direction of the last scroll come first.
        """
        window = self.window
        visible = window.visible()
        if self.painter is None or not visible:
            return False
        above, below = range(visible.start - 1, -1, -1), range(visible.stop, len(self.roll))
        for indexes in (above, below) if upward else (below, above):
            rows = 0
            for index in indexes:
                if self.roll.entries[index].message.key not in self._blocks:
                    window.height(index)
                    return True
                rows += window.heights[index]
                if rows >= window.rows:
                    break
        return False

    def fold(self, keys: Sequence[str], *, unfolded: bool) -> None:
        """(Un)fold messages; what is at the top of the window stays there."""
        self.looks.unfold(keys, unfolded=unfolded)
        if self.painter is None:
            return
        for key in keys:
            index = self.roll.index(key)
            if index is not None:
                self.window.height(index)
        self.settle()

    def set_news(self, key: str | None) -> None:
        """Put the line above the first unread message."""
        for index in self.roll.set_news(key):
            if self.painter is not None and index < len(self.window.heights):
                self.window.height(index)
        self.settle()

    def amend(self, message: Message) -> Changes | None:
        """Take one changed or new message without looking at the others; None where that is not enough."""
        changes = self.roll.amend(message)
        if changes and self.painter is not None:
            self._lay_out((), changes, self.painter)
        return changes

    @property
    def extent(self) -> tuple[float, float]:
        """Rows above the window and of everything, with those that are not held here at their average."""
        heights = self.window.heights
        mean = heights.total / len(heights) if len(heights) else 0.0
        return self.window.top + self.older * mean, heights.total + (self.older + self.newer) * mean

    def _measure(self, index: int) -> int:
        return len(self.block(index).strips)

    def lines(self) -> list[tuple[Strip, Place]]:
        """The window's lines from the top, each with the block it belongs to and its row there."""
        self.catch_up()
        rows = self.window.rows
        lines: list[tuple[Strip, Place]] = []
        index, skip = self.window.anchor.index, self.window.anchor.skip
        while len(lines) < rows and index < len(self.roll):
            block = self.block(index)
            stop = min(len(block.strips), skip + rows - len(lines))
            lines.extend((block.strips[row], (block, row)) for row in range(skip, stop))
            index, skip = index + 1, 0
        return lines

    def newest(self, author_role: Role | None = None) -> int | None:
        """Index of the last message that can be reacted to, of one role if given."""
        for index in range(len(self.roll) - 1, -1, -1):
            message = self.roll.entries[index].message
            if message.reactable and author_role in (None, message.role):
                return index
        return None
