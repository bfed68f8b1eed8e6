"""The list of gateways: each with how its link stands; choosing one brings its chat to the front."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui_tapback.app.connections import Gateway
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.text import clean_line

EVERY = 0.5
"""Seconds between two looks at the links."""


def standing(state: ClientState | None) -> str:
    """How a link stands, in a few words; None: not opened in this run."""
    if state is None:
        return "not connected"
    words = {
        Phase.CONNECTING: "connecting…",
        Phase.ONLINE: "online",
        Phase.RECONNECTING: "reconnecting…",
        Phase.OFFLINE: "offline",
        Phase.REFUSED: "refused",
        Phase.CLOSED: "closed",
    }[state.connection.phase]
    busy = ", the agent works" if state.running else ""
    asked = ", asks something" if state.questions else ""
    waiting = f", {state.waiting} waiting" if state.waiting else ""
    detail = (
        f": {clean_line(state.connection.detail, 120)}" if state.connection.phase is Phase.REFUSED else ""
    )
    return words + busy + asked + waiting + detail


class ConnectionsScreen(ModalScreen[str | None]):
    """Dismisses with the name that was chosen. ``states`` gives the opened ones by name, at any time."""

    DEFAULT_CSS = """
    ConnectionsScreen { align: center middle; background: $background 60%; }
    ConnectionsScreen > Vertical {
        width: 90%; max-width: 84; height: auto; max-height: 90%;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%; padding: 0 1;
    }
    ConnectionsScreen OptionList, ConnectionsScreen OptionList:focus {
        border: none; background: transparent; background-tint: transparent 0%; padding: 0;
        height: auto; max-height: 20; scrollbar-size-vertical: 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f2,ctrl+c", "leave", show=False),
        Binding("j", "cursor(1)", show=False),
        Binding("k", "cursor(-1)", show=False),
    ]

    def __init__(
        self,
        gateways: tuple[Gateway, ...],
        current: str,
        states: Callable[[], Mapping[str, ClientState]],
    ) -> None:
        super().__init__()
        self._gateways = gateways
        self._current = current
        self._states = states
        self._shown: list[str] = []

    def compose(self) -> ComposeResult:
        """One list."""
        with Vertical() as frame:
            frame.border_title = "Connections"
            frame.border_subtitle = "Enter goes there · Esc closes"
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """The one on screen has the cursor; links change while one looks."""
        listing = self.query_one(OptionList)
        listing.add_options(Option(self._line(gateway)) for gateway in self._gateways)
        names = [gateway.name for gateway in self._gateways]
        listing.highlighted = names.index(self._current) if self._current in names else 0
        self.set_interval(EVERY, self._look)

    def _look(self) -> None:
        listing = self.query_one(OptionList)
        for place, gateway in enumerate(self._gateways):
            listing.replace_option_prompt_at_index(place, self._line(gateway))

    def _line(self, gateway: Gateway) -> Text:
        here = "● " if gateway.name == self._current else "  "
        line = Text(here, no_wrap=True, overflow="ellipsis")
        line.append(clean_line(gateway.shown, 60), style="bold")
        line.append(f"  {standing(self._states().get(gateway.name))}")
        return (
            line.append(f"\n  {clean_line(gateway.address, 120)}", style="dim") if gateway.address else line
        )

    def action_cursor(self, step: int) -> None:
        """Move with j and k as well."""
        listing = self.query_one(OptionList)
        if step > 0:
            listing.action_cursor_down()
        else:
            listing.action_cursor_up()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click."""
        event.stop()
        self.dismiss(self._gateways[event.option_index].name)

    def action_leave(self) -> None:
        """Back to the chat."""
        self.dismiss(None)
