"""The screen on which a person chooses the quick reactions, for one session or for all, with a preview."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.binding import BindingType
from textual.widgets import OptionList

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.keyed import keymap_of
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.client import tapback_memory as memory
from tui_tapback.client.state import ClientState
from tui_tapback.client.tapback_memory import GLOBAL
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.messages import Message
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _, mark

from .panel import Panel
from .tapping import TappingScreen

EXAMPLE: Final = mark("happy birthday!")
"""A message for which the learned seventh is shown."""
QUIET = 0.2
"""Seconds without a move until the next pill is thought of."""
_ACTS: Final = (
    ("list_choose", mark("changes")),
    ("quick_down,quick_up", mark("move")),
    ("quick_scope", mark("scope")),
    ("quick_defaults", mark("defaults")),
    ("list_close", ""),
)


def exchanged(quick: tuple[str, ...], place: int, emoji: str) -> tuple[str, ...]:
    """``quick`` with ``emoji`` at ``place``; where it stood already the two change places."""
    found = list(quick)
    if emoji in quick:
        found[quick.index(emoji)] = quick[place]
    found[place] = emoji
    return tuple(found)


def moved(quick: tuple[str, ...], place: int, delta: int) -> tuple[tuple[str, ...], int]:
    """``quick`` with the one at ``place`` moved up or down, and where it stands then."""
    target = min(max(place + delta, 0), len(quick) - 1)
    found = list(quick)
    found[place], found[target] = found[target], found[place]
    return tuple(found), target


class QuickPanel(Panel[None]):
    """Each change holds at once. Enter asks for an emoji by itself or by its name."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Group.QUICK)]
    place_in = Context.QUICK

    def __init__(
        self, preferences: Callable[[], Preferences], session_id: str | None, changed: Callable[[], None]
    ) -> None:
        super().__init__(
            _("Quick reactions"),
            _ACTS,
            asks=_("An emoji or its name, then Enter"),
            most=60,
        )
        self._now = preferences
        self._session_id = session_id
        self._changed = changed
        own = session_id is not None and session_id in self._preferences.memory.now.quick
        self._only_here = own
        self._trouble = ""

    @property
    def _preferences(self) -> Preferences:
        return self._now()

    @property
    def _scope(self) -> str:
        return self._session_id or GLOBAL if self._only_here else GLOBAL

    @property
    def _quick(self) -> tuple[str, ...]:
        return self._preferences.quick_of(self._session_id if self._only_here else None)

    def lay_out(self) -> None:
        """A preview of the pill, then a line for each key."""
        fit, quick = self._preferences.fitter.fit_text, self._quick
        seventh = self._preferences.seventh(_(EXAMPLE), self._session_id if self._only_here else None)
        preview = "  ".join([*quick, *([seventh] if seventh else []), "+"])
        here, everywhere = (
            _("This session only ({key}: all sessions)."),
            _("All sessions ({key}: only this)."),
        )
        where = (here if self._only_here else everywhere).format(key=keymap_of(self).way("quick_scope"))
        learned = _("7 is learned: it fits the message. On “{example}”: {emoji}").format(
            example=_(EXAMPLE), emoji=seventh or _("none")
        )
        name = load_catalogue(self._preferences.locale).name
        lines = [
            Text.assemble((f"{number}  ", "bold"), fit(emoji), (f"  {name(emoji)}", "dim"))
            for number, emoji in enumerate(quick, 1)
        ]
        self.lay(fit(f"{where}\n\n   {preview}\n"), lines, fit(self._trouble or learned))

    def _choose(self, quick: tuple[str, ...] | None) -> None:
        desk = self._preferences.desk
        here = self._only_here or desk is None
        self._trouble = ""
        try:
            if not here and desk is not None:
                desk().change("quick_reactions", quick)  # for all sessions: a setting like others
        except TapbackError as error:
            self._trouble = clean_line(error.sentence(), 200)
        else:
            kept = quick if here else None
            self._preferences.memory.change(memory.quick_chosen(self._scope, kept))
        self._changed()
        self.lay_out()

    def chosen(self, place: int) -> None:
        """Ask for another emoji in that place."""
        del place
        self.begin_typing()

    def typed(self, text: str, place: int) -> None:
        """Another emoji in that place, by itself or by its name."""
        from tui_tapback.emoji.resolve import resolve  # with the search: not at the start

        try:
            emoji = self._preferences.habits.form(resolve(text.strip(":")))
        except TapbackError as error:
            self._trouble = clean_line(error.sentence(), 200)
        else:
            self._choose(exchanged(self._quick, place, emoji))

    def action_shift(self, delta: int) -> None:
        """Move the one under the cursor."""
        if self.place is None:
            return
        quick, place = moved(self._quick, self.place, delta)
        self._choose(quick)
        self.query_one(OptionList).highlighted = place

    def action_scope(self) -> None:
        """This session, or all."""
        if self._session_id is None:
            self._trouble = _("This chat has not begun yet: these are for all sessions.")
        else:
            self._only_here = not self._only_here
        self.lay_out()

    def action_defaults(self) -> None:
        """What was chosen here counts no more."""
        self._choose(None)


class QuickPart(TappingScreen):
    """Gives the transcript the quick reactions of its session, and the seventh that fits a message.

    What the messages say on which the pill may open next is understood while nobody presses a key.
    """

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._quick_of: str | None = None
        self._newest: Message | None = None
        self._ahead: asyncio.TimerHandle | None = None

    def on_mount(self) -> None:
        """The seventh is none of the six of the session."""
        self.query_one(Transcript).suggest = lambda text: self.preferences.seventh(
            text, self.chat.state.session_id
        )

    def show_state(self, state: ClientState) -> None:
        """Another session may have other ones."""
        if state.session_id != self._quick_of:
            self._quick_of = state.session_id
            self._tones_changed()
        super().show_state(state)
        newest = state.messages[-1] if state.messages else None
        if newest is not self._newest:
            self._newest = newest
            self._think_ahead()

    def on_transcript_selection_changed(self) -> None:
        """The pill may be next."""
        self._think_ahead()

    def _think_ahead(self) -> None:
        """Once nothing has moved for a moment; a handle of the loop costs a key less than a timer's task."""
        if self._ahead is not None:
            self._ahead.cancel()
        self._ahead = asyncio.get_running_loop().call_later(QUIET, self._understand)

    def _understand(self) -> None:
        if not self.is_running or not self.is_attached:
            return
        selected = self.message(self.query_one(Transcript).selected or "")
        texts = [selected.text] if selected is not None else []
        with suppress(TapbackError):  # no answer yet
            texts.append(self.reactor.answer().text)
        loop = asyncio.get_running_loop()
        understood = loop.run_in_executor(
            None, self.preferences.habits.understand, texts, self.preferences.locale
        )
        understood.add_done_callback(lambda _: self._choose_ahead(texts))

    def _choose_ahead(self, texts: Sequence[str]) -> None:
        for text in texts:
            self.preferences.seventh(text, self.chat.state.session_id)

    def _tones_changed(self) -> None:
        super()._tones_changed()
        self.query_one(Transcript).quick = self.preferences.quick_of(self.chat.state.session_id)

    def action_quick_reactions(self) -> None:
        """The screen of the quick reactions."""
        self.open_quick(lambda: None)

    def open_quick(self, done: Callable[[], None]) -> None:
        """The same; ``done`` is called when it has closed."""
        session_id = self.chat.state.session_id
        panel = QuickPanel(lambda: self.preferences, session_id, self._tones_changed)
        app_of(self).push_screen(panel, lambda _: done())
