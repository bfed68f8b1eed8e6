"""The scroll bar's column: the thumb, and ticks where there are reactions and hits of a search."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from textual.strip import Strip

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
    if not sheet.older and not sheet.newer and not hits and not sheet.roll.reacted:
        thumb = surface.patch([("▐", palette.thumb)])
        for row in range(start, start + size):
            lines[row] = overlay(lines[row], x, thumb)
        return
    first = 0
    for row in range(height):
        last = sheet.at_fraction((row + 1) / height - 1e-9) + 1  # a message has its tick where it begins
        inside = start <= row < start + size
        if _any(hits, first, last):
            sign, style = "━", palette.chip
        elif _any(sheet.roll.reacted, first, last):
            sign, style = "█" if inside else "•", palette.user
        else:
            sign, style = "▐" if inside else "", palette.thumb
        first = max(first, last)
        if sign:
            lines[row] = overlay(lines[row], x, surface.patch([(sign, style)]))


def _any(ascending: Sequence[int], first: int, last: int) -> bool:
    """Whether one of the numbers is at least ``first`` and below ``last``."""
    place = bisect_left(ascending, first)
    return place < len(ascending) and ascending[place] < last
