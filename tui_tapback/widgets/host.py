"""The app that a widget lives in, with a type that strict checking knows (Textual leaves its own open)."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from textual.app import App
    from textual.widget import Widget

_app = attrgetter("app")


def app_of(widget: Widget) -> App[object]:
    """The running app of a mounted widget; raises ``NoActiveAppError`` for one that is not."""
    return cast("App[object]", _app(widget))
