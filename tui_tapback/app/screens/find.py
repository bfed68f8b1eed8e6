"""Search through all sessions: what is typed is looked for at once, Enter goes to the message."""

from __future__ import annotations

import time
from collections.abc import Callable
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
from textual.worker import Worker

from tui_tapback.app.finding.lines import hit_line
from tui_tapback.app.finding.wanted import Wanted, read_wanted
from tui_tapback.app.ports import Finding
from tui_tapback.client.library import Hit
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _, mark, plural

from .session_list import PAUSE

PAGE: Final = 50
"""Hits that are asked for at once; more come when the cursor reaches the last."""
_HELP: Final = mark(
    "All words must occur, in any place.\n:heart: finds messages with that tapback, "
    "from:agent and from:me what one side said, in:here only this chat."
)


class FindScreen(ModalScreen[Hit | None]):
    """Dismisses with the message to go to, or None when closed."""

    DEFAULT_CSS = """
    FindScreen { align: center middle; background: $background 60%; }
    FindScreen > Vertical {
        width: 90%; max-width: 100; height: auto; max-height: 90%;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%; padding: 0 1;
    }
    FindScreen OptionList, FindScreen OptionList:focus {
        border: none; background: transparent; background-tint: transparent 0%; padding: 0;
        height: auto; max-height: 60vh; scrollbar-size-vertical: 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    FindScreen OptionList > .option-list--option { padding: 0 1; }
    FindScreen OptionList > .option-list--option-highlighted,
    FindScreen OptionList:focus > .option-list--option-highlighted {
        background: $primary 25%; color: $foreground; text-style: none;
    }
    FindScreen Static { padding: 0 1; height: auto; }
    FindScreen Input, FindScreen Input:focus { border: none; height: 1; padding: 0 1; background: $panel; }
    FindScreen.-narrow > Vertical { width: 100%; max-height: 100%; padding: 0; }
    FindScreen.-low OptionList { max-height: 6; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "back", show=False),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("pagedown", "move(5)", show=False, priority=True),
        Binding("pageup", "move(-5)", show=False, priority=True),
    ]

    def __init__(
        self,
        library: Finding,
        current: str | None,
        line: str = "",
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-tall")]
        self._library = library
        self._current = current
        self._line = line
        self._clock = clock
        self._hits: tuple[Hit, ...] = ()
        self._more = False
        self._wanted = Wanted()
        self._pause: Timer | None = None
        self._search_running: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """The line to type in, and what was found; typing and choosing go on at the same time."""
        with Vertical() as frame:
            frame.border_title = _("Find in all sessions")
            frame.border_subtitle = _("↑ ↓ Enter goes there · Esc")
            yield Input(
                self._line,
                placeholder=_("words, :heart:, from:agent, in:here"),
                max_length=400,
                select_on_focus=False,
            )
            yield Static(_(_HELP), markup=False)
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Typing is what one is here for."""
        self.query_one(OptionList).can_focus = False
        self.query_one(OptionList).display = False
        self.set_focus(self.query_one(Input))
        if self._line:
            self._look()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, self._look)

    def _look(self) -> None:
        wanted = read_wanted(self.query_one(Input).value)
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if wanted.nothing:
            self._hits, self._more = (), False
            if self._search_running is not None:
                self._search_running.cancel()
            self._say(_(_HELP))
        else:
            self._begin(wanted, ())

    def _begin(self, wanted: Wanted, before: tuple[Hit, ...]) -> None:
        work = self._search(wanted, before)
        self._search_running = self.run_worker(work, group="find", exclusive=True)

    async def _search(self, wanted: Wanted, before: tuple[Hit, ...]) -> None:
        try:
            found = await self._library.search(
                wanted.words,
                session_id=self._current if wanted.here else None,
                author=wanted.author,
                emoji=wanted.emoji,
                limit=PAGE,
                before_row_id=before[-1].row_id if before else None,
            )
        except TapbackError as error:
            self._wanted = Wanted()  # the same words may be tried again
            self._say(clean_line(error.sentence(), 300))
            return
        self._hits, self._more = (*before, *found.hits), found.more and bool(found.hits)
        if not self._hits:
            self._say(_("No message says that."))
            return
        self._show(len(before))

    def _show(self, known: int) -> None:
        """Show the hits, of which the first ``known`` are on the list; the cursor waits at their end."""
        listing, now = self.query_one(OptionList), self._clock()
        if not known:
            listing.clear_options()
        listing.add_options(
            Option(hit_line(hit, now, here=hit.session_id == self._current)) for hit in self._hits[known:]
        )
        listing.display = True
        listing.highlighted = max(0, known - 1)
        self.query_one(Static).display = False
        many, count = len(self._hits) + self._more, f"{len(self._hits)}{'+' if self._more else ''}"
        found = plural("{count} message", "{count} messages", many).format(count=count)
        self.query_one(Vertical).border_title = _("Find in all sessions: {found}").format(found=found)

    def _say(self, words: str) -> None:
        told = self.query_one(Static)
        told.update(Text(words))
        told.display = True
        self.query_one(OptionList).display = False
        self.query_one(Vertical).border_title = _("Find in all sessions")

    def action_move(self, delta: int) -> None:
        """Move in the list while the line keeps what is typed; at its end more is read."""
        listing = self.query_one(OptionList)
        if not listing.display or listing.highlighted is None:
            return
        place = listing.highlighted + delta
        if place >= len(self._hits) and self._more:
            self._more = False  # asked for once
            self._begin(self._wanted, self._hits)
            return
        listing.highlighted = max(0, min(place, len(self._hits) - 1))

    @on(Input.Submitted)
    def _go(self, event: Input.Submitted) -> None:
        event.stop()
        listing = self.query_one(OptionList)
        current = read_wanted(event.value) == self._wanted  # else these hits are of other words
        if current and listing.display and listing.highlighted is not None:
            self.dismiss(self._hits[listing.highlighted])

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._hits[event.option_index])

    def action_back(self) -> None:
        """Clear what was typed, else close."""
        line = self.query_one(Input)
        if line.value:
            line.value = ""
        else:
            self.dismiss(None)
