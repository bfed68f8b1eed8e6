"""Where each cluster of edited text stands on screen: wrapping, and offsets to cells and back."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from rich.cells import cell_len

from tui_tapback.domain.values import value
from tui_tapback.terminal.graphemes import clusters

TAB: Final = "    "
_WORDS: Final = re.compile(r"([^ ]*)( *)")


@value
class Glyph:
    """One cluster: its offset in the text, what is drawn for it, the cell where it begins, and its cells."""

    offset: int
    drawn: str
    x: int
    width: int


@value
class Row:
    """One row on screen: text from ``start`` up to ``end``; ``breaks`` if a newline or the end follows."""

    start: int
    end: int
    breaks: bool


class Layout:
    """The rows of one text at one width. What is drawn in a row is worked out when it is asked for."""

    def __init__(self, text: str, rows: list[Row], draw: Callable[[str], str]) -> None:
        self.text = text
        self.rows = rows
        self._draw = draw
        self._starts = [row.start for row in rows]
        self._glyphs: dict[int, tuple[Glyph, ...]] = {}

    def glyphs(self, y: int) -> tuple[Glyph, ...]:
        """The clusters of row ``y``."""
        if y not in self._glyphs:
            row = self.rows[y]
            offset, x = row.start, 0
            glyphs: list[Glyph] = []
            for cluster in clusters(self.text[row.start : row.end]):
                drawn = self._draw(cluster)
                width = cell_len(drawn)
                glyphs.append(Glyph(offset, drawn, x, width))
                offset, x = offset + len(cluster), x + width
            self._glyphs[y] = tuple(glyphs)
        return self._glyphs[y]

    def row_of(self, offset: int) -> int:
        """Index of the row on which a caret at ``offset`` is drawn."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def caret(self, offset: int) -> tuple[int, int]:
        """``(x, y)`` in cells of a caret at ``offset``."""
        y = self.row_of(offset)
        x = 0
        for glyph in self.glyphs(y):
            if glyph.offset >= offset:
                break
            x = glyph.x + glyph.width
        return x, y

    def offset_at(self, x: int, y: int) -> int:
        """The caret offset for a cell, on a wide glyph its nearer side; rows beyond the ends are clamped."""
        y = max(0, min(y, len(self.rows) - 1))
        row, glyphs = self.rows[y], self.glyphs(y)
        for glyph in glyphs:
            if x < glyph.x + max(1, (glyph.width + 1) // 2):
                return glyph.offset
        # Behind the last glyph of a wrapped row the caret would be drawn on the next row.
        return row.end if row.breaks or not glyphs else glyphs[-1].offset


class LayoutEngine:
    """Lays text out for one way of fitting emoji; remembers the lines of the last text and common words."""

    def __init__(self, fit_text: Callable[[str], str]) -> None:
        self._fit_text = fit_text
        self._measure = lru_cache(8192)(self._cells)
        self._width = -1
        self._lines: dict[str, list[int]] = {}

    def lay(self, text: str, width: int) -> Layout:
        """Rows of ``text`` at most ``width`` cells wide (one cell of the width is left for the caret)."""
        if width != self._width:
            self._width, self._lines = width, {}
        known, self._lines = self._lines, {}
        rows: list[Row] = []
        start = 0
        for line in text.split("\n"):
            ends = known.get(line) or self._lines.get(line)
            if ends is None:
                ends = self._break(line, max(2, width - 1))
            self._lines[line] = ends
            before = 0
            for end in ends:
                rows.append(Row(start + before, start + end, end == len(line)))
                before = end
            start += len(line) + 1
        return Layout(text, rows, self._draw)

    def _draw(self, cluster: str) -> str:
        return TAB if cluster == "\t" else self._fit_text(cluster)

    def _cells(self, word: str) -> int:
        return cell_len(self._fit_text(word.replace("\t", TAB)))

    def _break(self, line: str, width: int) -> list[int]:
        """Where each row of ``line`` ends; the last one is the end of the line."""
        ends: list[int] = []
        x = 0
        for found in _WORDS.finditer(line):
            word, blanks = found[1], len(found[2])
            cells = self._measure(word) if word else 0
            if x + cells > width and x > 0:
                ends.append(found.start())
                x = 0
            if cells > width:
                cuts, x = self._cut(word, width)
                ends += [found.start() + cut for cut in cuts]
            else:
                x += cells
            # One blank may hang over the edge, where the caret's cell is; what is more goes on below.
            while blanks > width + 1 - x:
                blanks -= width + 1 - x
                ends.append(found.end() - blanks)
                x = 0
            x += blanks
        return [*ends, len(line)] if not ends or ends[-1] != len(line) else ends

    def _cut(self, word: str, width: int) -> tuple[list[int], int]:
        """Where a word wider than a row is cut, and the cells of its last part."""
        cuts: list[int] = []
        offset = x = 0
        for cluster in clusters(word):
            cells = cell_len(self._draw(cluster))
            if x + cells > width:
                cuts.append(offset)
                x = 0
            offset, x = offset + len(cluster), x + cells
        return cuts, x
