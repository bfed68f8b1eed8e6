"""Lays one strip over another, cutting the lower one between grapheme clusters."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from tui_tapback.terminal.graphemes import split_cells

from .lean import LeanStrip


def cut(segments: Iterable[Segment], start: int, stop: int) -> list[Segment]:
    """The segments between two cells; a wide cluster that is cut gives way to blanks of its style."""
    kept: list[Segment] = []
    position = 0
    for text, style, _ in segments:
        width = cell_len(text)
        first, last = max(0, start - position), min(width, stop - position)
        position += width
        if first >= last:
            continue
        if (first, last) != (0, width):
            text = split_cells(split_cells(text, last)[0], first)[1]  # noqa: PLW2901 -- the cut piece of it
        kept.append(Segment(text, style))
    return kept


def overlay(under: Strip, x: int, over: Strip) -> Strip:
    """``under`` with ``over`` upon it from cell ``x`` on; as wide as before, and nothing beyond the edges."""
    width = under.cell_length
    start, stop = max(0, x), min(width, x + over.cell_length)
    if start >= stop:
        return under
    return LeanStrip(
        [
            *cut(under, 0, start),
            *(over if stop - start == over.cell_length else cut(over, start - x, stop - x)),
            *cut(under, stop, width),
        ],
        width,
    )


def differing(old: Strip, new: Strip) -> list[tuple[int, int]]:
    """The cells ``(start, stop)`` in which two strips of the same width differ, cut where segments begin.

    One piece, or two where a change stands alone in the last cell: that one is the scroll bar's.
    """
    width = new.cell_length
    before, after = list(old), list(new)
    if old.cell_length != width or not before or not after:
        return [(0, width)]
    bar = before[-1] != after[-1] and cell_len(before[-1].text) == cell_len(after[-1].text) == 1
    if bar:
        before, after = before[:-1], after[:-1]
    shared = min(len(before), len(after))
    head = next((at for at in range(shared) if before[at] != after[at]), shared)
    if bar and head == len(before) == len(after):
        return [(width - 1, width)]
    tail = 0
    while tail < shared - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    start = sum(cell_len(segment.text) for segment in after[:head])
    behind = sum(cell_len(segment.text) for segment in after[len(after) - tail :])
    pieces = [(start, width - bar - behind)]
    return [*pieces, (width - 1, width)] if bar else pieces
