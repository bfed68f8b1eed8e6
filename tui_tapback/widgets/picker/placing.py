"""Where a floating box goes: beside what it belongs to, and always whole on the screen."""

from __future__ import annotations

from textual.geometry import Region, Size


def place(size: Size, anchor: Region | None, screen: Size) -> Region:
    """A region of ``size`` (shrunk to the screen) below ``anchor``, else above it, else over it.

    It is shifted sideways and up until all of it is on the screen. Without an anchor it stands in the
    middle of the lower half.
    """
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
