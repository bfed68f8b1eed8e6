"""Writes a canvas's rows straight to the terminal where nothing lies over them, scrolling what only moved."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.console import COLOR_SYSTEMS
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip

from ..host import app_of
from .lean import lean_ansi
from .overlay import cut, differing

if TYPE_CHECKING:
    from textual.widget import Widget

APART: Final = 0.004
"""Seconds between two such frames; a burst of wheel turns is left to Textual, which draws them as one."""
HAND_OVER: Final = 0.00005
"""Seconds of sleep after a frame, in which Textual's thread writes it. Without it Python lets that thread
wait until the loop has nothing left to do, a millisecond later where a key has consequences."""
WORTH: Final = 4
"""Rows that must stay on the screen for it to pay to let the terminal move them."""


class DirectFrames:
    """The short way from a widget's rows to the screen, past the compositor.

    It is taken where the compositor would do the same with more work: the widget is wholly visible and
    nothing is over it, no part of the screen waits to be drawn, and the terminal shows what it had last.
    Textual's own way is always right, and is taken everywhere else. ``apart``: seconds between two frames.
    """

    def __init__(self, widget: Widget, *, apart: float = APART) -> None:
        self._widget = widget
        self.apart = apart
        self._visible: object = None  # the compositor's map for which the next was found out
        self._region: Region | None = None
        self._last = 0.0
        self.frames = 0  # written so far: for tests and for the curious

    def write(self, before: Sequence[Strip], now: Sequence[Strip], shift: int) -> bool:
        """Draw ``now`` where the terminal shows ``before``; False where that must be left to Textual.

        ``shift`` tells by how many rows up what was there has moved (down if negative, 0 for not at all).
        """
        region = self._clear_region()
        moment = time.monotonic()
        if region is None or region.height != len(now) or moment - self._last < self.apart:
            return False
        app = app_of(self._widget)
        if region.width != app.size.width or len(now) - abs(shift) < WORTH:
            shift = 0  # a terminal moves whole rows only
        system = COLOR_SYSTEMS[app.console.color_system or "truecolor"]
        parts = [*_moved(region, shift), *_drawn(region, shifted(before, shift), now, system)]
        if parts:
            self._send(app, "".join(parts))
            self._last = moment
            self.frames += 1
        return True

    def _send(self, app: App[object], frame: str) -> None:
        x, y = app.screen.outer_size.clamp_offset(app.cursor_position)
        begin, end = ("\x1b[?2026h", "\x1b[?2026l") if app._sync_available else ("", "")  # pyright: ignore[reportPrivateUsage] -- what the terminal has answered is told nowhere else
        driver = app._driver  # pyright: ignore[reportPrivateUsage] -- the app's only way out
        if driver is not None:
            driver.write(f"{begin}{frame}\x1b[{y + 1};{x + 1}H{end}")  # one piece: it is flushed at once
            driver.flush()
            time.sleep(HAND_OVER)
        app.post_display_hook()

    def _clear_region(self) -> Region | None:
        """Where the widget is on the screen, None while Textual has to draw it."""
        widget = self._widget
        if sys.platform == "win32" or not widget.is_mounted or not widget.screen.is_current:
            return None
        app = app_of(widget)
        screen = widget.screen
        driver = app._driver  # pyright: ignore[reportPrivateUsage] -- as above
        if driver is None or app.is_headless or driver.is_inline or app._batch_count:  # pyright: ignore[reportPrivateUsage] -- a batch must be drawn as one
            return None
        compositor = screen._compositor  # pyright: ignore[reportPrivateUsage] -- there is no public way to what lies over what
        waiting = (
            widget._repaint_regions or compositor._dirty_regions or screen._layout_required  # pyright: ignore[reportPrivateUsage] -- the terminal may show something else then
        )
        if waiting:
            return None
        visible = compositor.visible_widgets
        if visible is not self._visible:
            self._visible, self._region = visible, alone(widget, visible)
        return self._region


def alone(widget: Widget, visible: Mapping[Widget, tuple[Region, Region]]) -> Region | None:
    """The region of a widget that is wholly visible and under nothing else, else None."""
    if widget not in visible:
        return None
    region, clip = visible[widget]
    if clip.intersection(region) != region:
        return None
    beneath = set(widget.ancestors)
    for other, (place, cut_to) in visible.items():
        if other is not widget and other not in beneath and cut_to.intersection(place).overlaps(region):
            return None
    return region


def shift_of(before: Sequence[Strip], now: Sequence[Strip]) -> int:
    """By how many rows up the very same strips stand further than before; 0 where too few have moved."""
    places: dict[int, int] = {}
    twice: set[int] = set()
    for row, strip in enumerate(before):
        if places.setdefault(id(strip), row) != row:
            twice.add(id(strip))  # such as blank rows, which tell nothing
    moves = Counter(
        places[id(strip)] - row
        for row, strip in enumerate(now)
        if id(strip) in places and id(strip) not in twice
    )
    shift, count = moves.most_common(1)[0] if moves else (0, 0)
    return shift if count >= WORTH and count > len(now) // 4 else 0


def shifted(before: Sequence[Strip], shift: int) -> list[Strip | None]:
    """What the terminal shows after it has moved ``before``; None for the rows that came in."""
    rows = range(len(before))
    return [before[row + shift] if row + shift in rows else None for row in rows]


def _moved(region: Region, shift: int) -> list[str]:
    """Have the terminal move its rows: only those of the region, which are told to it as its margins."""
    if not shift:
        return []
    first, last = region.y + 1, region.bottom
    step = f"\x1b[{last}H" + "\n" * shift if shift > 0 else f"\x1b[{first}H" + "\x1bM" * -shift
    return [f"\x1b[0m\x1b[{first};{last}r", step, "\x1b[r"]


def _drawn(region: Region, before: Sequence[Strip | None], now: Sequence[Strip], system: Any) -> list[str]:
    """What to write for the cells in which ``now`` differs."""
    parts: list[str] = []
    for row, (old, new) in enumerate(zip(before, now, strict=True)):
        if old is new:
            continue
        pieces = [(0, new.cell_length)] if old is None else [] if old == new else differing(old, new)
        for start, stop in pieces:
            parts.append(f"\x1b[{region.y + row + 1};{region.x + start + 1}H")
            segments = new if (start, stop) == (0, new.cell_length) else cut(new, start, stop)
            parts.append(lean_ansi(segments, system))
    return parts
