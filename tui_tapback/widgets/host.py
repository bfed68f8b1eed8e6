"""The app and the screen of a widget, with types that strict checking knows (Textual leaves them open)."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen
    from textual.signal import Signal
    from textual.widget import Widget

_app = attrgetter("app")
_layouts = attrgetter("screen.screen_layout_refresh_signal")


def app_of(widget: Widget) -> App[object]:
    """The running app of a mounted widget; raises ``NoActiveAppError`` for one that is not."""
    return cast("App[object]", _app(widget))


def layouts_of(widget: Widget) -> Signal[Screen[object]]:
    """Tells, after each layout of the screen of a mounted widget, that there was one."""
    return cast("Signal[Screen[object]]", _layouts(widget))
