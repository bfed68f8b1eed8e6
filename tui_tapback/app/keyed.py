"""The keymap in use where a widget is, for all that tells of keys."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from textual.widget import Widget

from tui_tapback.actions.contexts import Context
from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.resolving import standard
from tui_tapback.widgets.host import app_of


@runtime_checkable
class Keyed(Protocol):
    """An app or a screen with a keymap."""

    @property
    def keymap(self) -> Keymap:
        """The one in use."""
        ...


@runtime_checkable
class Placed(Protocol):
    """A window that says which of the places of the action table it is."""

    @property
    def place_in(self) -> Context:
        """The place at this moment."""
        ...


def place_of(widget: Widget) -> Context:
    """The place of the action table that the window of a mounted widget is."""
    screen: object = widget.screen
    return screen.place_in if isinstance(screen, Placed) else Context.LISTS


def keymap_of(widget: Widget) -> Keymap:
    """That of the app of a mounted widget; the default one where it has none."""
    app = app_of(widget)
    return app.keymap if isinstance(app, Keyed) else standard()
