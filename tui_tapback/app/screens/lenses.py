"""Showing only the messages with certain tapbacks: the list of lenses, and the view through one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.binding import BindingType

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings, closing
from tui_tapback.app.keyed import keymap_of
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.tapbacks.lenses import Lens, LensView, choices, shown
from tui_tapback.client import tapback_memory as memory
from tui_tapback.client.state import ClientState
from tui_tapback.client.tapback_memory import KeptLens, TapbackMemory
from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.statusbar import StatusLine
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _, mark, plural

from .panel import Panel
from .tapping import TappingScreen

NAME = 30
"""Characters of a lens's name."""
_ACTS: Final = (
    ("list_choose", mark("shows")),
    ("lens_whose", mark("whose")),
    ("lens_name", mark("names")),
    ("lens_drop", mark("drops")),
    ("list_close", ""),
)
_AUTHORS: tuple[Author | None, ...] = (None, Author.USER, Author.AGENT)


class LensPanel(Panel[Lens]):
    """Kept lenses first, then those that show something here. Dismisses with the one to look through."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Group.LENSES),
        closing("lens"),
    ]
    place_in = Context.LENSES

    def __init__(
        self, messages: Sequence[Message], kept: TapbackMemory, fit: Callable[[str], str], *, partly: bool
    ) -> None:
        super().__init__(
            _("Show only"),
            _ACTS,
            asks=_("A name for this lens"),
            most=NAME,
        )
        self._messages = messages
        self._kept = kept
        self._fit = fit
        self._partly = partly
        self._author: Author | None = None
        self._lenses: list[tuple[Lens, str]] = []

    def lay_out(self) -> None:
        """Each lens with the number of messages that it lets through."""
        kept = [(_lens(each), each.name) for each in self._kept.now.lenses]
        others = [(self._narrowed(lens), "") for lens, _ in choices(self._messages)]
        known = {lens for lens, _ in kept}
        seen: set[Lens] = set()
        self._lenses = kept
        for lens, name in others:
            if lens not in known and lens not in seen and shown(lens, self._messages):
                seen.add(lens)
                self._lenses.append((lens, name))
        whose = {None: _("anybody"), Author.USER: _("you"), Author.AGENT: _("the agent")}[self._author]
        words = (
            _("Tapbacks of {whose} ({key} changes).").format(
                whose=whose, key=keymap_of(self).way("lens_whose")
            )
            if self._lenses
            else _("Nobody has tapped back here yet.")
        )
        aside = _("Only what is loaded of this chat is looked through.") if self._partly else ""
        self.lay(words, [self._line(lens, name) for lens, name in self._lenses], aside)

    def _narrowed(self, lens: Lens) -> Lens:
        return replace(lens, author=self._author) if self._author is not None else lens

    def _line(self, lens: Lens, name: str) -> Text:
        count = len(shown(lens, self._messages))
        told = plural("{count} message", "{count} messages", count).format(count=count)
        label = Text(self._fit(clean_line(name or lens.label, 60)), style="bold" if name else "")
        if name:
            label.append(self._fit(f"  {lens.label}"), style="dim")
        return label.append(f"  {told}", style="dim")

    def chosen(self, place: int) -> None:
        """Look through it."""
        self.dismiss(self._lenses[place][0])

    def action_author(self) -> None:
        """Everybody's tapbacks, one's own, the agent's."""
        self._author = _AUTHORS[(_AUTHORS.index(self._author) + 1) % len(_AUTHORS)]
        self.lay_out()

    def action_name(self) -> None:
        """Keep the lens under the cursor."""
        if self.place is not None:
            self.begin_typing(self._lenses[self.place][0].label)

    def typed(self, text: str, place: int) -> None:
        """The name under which it is kept."""
        lens = self._lenses[place][0]
        kept = KeptLens(clean_line(text, NAME), lens.emoji, lens.author, lens.unanswered)
        self._kept.change(memory.lens_kept(kept))

    def action_forget(self) -> None:
        """Drop the kept lens under the cursor."""
        if self.place is not None and (name := self._lenses[self.place][1]):
            self._kept.change(memory.lens_forgotten(name))
            self.lay_out()


def _lens(kept: KeptLens) -> Lens:
    return Lens(kept.emoji, kept.author, kept.unanswered)


class LensPart(TappingScreen):
    """Gives the transcript only what the lens lets through; Esc gives it everything again."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._view: LensView | None = None
        self._viewed: str | None = None

    def action_lens(self) -> None:
        """Choose a lens; where one is up already it is put away."""
        if self._look_freely():
            return
        state = self.chat.state
        fit = self.preferences.fitter.fit_text
        partly = state.has_older or state.has_newer
        panel = LensPanel(state.messages, self.preferences.memory, fit, partly=partly)
        app_of(self).push_screen(panel, self._look_through)

    def _look_through(self, lens: Lens | None) -> None:
        if lens is None:
            return
        self._view, self._viewed = LensView(lens), self.chat.state.session_id
        transcript = self.query_one(Transcript)
        self.set_focus(transcript)
        self.show_state(self.chat.state)
        if not transcript.visible_keys or transcript.selected not in transcript.visible_keys:
            transcript.select_last()

    def _look_freely(self) -> bool:
        """Put the lens away; the selected message stays in view. Tells whether there was one."""
        if self._view is None:
            return False
        self._view = None
        transcript = self.query_one(Transcript)
        selected = transcript.selected
        self.show_state(self.chat.state)
        transcript.select(selected)
        return True

    def leave_something(self) -> bool:
        """Esc puts the lens away."""
        return super().leave_something() or self._look_freely()

    def messages_shown(self, state: ClientState) -> Sequence[Message]:
        """Only what the lens lets through; another session has no lens."""
        if self._view is not None and state.session_id != self._viewed:
            self._view = None
        shown = super().messages_shown(state)
        return shown if self._view is None else self._view.take(shown)

    def adorned(self, line: StatusLine) -> StatusLine:
        """The lens and what it shows stand where else the title is."""
        line = super().adorned(line)
        if self._view is None:
            return line
        count = len(self._view.take(self.chat.state.messages))
        told = _("only {what}: {count}").format(what=self._view.lens.label, count=count)
        return replace(
            line, title=told, model="", hints=((self.keymap.first("escape"), _("show all")), *line.hints)
        )
