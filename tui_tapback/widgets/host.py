"""The app and the screen of a widget, with types that strict checking knows (Textual leaves them open)."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import App
    from textual.screen import Screen
    from textual.signal import Signal
    from textual.strip import Strip
    from textual.widget import Widget

_app = attrgetter("app")
_layouts = attrgetter("screen.screen_layout_refresh_signal")


def app_of(widget: Widget) -> App[object]:
    """The running app of a mounted widget; raises ``NoActiveAppError`` for one that is not."""
    return cast("App[object]", _app(widget))


def layouts_of(widget: Widget) -> Signal[Screen[object]]:
    """Tells, after each layout of the screen of a mounted widget, that there was one."""
    return cast("Signal[Screen[object]]", _layouts(widget))


def filtered(widget: Widget, strips: Iterable[Strip]) -> list[Strip]:
    """Lines of a widget that draws its own, after the app's line filters, which all others pass as well."""
    filters, background = widget.get_line_filters(), widget.background_colors[1]
    drawn: list[Strip] = []
    for strip in strips:
        for line_filter in filters:
            strip = strip.apply_filter(line_filter, background)  # noqa: PLW2901
        drawn.append(strip)
    return drawn
