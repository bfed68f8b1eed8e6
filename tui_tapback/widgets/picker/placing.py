"""Where a floating box goes: beside what it belongs to, and always whole on the screen."""

from __future__ import annotations

from typing import Final

from textual.geometry import Region, Size

ENOUGH: Final = Size(24, 12)
"""A place that is smaller is left for the whole screen."""


def place(size: Size, anchor: Region | None, screen: Size, within: Region | None = None) -> Region:
    """A region of ``size`` (shrunk to the area) below ``anchor``, else above it, else over it.

    The area is ``within``, a part of the screen that is to be preferred, if there is room in it, else the
    screen. The box is shifted sideways and up until all of it is in the area. Without an anchor it stands
    in the middle of the lower half.
    """
    area = screen.region if within is None else within.intersection(screen.region)
    if area.width < ENOUGH.width or area.height < ENOUGH.height:
        area = screen.region
    moved = None if anchor is None else anchor.translate(-area.offset)
    return _placed(size, moved, area.size).translate(area.offset)


def _placed(size: Size, anchor: Region | None, screen: Size) -> Region:
    width, height = min(size.width, screen.width), min(size.height, screen.height)
    if anchor is None:
        x, y = (screen.width - width) // 2, screen.height - height - (screen.height - height) // 3
    else:
        x = anchor.x
        if anchor.bottom + height <= screen.height:
            y = anchor.bottom
        elif anchor.y - height >= 0:
            y = anchor.y - height
        else:
            # A tall anchor holds the box at its foot; a low one with no room on either side is covered.
            y = anchor.bottom - height if anchor.height >= height else anchor.bottom
    return Region(max(0, min(x, screen.width - width)), max(0, min(y, screen.height - height)), width, height)
