"""Draws an answer while it is written: what is closed is kept, only the open block is drawn again."""

from __future__ import annotations

from .lines import Line
from .render import MarkdownRenderer, join_blocks


class StreamedMarkdown:
    """The lines of one growing text at one width."""

    def __init__(self, renderer: MarkdownRenderer, width: int) -> None:
        self._renderer = renderer
        self.width = width
        self._closed = ""  # the source whose blocks can no longer change
        self._lines: list[Line] = []
        self.parsed = 0  # characters parsed since the start, for the curious and for tests

    def lines(self, text: str) -> list[Line]:
        """All lines of ``text``. If it does not continue the text of the last call, drawing starts afresh."""
        if not text.startswith(self._closed):
            self._closed, self._lines = "", []
        tail = text[len(self._closed) :]
        self.parsed += len(tail)
        blocks = self._renderer.blocks(tail, self.width, growing=True)
        offset = _offset_of_line(tail, blocks[-1][0]) if len(blocks) > 1 else 0
        if offset and not _may_join(tail[offset:]):
            # A new block has begun, so every earlier one is closed for good.
            self._lines = _joined(self._lines, [lines for _, lines in blocks[:-1]])
            self._closed += tail[:offset]
            blocks = blocks[-1:]
        return _joined(self._lines, [lines for _, lines in blocks])


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
