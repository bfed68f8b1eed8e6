"""A widget of a few lines that draws itself and grows and shrinks with what it has to show."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.terminal.graphemes import crop
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import filtered

Row = list[tuple[str, str]]
"""Pieces of text, each with the name of its style (empty: plain)."""


class RowsWidget(Widget):
    """``rows`` gives the lines for a width; the widget takes no room where there are none."""

    BLOCK: ClassVar[str] = ""
    """The prefix of its component classes."""

    def __init__(self, fitter: Fitter) -> None:
        super().__init__()
        self.fitter = fitter

    def rows(self, width: int) -> list[Row]:
        """Hook: what to show; a row that is too wide is cut."""
        del width
        return []

    def fit(self) -> None:
        """Take as many lines as there are to show, and show them."""
        rows = len(self.rows(self.size.width or 80))
        self.display = bool(rows)
        if rows and self.styles.height != rows:
            self.styles.height = rows
        self.refresh()

    def on_resize(self) -> None:
        """Another width may need other lines."""
        self.fit()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines, drawn without the styles cache."""
        width, base = self.size.width, self.rich_style
        drawn = [self._strip(row, width, base) for row in self.rows(width)[: crop.bottom]]
        drawn += [Strip.blank(width, base)] * max(0, crop.bottom - len(drawn))
        return filtered(self, [line.crop(crop.x, crop.right) for line in drawn[crop.y : crop.bottom]])

    def _strip(self, row: Row, width: int, base: Style) -> Strip:
        segments: list[Segment] = []
        room = width
        for text, name in row:
            piece = crop(text, room, ellipsis="…")
            style = self.get_component_rich_style(f"{self.BLOCK}--{name}") if name else base
            segments.append(Segment(piece, style))
            room -= segments[-1].cell_length
            if piece != text:
                break
        return Strip(segments).adjust_cell_length(width, base)
