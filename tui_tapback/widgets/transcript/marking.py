"""Selecting text: by dragging the mouse and, after v, with the keys; what is copied is what was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from textual import events
from textual.strip import Strip

from tui_tapback.domain.values import value
from tui_tapback.terminal.graphemes import next_boundary, previous_boundary

from ..fitter import Fitter
from .finding import FindingView
from .highlight import in_view, mark
from .painter import Block, Surface


@value
class Point:
    """A character of a message's plain text."""

    key: str
    offset: int


@value
class Span:
    """Text from where the selection began to where it is now, whichever comes first; ``caret``: by keys."""

    start: Point
    end: Point
    caret: bool = False


def _word(text: str, offset: int, delta: int) -> int:
    while 0 < offset + (delta > 0) <= len(text) and text[offset if delta > 0 else offset - 1].isspace():
        offset += delta
    while 0 < offset + (delta > 0) <= len(text) and not text[offset if delta > 0 else offset - 1].isspace():
        offset += delta
    return offset


_MOVES: Final[dict[str, Callable[[str, int], int]]] = {
    "h": previous_boundary,
    "left": previous_boundary,
    "l": next_boundary,
    "right": next_boundary,
    "w": lambda text, at: _word(text, at, 1),
    "ctrl+right": lambda text, at: _word(text, at, 1),
    "b": lambda text, at: _word(text, at, -1),
    "ctrl+left": lambda text, at: _word(text, at, -1),
    "0": lambda text, at: text.rfind("\n", 0, at) + 1,
    "home": lambda text, at: text.rfind("\n", 0, at) + 1,
    "dollar_sign": lambda text, at: len(text) if (end := text.find("\n", at)) < 0 else end,
    "end": lambda text, at: len(text) if (end := text.find("\n", at)) < 0 else end,
}


