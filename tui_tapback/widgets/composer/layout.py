"""Where each cluster of edited text stands on screen: wrapping, and offsets to cells and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from rich.cells import cell_len

from tui_tapback.terminal.graphemes import clusters

TAB = "    "


@dataclass(frozen=True, slots=True)
class Glyph:
    """One cluster: its offset in the text, what is drawn for it, the cell where it begins, and its cells."""

    offset: int
    drawn: str
    x: int
    width: int


@dataclass(frozen=True, slots=True)
class Row:
    """One row on screen: text from ``start`` up to ``end``; ``breaks`` if a newline or the end follows."""

    start: int
    end: int
    glyphs: tuple[Glyph, ...]
    breaks: bool

    @property
    def width(self) -> int:
        """Cells that its glyphs take."""
        return self.glyphs[-1].x + self.glyphs[-1].width if self.glyphs else 0

    def x_of(self, offset: int) -> int:
        """The cell of the caret at ``offset``."""
        for glyph in self.glyphs:
            if glyph.offset >= offset:
                return glyph.x
        return self.width

    def offset_at(self, x: int) -> int:
        """The caret offset nearest to cell ``x``; on a wide glyph its nearer side."""
        for glyph in self.glyphs:
            if x < glyph.x + max(1, (glyph.width + 1) // 2):
                return glyph.offset
        last = self.glyphs[-1].offset if self.glyphs else self.start
        # Behind the last glyph of a wrapped row the caret would be drawn on the next row.
        return self.end if self.breaks else last


class Layout:
    """The rows of one text at one width. Immutable; cheap to make again, since lines are cached."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self.rows = rows

    def row_of(self, offset: int) -> int:
        """Index of the row on which a caret at ``offset`` is drawn."""
        for index, row in enumerate(self.rows):
            if offset < row.end or (offset == row.end and row.breaks):
                return index
        return len(self.rows) - 1

    def caret(self, offset: int) -> tuple[int, int]:
        """``(x, y)`` in cells of a caret at ``offset``."""
        y = self.row_of(offset)
        return self.rows[y].x_of(offset), y

    def offset_at(self, x: int, y: int) -> int:
        """The caret offset for a cell; rows beyond either end are clamped."""
        return self.rows[max(0, min(y, len(self.rows) - 1))].offset_at(x)


class LayoutEngine:
    """Lays text out for one way of fitting emoji; remembers the lines it has seen."""

    def __init__(self, fit_text: Callable[[str], str]) -> None:
        self._fit_text = fit_text
        self._line = lru_cache(512)(self._lay_line)

    def lay(self, text: str, width: int) -> Layout:
        """Rows of ``text`` at most ``width`` cells wide (one cell of the width is left for the caret)."""
        rows: list[Row] = []
        start = 0
        for line in text.split("\n"):
            for row in self._line(line, max(2, width - 1)):
                glyphs = tuple(Glyph(g.offset + start, g.drawn, g.x, g.width) for g in row.glyphs)
                rows.append(Row(row.start + start, row.end + start, glyphs, row.breaks))
            start += len(line) + 1
        return Layout(tuple(rows))

    def _lay_line(self, line: str, width: int) -> tuple[Row, ...]:
        pieces = self._pieces(line)
        rows: list[Row] = []
        first = 0
        while first < len(pieces) or not rows:
            last = _row_end(pieces, first, width)
            glyphs: list[Glyph] = []
            x = 0
            for offset, drawn, cells in pieces[first:last]:
                glyphs.append(Glyph(offset, drawn, x, cells))
                x += cells
            start = pieces[first][0] if first < len(pieces) else len(line)
            end = pieces[last][0] if last < len(pieces) else len(line)
            rows.append(Row(start, end, tuple(glyphs), breaks=last >= len(pieces)))
            first = last
            if last >= len(pieces):
                break
        return tuple(rows)

    def _pieces(self, line: str) -> list[tuple[int, str, int]]:
        pieces: list[tuple[int, str, int]] = []
        offset = 0
        for cluster in clusters(line):
            drawn = TAB if cluster == "\t" else self._fit_text(cluster)
            pieces.append((offset, drawn, cell_len(drawn)))
            offset += len(cluster)
        return pieces


def _row_end(pieces: list[tuple[int, str, int]], first: int, width: int) -> int:
    """Index behind the last piece of the row that begins at ``first``: after a blank where there is one."""
    x = 0
    blank = -1
    for index in range(first, len(pieces)):
        _, drawn, cells = pieces[index]
        if x + cells > width:
            if drawn.isspace():
                return index + 1  # a blank may hang over the edge; it is not seen
            return blank if blank > first else max(index, first + 1)
        x += cells
        if drawn.isspace():
            blank = index + 1
    return len(pieces)
