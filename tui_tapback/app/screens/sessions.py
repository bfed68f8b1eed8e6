"""The list of sessions: find, open, name, put away, delete and bring back."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui_tapback.app.actions import Group, bindings
from tui_tapback.app.finding.lines import links, session_line, title_of
from tui_tapback.app.finding.wanted import read_wanted
from tui_tapback.app.ports import Finding
from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.host import app_of

from .confirm import ConfirmScreen

PAUSE: Final = 0.15
"""Seconds without a key before what was typed is looked for."""
ACTS: Final = (
    ("n", "new", "session_new"),
    ("t", "name", "session_name"),
    ("a", "archive", "session_archive"),
    ("d", "delete", "session_delete"),
    ("u", "undo", "session_undo"),
    ("v", "archived", "session_archived"),
    ("/", "find", "session_search"),
)
"""Key, word and action of the line at the foot; a click on one does the same."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the person chose: a session to open (None: a new one), or to branch from."""

    session_id: str | None
    branch: bool = False


class SessionsScreen(ModalScreen[Choice | None]):
    """Dismisses with a ``Choice``, or None when closed.

    ``seen`` is by session until when the person has read it, as far as this machine knows.
    """

    DEFAULT_CSS = """
    SessionsScreen { align: center middle; background: $background 60%; }
    SessionsScreen > Vertical {
        width: 90%; max-width: 84; height: auto; max-height: 90%;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%; padding: 0 1;
    }
    SessionsScreen OptionList, SessionsScreen OptionList:focus {
        border: none; background: transparent; background-tint: transparent 0%; padding: 0;
        height: auto; max-height: 60vh; scrollbar-size-vertical: 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    SessionsScreen OptionList > .option-list--option { padding: 0 1; }
    SessionsScreen OptionList > .option-list--option-highlighted,
    SessionsScreen OptionList:focus > .option-list--option-highlighted {
        background: $primary 25%; color: $foreground; text-style: none;
    }
    SessionsScreen Static { padding: 0 1; height: auto; }
    SessionsScreen #acts { color: $foreground 60%; height: 1; }
    SessionsScreen Input { height: 1; padding: 0 1; background: $panel; }
    SessionsScreen Input, SessionsScreen Input:focus { border: none; }
    SessionsScreen #title { display: none; }
    SessionsScreen.-naming #title { display: block; }
    SessionsScreen.-naming #query { display: none; }
    SessionsScreen.-narrow > Vertical { width: 100%; max-height: 100%; padding: 0; }
    SessionsScreen.-low OptionList { max-height: 6; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Group.SESSIONS),
        Binding("ctrl+c", "session_close", show=False),
        Binding("j", "cursor('down')", show=False),
        Binding("k", "cursor('up')", show=False),
        Binding("down", "to_list", show=False),
    ]

    def __init__(
        self,
        library: Finding,
        current: str | None,
        abilities: frozenset[Ability],
        *,
        seen: Mapping[str, float],
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-tall")]
        self._library = library
        self._current = current
        self._abilities = abilities
        self._seen = seen
        self._clock = clock
        self._summaries: tuple[SessionSummary, ...] = ()
        self._archived = False
        self._undo: list[tuple[str, Callable[[], Awaitable[None]]]] = []
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        """A line to search in, the list or the words shown where there is none, and what can be done."""
        with Vertical() as frame:
            frame.border_title = "Sessions"
            frame.border_subtitle = "Enter opens · Esc closes"
            yield Input(
                placeholder="/ finds words and :tapbacks:", id="query", max_length=200, select_on_focus=False
            )
            yield Input(placeholder="the new title", id="title", max_length=200, select_on_focus=False)
            yield Static("Loading the sessions…", id="words", markup=False)
            yield OptionList(markup=False)
            yield Static(id="note", markup=False)
            yield Static(links(ACTS), id="acts", markup=False)

    def on_mount(self) -> None:
        """Ask at once."""
        self._tell("")
        self.set_focus(self.query_one(OptionList))
        self.action_session_reload()

    # the list

    def action_session_reload(self) -> None:
        """Ask the gateway for the list in the background."""
        if not self._summaries:
            self._say("Loading the sessions…")
        self.run_worker(self._fetch(), group="list", exclusive=True)

    async def _fetch(self) -> None:
        wanted = read_wanted(self.query_one("#query", Input).value)
        if wanted.emoji is not None and Ability.SEARCH not in self._abilities:
            self._say(lack_of(Ability.SEARCH))
            return
        try:
            found = await self._library.list(
                wanted.words or None, archived=self._archived or None, reacted_with=wanted.emoji
            )
        except TapbackError as error:
            self._say(f"{clean_line(error.sentence(), 300)}\n\nr tries again, Esc goes back.")
            return
        self._show(found, sought=not wanted.nothing)

    def _show(self, summaries: tuple[SessionSummary, ...], *, sought: bool) -> None:
        """Put the sessions on the list, the newest first; the cursor stays where it was."""
        chosen = self._chosen.id if self._chosen is not None else self._current
        self._summaries = tuple(sorted(summaries, key=lambda s: s.last_active, reverse=True))
        if not self._summaries:
            none = "There are no sessions yet.\n\nn begins one."
            if self._archived:
                none = "Nothing was put away. v goes back."
            self._say("No session says that." if sought else none)
            return
        now = self._clock()
        listing = self.query_one(OptionList)
        place = listing.highlighted or 0
        listing.clear_options()
        listing.add_options(
            Option(session_line(s, now, current=s.id == self._current, news=self._news(s)))
            for s in self._summaries
        )
        places = [place for place, s in enumerate(self._summaries) if s.id == chosen]
        listing.highlighted = places[0] if places else min(place, len(self._summaries) - 1)
        self.query_one("#words").display = False

    def _news(self, session: SessionSummary) -> bool:
        """Whether something came after what was read here; unknown for one that was never open here."""
        seen = self._seen.get(session.id)
        return seen is not None and session.id != self._current and session.last_active > seen + 1

    @property
    def _chosen(self) -> SessionSummary | None:
        place = self.query_one(OptionList).highlighted
        return self._summaries[place] if place is not None and place < len(self._summaries) else None

    def _say(self, words: str) -> None:
        """Words in place of the list."""
        self._summaries = ()
        told = self.query_one("#words", Static)
        told.update(Text(words))
        told.display = True
        self.query_one(OptionList).clear_options()  # and not hidden: it keeps the focus, and so the keys

    def _tell(self, words: str) -> None:
        """A line below the list."""
        note = self.query_one("#note", Static)
        note.update(Text(words))
        note.display = bool(words)

    def action_cursor(self, direction: str) -> None:
        """Move with j and k as well."""
        listing = self.query_one(OptionList)
        if direction == "down":
            listing.action_cursor_down()
        else:
            listing.action_cursor_up()

    # search

    def action_session_search(self) -> None:
        """Go to the line to search in."""
        self.set_focus(self.query_one("#query", Input))

    def action_to_list(self) -> None:
        """From the line into the list."""
        self.set_focus(self.query_one(OptionList))

    @on(Input.Changed, "#query")
    def _query_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, self.action_session_reload)

    @on(Input.Submitted, "#query")
    def _query_given(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_to_list()

    def action_session_archived(self) -> None:
        """Show what was put away, or the others again."""
        if Ability.SEARCH not in self._abilities:
            self._tell("This gateway does not tell what was put away.")
            return
        self._archived = not self._archived
        self.query_one(Vertical).border_title = (
            "Sessions that were put away" if self._archived else "Sessions"
        )
        self.action_session_reload()

    # what is done with a session

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_index < len(self._summaries):
            self.dismiss(Choice(self._summaries[event.option_index].id))

    def action_session_open(self) -> None:
        """Enter where the list has not taken it."""
        if self._chosen is not None:
            self.dismiss(Choice(self._chosen.id))

    def action_session_new(self) -> None:
        """A new session."""
        self.dismiss(Choice(None))

    def action_session_branch(self) -> None:
        """Go on in a copy of the session under the cursor."""
        if self._chosen is None:
            return
        if Ability.BRANCH in self._abilities:
            self.dismiss(Choice(self._chosen.id, branch=True))
        else:
            self._tell(lack_of(Ability.BRANCH))

    def action_session_name(self) -> None:
        """Type another title."""
        if self._chosen is not None:
            self.add_class("-naming")
            line = self.query_one("#title", Input)
            line.value = self._chosen.title
            self.set_focus(line)

    @on(Input.Submitted, "#title")
    def _title_given(self, event: Input.Submitted) -> None:
        event.stop()
        session, title = self._chosen, clean_line(event.value, 200)
        self._stop_naming()
        if session is not None and title:
            self._do(self._library.rename(session.id, title), f"It is called “{title}” now.")

    def _stop_naming(self) -> None:
        self.remove_class("-naming")
        self.set_focus(self.query_one(OptionList))

    def action_session_archive(self) -> None:
        """Put it away, or take it back; u undoes it."""
        session, library = self._chosen, self._library
        if session is None:
            return
        away = not session.archived
        self._do(
            library.archive(session.id, away),
            f"“{title_of(session)}” is {'put away' if away else 'in the list again'}. u undoes it.",
            undo=lambda: library.archive(session.id, not away),
        )

    def action_session_delete(self) -> None:
        """Delete it; asks first where nobody could bring it back."""
        session = self._chosen
        if session is None:
            return
        if Ability.DELETE not in self._abilities:
            self._tell(lack_of(Ability.DELETE))
        elif Ability.RESTORE in self._abilities:
            self._delete(session)
        else:

            def answered(yes: bool | None) -> None:
                if yes:
                    self._delete(session)

            words = f"“{title_of(session)}” will be gone for good. {lack_of(Ability.RESTORE)}"
            app_of(self).push_screen(ConfirmScreen("Delete this session?", words, "delete"), answered)

    def _delete(self, session: SessionSummary) -> None:
        library = self._library
        able = Ability.RESTORE in self._abilities

        async def delete() -> None:
            await library.delete(session.id)

        self._do(
            delete(),
            f"“{title_of(session)}” is deleted.{' u brings it back.' if able else ''}",
            undo=(lambda: library.restore(session.id)) if able else None,
        )

    def action_session_undo(self) -> None:
        """Take the last deletion or putting away back."""
        if not self._undo:
            self._tell("There is nothing to undo.")
            return
        done, undo = self._undo.pop()
        self._do(undo(), f"Undone: {done.removesuffix(' u undoes it.').removesuffix(' u brings it back.')}")

    def _do(
        self, work: Awaitable[None], done: str, undo: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """Ask the gateway in the background, say how it went, and show the list as it is then."""

        async def run() -> None:
            try:
                await work
            except TapbackError as error:
                self._tell(clean_line(error.sentence(), 300))
                return
            if undo is not None:
                self._undo.append((done, undo))
            self._tell(done)
            await self._fetch()

        self.run_worker(run(), group="doing")

    def action_session_close(self) -> None:
        """Stop typing, clear the search, else back to the chat."""
        query = self.query_one("#query", Input)
        if self.has_class("-naming"):
            self._stop_naming()
        elif self.focused is query or query.value:
            query.value = ""
            self.action_to_list()
        else:
            self.dismiss(None)
