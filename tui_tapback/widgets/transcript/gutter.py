"""The scroll bar's column: the thumb, and ticks where there are reactions and hits of a search."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

from textual.strip import Strip

from ..markdown import Run
from .overlay import overlay
from .painter import Surface
from .sheet import Sheet


def draw_gutter(lines: list[Strip], surface: Surface, sheet: Sheet, hits: Sequence[int]) -> None:
    """Draw the last column of ``lines``; nothing where everything is in the window."""
    height = len(lines)
    top, total = sheet.extent
    if total <= height:
        return
    palette, x = surface.palette, surface.width - 1
    size = max(1, int(height * height / total))
    room = total - height
    start = min(height - size, round(min(top, room) * (height - size) / room))
    signs: dict[int, Run] = dict.fromkeys(range(start, start + size), ("▐", palette.thumb))
    for row in tick_rows(sheet.roll.reacted, sheet, total, height):
        signs[row] = ("█" if row in range(start, start + size) else "•", palette.user)
    for row in tick_rows(hits, sheet, total, height):
        signs[row] = ("━", palette.chip)
    patches = {run: surface.patch([run]) for run in set(signs.values())}
    for row, run in signs.items():
        lines[row] = overlay(lines[row], x, patches[run])


def tick_rows(indexes: Sequence[int], sheet: Sheet, total: float, height: int) -> set[int]:
    """The rows of the bar in which some of the held messages begin; at most one look-up for each row."""
    heights = sheet.window.heights
    before = sheet.older * heights.total / len(heights)
    if len(indexes) <= height:
        return {min(height - 1, int((before + heights.above(index)) * height / total)) for index in indexes}
    found: set[int] = set()
    first = 0
    for row in range(height):
        end = (row + 1) * total / height - before
        if end <= 0:
            continue
        last = (
            heights.at(max(0, math.ceil(end) - 1))[0] + 1
        )  # behind the last that begins above the row's end
        place = bisect_left(indexes, first)
        if place < len(indexes) and indexes[place] < last:
            found.add(row)
        first = last
    return found
