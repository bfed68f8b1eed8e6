"""Draws an answer while it is written: what is closed is kept, only the open block is drawn again."""

from __future__ import annotations

import re
from typing import Final

from tui_tapback.terminal.graphemes import snap

from .growing import GrowingInlines
from .lines import Line
from .render import MarkdownRenderer, join_blocks

OPEN_MOST: Final = 4_000
"""Characters of an open block that are drawn anew with each token."""
OPEN_LINES: Final = 1_200
"""The same for a block of several lines (a list, code), which can be torn without a trace."""
OPEN_WIDE: Final = 1_000
"""The same for what is not ASCII, whose clusters have to be looked up one by one."""
KEPT_OPEN: Final = 400
"""Characters of a torn block that stay open."""
_FENCE: Final = re.compile(r"\n* {0,3}(?:`{3,}|~{3,})[^\n]*\n")


class StreamedMarkdown:
    """The lines of one growing text at one width.

    What one call costs is bounded: of an open block that has grown beyond ``OPEN_MOST`` characters (a long
    paragraph, list or piece of code) the beginning is drawn for good. It may then differ in small ways from
    the whole block drawn at once, which is how the finished text is drawn.
    """

    def __init__(self, renderer: MarkdownRenderer, width: int) -> None:
        self._renderer = renderer
        self.width = width
        self._closed = ""  # the source whose blocks can no longer change
        self._lines: list[Line] = []
        self._head = ""  # the line that opened the fence in whose midst ``_closed`` ends
        self._inlines = GrowingInlines()
        self._torn = False  # whether the next line belongs to the block of the last one
        self.exact = True  # whether no block had to be torn
        self.parsed = 0  # characters parsed since the start, for the curious and for tests

    def lines(self, text: str) -> list[Line]:
        """All lines of ``text``. If it does not continue the text of the last call, drawing starts afresh."""
        if not text.startswith(self._closed):
            self._closed, self._lines, self._head = "", [], ""
            self._torn, self.exact = False, True
        source = self._head + text[len(self._closed) :]
        self.parsed += len(source)
        blocks = self._renderer.blocks(source, self.width, growing=self._inlines)
        offset = _offset_of_line(source, blocks[-1][0]) if len(blocks) > 1 else 0
        if offset and not _may_join(source[offset:]):
            # A new block has begun, so every earlier one is closed for good.
            self._close(source[:offset], blocks[:-1], head="", torn=False)
            source, blocks = source[offset:], blocks[-1:]
        shown = self._after(blocks)
        if len(source) > self._most(source):
            self._tear(source)
        return shown

    def _most(self, source: str) -> int:
        """Characters from which on an open block is torn."""
        if not source.isascii():
            return OPEN_WIDE
        return OPEN_LINES if "\n" in source[len(self._head) : -KEPT_OPEN] else OPEN_MOST

    def _after(self, blocks: list[tuple[int, list[Line]]]) -> list[Line]:
        drawn = [lines for _, lines in blocks]
        if self._torn and drawn:
            return join_blocks([[*self._lines, *drawn[0]], *drawn[1:]])
        return _joined(self._lines, drawn)

    def _close(self, source: str, blocks: list[tuple[int, list[Line]]], *, head: str, torn: bool) -> None:
        self._lines = self._after(blocks)
        self._closed += source[len(self._head) :]
        self._head, self._torn = head, torn

    def _tear(self, source: str) -> None:
        """Draw the beginning of an open block for good: up to the end of a line, else up to a blank."""
        stop = len(source) - KEPT_OPEN
        least = len(self._head) + 1
        place = source.rfind("\n", least, stop) + 1 or source.rfind(" ", least, stop) + 1
        piece = source[: place or snap(source, stop)]
        fence = _FENCE.match(source)
        blocks = self._renderer.blocks(piece, self.width, growing=GrowingInlines())
        self.exact = False
        self._close(piece, blocks, head=fence[0] if fence else "", torn=True)


class StreamedLiteral:
    """The lines of one growing text that is shown as it was written."""

    def __init__(self, renderer: MarkdownRenderer, width: int) -> None:
        self._renderer = renderer
        self.width = width
        self._closed = ""
        self._lines: list[Line] = []

    def lines(self, text: str) -> list[Line]:
        """All lines of ``text``; those of rows that were complete at the last call are kept."""
        if not text.startswith(self._closed):
            self._closed, self._lines = "", []
        end = text.rfind("\n") + 1
        if end > len(self._closed):
            rows = text[len(self._closed) : end - 1]
            self._lines = [*self._lines, *self._renderer.literal(rows, self.width, strip=False)]
            self._closed = text[:end]
        rest = text[len(self._closed) :]
        if len(rest) > OPEN_MOST:  # one endless line: what is drawn of it stays
            stop = len(rest) - KEPT_OPEN
            piece = rest[: rest.rfind(" ", 1, stop) + 1 or snap(rest, stop)]
            self._lines = [*self._lines, *self._renderer.literal(piece, self.width, strip=False)]
            self._closed += piece
            rest = rest[len(piece) :]
        return [*self._lines, *(self._renderer.literal(rest, self.width) if rest else [])]


def _may_join(start: str) -> bool:
    """Whether a block that begins so may turn out to continue the one before: its first line is not complete,
    and what looks like a fence, a rule or a heading may become ordinary text (three backticks, then a word
    in backticks)."""
    return "\n" not in start and not start.lstrip()[:1].isalnum()


def _joined(lines: list[Line], blocks: list[list[Line]]) -> list[Line]:
    return join_blocks([lines, *blocks]) if lines else join_blocks(blocks)


def _offset_of_line(text: str, line: int) -> int:
    offset = 0
    for _ in range(line):
        offset = text.index("\n", offset) + 1
    return offset
