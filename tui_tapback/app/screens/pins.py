"""Pinned messages of all sessions, kept on this machine: pinning, the list, and the jump to one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.binding import BindingType

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.keyed import keymap_of
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.tapbacks.who import moment
from tui_tapback.client import tapback_memory as memory
from tui_tapback.client.state import ClientState
from tui_tapback.client.tapback_memory import Pin, TapbackMemory
from tui_tapback.domain.errors import RowNotFound
from tui_tapback.domain.text import clean_line
from tui_tapback.export.bare import bare_line
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _, mark

from .panel import Panel
from .tapping import TappingScreen

QUOTE = 80
"""Characters of a pinned message that the list keeps."""
_ACTS: Final = (
    ("list_choose", mark("goes there")),
    ("pin_off", mark("takes the pin off")),
    ("list_close", ""),
)


class PinsPanel(Panel[Pin]):
    """The pins, newest first. Dismisses with the one to go to."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Group.PINS)]
    place_in = Context.PINS

    def __init__(
        self, kept: TapbackMemory, here: str | None, told: Callable[[float], str], fit: Callable[[str], str]
    ) -> None:
        super().__init__(_("Pinned messages"), _ACTS)
        self._kept = kept
        self._here = here
        self._told = told
        self._fit = fit

    @property
    def _pins(self) -> list[Pin]:
        return list(reversed(self._kept.now.pins))

    def lay_out(self) -> None:
        """One line for each."""
        pins = self._pins
        none = _("Nothing is pinned yet. {key} on a message offers it.")
        words = "" if pins else none.format(key=keymap_of(self).way("message_menu"))
        self.lay(words, [self._line(pin) for pin in pins])

    def _line(self, pin: Pin) -> Text:
        where = "" if pin.session_id == self._here else _("another chat · ")
        return Text.assemble(
            self._fit(clean_line(pin.quote, QUOTE)) or _("a message"),
            (f"  {where}{self._told(pin.at)}", "dim"),
        )

    def chosen(self, place: int) -> None:
        """Go there."""
        self.dismiss(self._pins[place])

    def action_unpin(self) -> None:
        """Take the pin under the cursor off."""
        if self.place is not None:
            self._kept.change(memory.unpinned(self._pins[self.place]))
            self.lay_out()


class PinPart(TappingScreen):
    """A message that is pinned is found again by its row, also in another session."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._goal: Pin | None = None

    def pin(self, key: str) -> None:
        """Pin a message. Raises RowNotFound where it has no row yet."""
        message, session_id = self.message(key), self.chat.state.session_id
        if message is None or message.row_id is None or session_id is None:
            raise RowNotFound(_("That message is not stored yet."), hint=_("Wait a moment."))
        quote = bare_line(message, QUOTE)
        pin = Pin(session_id, message.row_id, quote, self.clock())
        self.preferences.memory.change(memory.pinned(pin))
        self.tell(_("Pinned. /pins lists them."))

    def action_pins(self) -> None:
        """The list of pinned messages."""
        self.preferences.memory.refresh()  # another program may have pinned
        zone, now = self.preferences.zone, self.clock()
        panel = PinsPanel(
            self.preferences.memory,
            self.chat.state.session_id,
            lambda at: moment(at, now, zone),
            self.preferences.fitter.fit_text,
        )
        app_of(self).push_screen(panel, self._go_to_pin)

    def _go_to_pin(self, pin: Pin | None) -> None:
        if pin is None:
            return
        self._goal = pin
        if pin.session_id != self.chat.state.session_id:
            self.later(self.chat.open_session(pin.session_id))
        self.show_state(self.chat.state)

    def show_state(self, state: ClientState) -> None:
        """Arrive where a pin leads, as soon as that session is read."""
        super().show_state(state)
        goal = self._goal
        if goal is None or state.session_id != goal.session_id or state.loading or not state.messages:
            return
        self._goal = None
        self.later(self._arrive(goal))

    async def _arrive(self, pin: Pin) -> None:
        state = self.chat.state
        key = next((m.key for m in state.messages if m.row_id == pin.row_id), None)
        if key is None and (state.has_older or state.has_newer):
            key = await self.chat.history.load_around(pin.row_id)
            self.show_state(self.chat.state)
        if key is None:
            raise RowNotFound(_("That message is no longer in this chat."))
        transcript = self.query_one(Transcript)
        self.set_focus(transcript)
        transcript.select(key)
