"""Lays out a markdown table in the cells there are: columns shrink, cells wrap, bars stay in line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rich.style import Style

from tui_tapback.domain.values import value

from .lines import Line, Run, wrap_runs

Align = Literal["left", "right", "center"]
MIN_COLUMN = 4


@value
class Cell:
    """One cell: its lines of runs and how it is aligned."""

    lines: list[list[Run]]
    align: Align = "left"

    @property
    def natural(self) -> int:
        """Cells it would take unwrapped."""
        return max((Line(line).width for line in self.lines), default=0)


def column_widths(natural: Sequence[int], room: int) -> list[int]:
    """Share ``room`` cells: narrow columns keep what they need, the wide ones share the rest evenly."""
    widths = list(natural)
    while (excess := sum(widths) - room) > 0:
        widest = max(widths)
        if widest <= MIN_COLUMN:
            break
        tall = [index for index, width in enumerate(widths) if width == widest]
        below = max((width for width in widths if width < widest), default=MIN_COLUMN)
        step = min(widest - max(below, MIN_COLUMN), -(-excess // len(tall)))
        for index in tall:
            widths[index] -= max(1, step)
    return widths


def render_table(head: list[Cell], rows: list[list[Cell]], width: int, border: Style) -> list[Line]:
    """The table in at most ``width`` cells; as a list of records where there are too many columns."""
    columns = max((len(row) for row in (head, *rows)), default=0)
    if not columns:
        return []
    bars = 3 * (columns - 1)
    if width < bars + columns * MIN_COLUMN:
        return _records(head, rows, width, border)
    padded = [row + [Cell([[]])] * (columns - len(row)) for row in (head, *rows)]
    natural = [max(1, *(row[index].natural for row in padded)) for index in range(columns)]
    widths = column_widths(natural, width - bars)
    lines = _row(padded[0], widths, border)
    lines.append(Line([("─┼─".join("─" * size for size in widths), border)]))
    for row in padded[1:]:
        lines.extend(_row(row, widths, border))
    return lines


def _row(row: Sequence[Cell], widths: Sequence[int], border: Style) -> list[Line]:
    wrapped = [
        [line for runs in cell.lines for line in wrap_runs(runs, size)]
        for cell, size in zip(row, widths, strict=True)
    ]
    lines: list[Line] = []
    for index in range(max(len(cell) for cell in wrapped)):
        runs: list[Run] = []
        for column, (cell, size) in enumerate(zip(wrapped, widths, strict=True)):
            if column:
                runs.append((" │ ", border))
            line = cell[index] if index < len(cell) else Line([])
            runs.extend(_aligned(line, size, row[column].align))
        lines.append(Line(runs))
    return lines


def _aligned(line: Line, size: int, align: Align) -> list[Run]:
    space = max(0, size - line.width)
    left = {"left": 0, "right": space, "center": space // 2}[align]
    blank = Style.null()
    return [(" " * left, blank), *line.runs, (" " * (space - left), blank)]


def _records(head: list[Cell], rows: list[list[Cell]], width: int, border: Style) -> list[Line]:
    lines: list[Line] = []
    for number, row in enumerate(rows):
        if number:
            lines.append(Line([("┄" * min(width, 12), border)]))
        for index, cell in enumerate(row):
            title = head[index].lines[0] if index < len(head) else []
            first, *rest = cell.lines or [[]]
            lines.extend(wrap_runs([*title, (": ", border), *first], width))
            for runs in rest:
                lines.extend(wrap_runs(runs, width))
    return lines or [line for cell in head for runs in cell.lines for line in wrap_runs(runs, width)]
