"""The list of sessions as it is shown and searched; what is done with them stands beside it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
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

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.finding.lines import links, session_line
from tui_tapback.app.finding.wanted import read_wanted
from tui_tapback.app.keyed import keymap_of
from tui_tapback.app.ports import Finding
from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.words import _, mark

from .foot import foot_of, pieces

PAUSE: Final = 0.15
"""Seconds without a key before what was typed is looked for."""
ACTS: Final = (
    ("session_new", mark("new")),
    ("session_name", mark("name")),
    ("session_archive", mark("archive")),
    ("session_delete", mark("delete")),
    ("session_undo", mark("undo")),
    ("session_archived", mark("archived")),
    ("session_search", mark("find")),
)
"""What stands in the line at the foot."""
_ENDS: Final = (("session_open", mark("opens")), ("session_close", mark("closes")))


@value
class Choice:
    """What the person chose: a session to open (None: a new one), or to branch from."""

    session_id: str | None
    branch: bool = False


class SessionList(ModalScreen[Choice | None]):
    """Draws every state on purpose: loading, empty, nothing found, failed.

    ``seen`` is by session until when the person has read it, ``rows`` down to which row, as far as this
    machine knows; ``waits`` says what waits for them there.
    """

    DEFAULT_CSS = """
    SessionList { align: center middle; background: $background 60%; }
    SessionList > Vertical {
        width: 90%; max-width: 84; height: auto; max-height: 90%;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%; padding: 0 1;
    }
    SessionList OptionList, SessionList OptionList:focus {
        border: none; background: transparent; background-tint: transparent 0%; padding: 0;
        height: auto; max-height: 60vh; scrollbar-size-vertical: 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    SessionList OptionList > .option-list--option { padding: 0 1; }
    SessionList OptionList > .option-list--option-highlighted,
    SessionList OptionList:focus > .option-list--option-highlighted {
        background: $primary 25%; color: $foreground; text-style: none;
    }
    SessionList Static { padding: 0 1; height: auto; }
    SessionList #acts { color: $foreground 60%; height: 1; }
    SessionList Input { height: 1; padding: 0 1; background: $panel; }
    SessionList Input, SessionList Input:focus { border: none; }
    SessionList #title { display: none; }
    SessionList.-naming #title { display: block; }
    SessionList.-naming #query { display: none; }
    SessionList.-narrow > Vertical { width: 100%; max-height: 100%; padding: 0; }
    SessionList.-low OptionList { max-height: 6; }
    """
    place_in = Context.SESSIONS
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
        rows: Mapping[str, int] = MappingProxyType({}),
        waits: Mapping[str, str] = MappingProxyType({}),
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-tall")]
        self._library = library
        self._current = current
        self._abilities = abilities
        self._seen = seen
        self._rows = rows
        self._waits = waits
        self._clock = clock
        self._summaries: tuple[SessionSummary, ...] = ()
        self._archived = False
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        """A line to search in, the list or the words shown where there is none, and what can be done."""
        with Vertical() as frame:
            frame.border_title = _("Sessions")
            frame.border_subtitle = foot_of(self, _ENDS)
            hint = _("{key} finds words and :tapbacks:").format(key=self._way("session_search"))
            yield Input(
                placeholder=hint,
                id="query",
                max_length=200,
                select_on_focus=False,
            )
            yield Input(placeholder=_("the new title"), id="title", max_length=200, select_on_focus=False)
            yield Static(_("Loading the sessions…"), id="words", markup=False)
            yield OptionList(markup=False)
            yield Static(id="note", markup=False)
            yield Static(links(pieces(ACTS, keymap_of(self), self.place_in)), id="acts", markup=False)

    def _way(self, action_id: str) -> str:
        return keymap_of(self).way(action_id)

    def on_mount(self) -> None:
        """Ask at once."""
        self._tell("")
        self.set_focus(self.query_one(OptionList))
        self.action_session_reload()

    # the list

    def action_session_reload(self) -> None:
        """Ask the gateway for the list in the background."""
        if not self._summaries:
            self._say(_("Loading the sessions…"))
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
            self._say(
                _("{sentence}\n\n{key} tries again, {back} goes back.").format(
                    sentence=clean_line(error.sentence(), 300),
                    key=self._way("session_reload"),
                    back=self._way("session_close"),
                )
            )
            return
        self._show(found, sought=not wanted.nothing)

    def _show(self, summaries: tuple[SessionSummary, ...], *, sought: bool) -> None:
        """Put the sessions on the list, the newest first; the cursor stays where it was."""
        chosen = self._chosen.id if self._chosen is not None else self._current
        self._summaries = tuple(sorted(summaries, key=lambda s: s.last_active, reverse=True))
        if not self._summaries:
            none = _("There are no sessions yet.\n\n{key} begins one.").format(key=self._way("session_new"))
            if self._archived:
                none = _("Nothing was put away. {key} goes back.").format(key=self._way("session_archived"))
            self._say(_("No session says that.") if sought else none)
            return
        now = self._clock()
        listing = self.query_one(OptionList)
        place = listing.highlighted or 0
        listing.clear_options()
        listing.add_options(
            Option(
                session_line(
                    s,
                    now,
                    current=s.id == self._current,
                    news=self._news(s),
                    waits=self._waits.get(s.id, "") or (_("a question waits") if s.asks else ""),
                )
            )
            for s in self._summaries
        )
        places = [place for place, s in enumerate(self._summaries) if s.id == chosen]
        listing.highlighted = places[0] if places else min(place, len(self._summaries) - 1)
        self.query_one("#words").display = False

    def _news(self, session: SessionSummary) -> bool:
        """Whether something came after what was read here; unknown for one that was never open here."""
        if session.id == self._current:
            return False
        row = self._rows.get(session.id)
        if row is not None and session.last_row is not None:
            return (
                session.last_row > row
            )  # an answer bears the time of its first word, activity that of its last
        seen = self._seen.get(session.id)
        return seen is not None and session.last_active > seen + 1

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
            self._tell(_("This gateway does not tell what was put away."))
            return
        self._archived = not self._archived
        self.query_one(Vertical).border_title = (
            _("Sessions that were put away") if self._archived else _("Sessions")
        )
        self.action_session_reload()
