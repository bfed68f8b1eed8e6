"""Gives cells of finished lines another style: hits of a search, and text that is selected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from .lean import LeanStrip
from .overlay import cut
from .painter import Block
from .sheet import Place


def restyled(strip: Strip, start: int, stop: int, style: Style) -> Strip:
    """The strip with ``style`` added between two cells."""
    width = strip.cell_length
    start, stop = max(0, start), min(width, stop)
    if start >= stop:
        return strip
    return LeanStrip(
        [
            *cut(strip, 0, start),
            *(Segment(text, (own or Style.null()) + style) for text, own, _ in cut(strip, start, stop)),
            *cut(strip, stop, width),
        ],
        width,
    )


def in_view(places: Sequence[Place]) -> Iterator[tuple[int, Block]]:
    """The blocks in the window, each with the line on which its first strip stands (or would, above)."""
    last: Block | None = None
    for y, (block, row) in enumerate(places):
        if block is not last:
            last = block
            yield y - row, block


def mark(lines: list[Strip], top: int, block: Block, span: tuple[int, int], style: Style) -> None:
    """Restyle the cells of some characters of a block whose first strip is line ``top``."""
    for row, first, last in block.cells_of(*span):
        if 0 <= top + row < len(lines):
            lines[top + row] = restyled(lines[top + row], first, last, style)