class MarkingView(FindingView):
    """A view in which text can be selected, also over several messages."""

    def __init__(self, fitter: Fitter, quick: tuple[str, ...], **options: Any) -> None:
        super().__init__(fitter, quick, **options)
        self._span: Span | None = None
        self._pressed: Point | None = None

    @property
    def marking(self) -> bool:
        """Whether text is being selected with the keys."""
        return self._span is not None and self._span.caret

    @property
    def selected_text(self) -> str:
        """The selected text as its authors wrote it, without markdown's signs; "" where none is selected."""
        return "\n\n".join(block.prose.text[a:b] for block, a, b in self._pieces())

    @property
    def selected_markdown(self) -> str:
        """The source of the blocks in which text is selected, whole messages where all of it is."""
        return "\n\n".join(self._source(block, a, b) for block, a, b in self._pieces())

    @staticmethod
    def _source(block: Block, start: int, stop: int) -> str:
        prose = block.prose
        if (start, stop) == (0, len(prose.text)) or not block.parts:
            return block.message.text
        first, last = prose.place(start)[0], prose.place(max(start, stop - 1))[0]
        rows = [part.row for part in block.parts]
        inside = [
            part
            for part, following in zip(block.parts, [*rows[1:], len(block.body.lines)], strict=True)
            if part.row <= last and following > first
        ]
        return "\n\n".join(part.source for part in inside)

    def _pieces(self) -> Iterator[tuple[Block, int, int]]:
        """The selected messages with the characters of each that are selected."""
        roll, span = self.sheet.roll, self._span
        if span is None:
            return
        ends = [(roll.index(point.key), point.offset) for point in (span.start, span.end)]
        known = [(index, offset) for index, offset in ends if index is not None]
        if len(known) < 2:
            return
        (first, start), (last, stop) = sorted(known)
        for index in range(first, last + 1):
            if not roll.entries[index].message.reactable:
                continue
            block = self.sheet.block(index)
            size = len(block.prose.text)
            a, b = start if index == first else 0, min(stop, size) if index == last else size
            if span.caret and index == last:
                b = next_boundary(block.prose.text, b)
            if a < b:
                yield block, a, b

    def unmark(self) -> bool:
        """Select no text; tells whether some was."""
        was, self._span = self._span is not None, None
        if was:
            self.post_message(self.KeysChanged())
            self.repaint()
        return was

    def decorate(self, lines: list[Strip], surface: Surface) -> None:
        """Mark the selected text."""
        if self._span is not None:
            self._mark_selected(lines, surface)
        super().decorate(lines, surface)

    def _mark_selected(self, lines: list[Strip], surface: Surface) -> None:
        roll, span = self.sheet.roll, self._span
        if span is None:
            return
        ends = [(roll.index(point.key), point.offset) for point in (span.start, span.end)]
        known = sorted((index, offset) for index, offset in ends if index is not None)
        if len(known) < 2:
            return
        (first, start), (last, stop) = known
        for top, block in in_view(self._places):
            index = roll.index(block.message.key)
            if index is None or not first <= index <= last or block.bubble is None:
                continue
            size = len(block.prose.text)
            b = stop if index == last else size
            if span.caret and index == last:
                b = next_boundary(block.prose.text, min(b, size))
            mark(lines, top, block, (start if index == first else 0, b), surface.palette.marked)

    # -- mouse -----------------------------------------------------------------------------------------------

    def _point(self, x: int, y: int) -> Point | None:
        """The character nearest to a cell; None where no message is."""
        y = max(0, min(y, len(self._places) - 1))
        if not self._places:
            return None
        block, row = self._places[y]
        return None if block.bubble is None else Point(block.message.key, block.text_at(x, row))

    def press(self, event: events.MouseDown) -> None:
        """A drag may begin here."""
        target = self.target_at(event.x, event.y)
        self.unmark()
        if event.button == 1 and target is not None and target.part == "text" and not self.pill_open:
            self._pressed = self._point(event.x, event.y)

    def drag(self, event: events.MouseMove) -> bool:
        """Select up to the mouse, scrolling at the edges; tells whether a drag goes on."""
        if self._pressed is None or event.button != 1:
            return False
        point = self._point(event.x, event.y)
        if point is None or (self._span is None and point == self._pressed):
            return True
        if self._span is None:
            self.capture_mouse()
        if event.y < 0 or event.y >= self.size.height:
            self.scroll_rows(-1 if event.y < 0 else 1)
        self._span = Span(self._pressed, point)
        self.repaint()
        return True

    def release(self) -> bool:
        """The drag ends; tells whether text was selected by it."""
        dragged, self._pressed = self._pressed is not None and self._span is not None, None
        if dragged:
            self.release_mouse()
        return dragged

    # -- keys ------------------------------------------------------------------------------------------------

    def begin_marking(self) -> None:
        """Select text with the keys, from the first character in view of the selected message."""
        index = self.sheet.roll.index(self.selected)
        if index is None:
            return
        block = self.sheet.block(index)
        if block.bubble is None or not block.prose.text:
            return
        row = self.sheet.window.row_of(index) or 0
        hidden = max(0, -row - block.bubble[1] - 1)
        point = Point(block.message.key, block.prose.offset(hidden, 0))
        self._span = Span(point, point, caret=True)
        self.post_message(self.KeysChanged())
        self._follow_caret()

    def marking_key(self, key: str) -> bool:
        """Act on a key while text is selected with the keys; tells whether it was one of these."""
        span = self._span
        if span is None or not span.caret:
            return False
        if key in ("j", "down", "k", "up"):
            self._move_line(span, 1 if key in ("j", "down") else -1)
        elif key in _MOVES:
            index = self.sheet.roll.index(span.end.key)
            if index is not None:
                text = self.sheet.block(index).prose.text
                offset = min(_MOVES[key](text, span.end.offset), max(0, len(text) - 1))
                self._span = replace(span, end=Point(span.end.key, offset))
        else:
            return False
        self._follow_caret()
        return True

    def _move_line(self, span: Span, delta: int) -> None:
        roll = self.sheet.roll
        index = roll.index(span.end.key)
        if index is None:
            return
        block = self.sheet.block(index)
        row, cell = block.prose.place(span.end.offset)
        if 0 <= row + delta < len(block.body.lines):
            self._span = replace(span, end=Point(span.end.key, block.prose.offset(row + delta, cell)))
            return
        neighbour = roll.nearest(index + delta, delta) if 0 <= index + delta < len(roll) else None
        if neighbour is not None:
            block = self.sheet.block(neighbour)
            last = len(block.body.lines) - 1
            offset = block.prose.offset(0 if delta > 0 else last, cell)
            self._span = replace(span, end=Point(block.message.key, offset))

    def _follow_caret(self) -> None:
        index = self.sheet.roll.index(self._span.end.key) if self._span is not None else None
        if index is not None and self._span is not None:
            offset = self._span.end.offset
            cells = self.sheet.block(index).cells_of(offset, offset + 1)
            if cells:
                self.sheet.window.show_row(index, cells[0][0])
        self.repaint()
