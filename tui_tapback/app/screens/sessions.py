"""The list of sessions: newest first with previews; loading, empty and failed are drawn on purpose."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui_tapback.app.actions import Group, bindings
from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line


@dataclass(frozen=True, slots=True)
class Choice:
    """What the person chose: a session to open, or with None a new one."""

    session_id: str | None


def ago(seconds: float) -> str:
    """A rough age: ``now``, ``5 min``, ``3 h``, ``2 d``, ``6 w``."""
    for size, unit in ((604_800, "w"), (86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now"


def session_line(summary: SessionSummary, now: float, *, current: bool) -> Text:
    """Two lines of plain text for one session: title and age, then its preview."""
    title = clean_line(summary.title, 80) or "Untitled"
    preview = clean_line(summary.preview, 120) or "no messages yet"
    count = f"{summary.message_count} message{'' if summary.message_count == 1 else 's'}"
    return Text.assemble(
        ("● " if current else "  ", "bold"),
        (title, "bold"),
        (f"  {ago(now - summary.last_active)} · {count}", "dim"),
        ("\n  " + preview, "dim"),
        no_wrap=True,
        overflow="ellipsis",
    )


class SessionsScreen(ModalScreen[Choice | None]):
    """Dismisses with a ``Choice``, or None when closed."""

    DEFAULT_CSS = """
    SessionsScreen { align: center middle; background: $background 60%; }
    SessionsScreen > Vertical {
        width: 90%; max-width: 84; height: auto; max-height: 90%;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%; padding: 0 1;
    }
    SessionsScreen OptionList, SessionsScreen OptionList:focus {
        border: none; background: transparent; background-tint: transparent 0%; padding: 0;
        height: auto; max-height: 24; scrollbar-size-vertical: 1;
    }
    SessionsScreen OptionList > .option-list--option { padding: 0 1; }
    SessionsScreen OptionList > .option-list--option-highlighted,
    SessionsScreen OptionList:focus > .option-list--option-highlighted {
        background: $primary 25%; color: $foreground; text-style: none;
    }
    SessionsScreen Static { padding: 1 1; height: auto; }
    SessionsScreen.-narrow > Vertical { width: 100%; height: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Group.SESSIONS),
        Binding("ctrl+c", "session_close", show=False),
        Binding("j", "cursor('down')", show=False),
        Binding("k", "cursor('up')", show=False),
    ]

    def __init__(
        self,
        load: Callable[[], Awaitable[tuple[SessionSummary, ...]]],
        current: str | None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]
        self._load = load
        self._current = current
        self._clock = clock
        self._summaries: tuple[SessionSummary, ...] = ()

    def compose(self) -> ComposeResult:
        """The list, and the words shown where there is none."""
        with Vertical() as frame:
            frame.border_title = "Sessions"
            frame.border_subtitle = "Enter opens · n new · Esc closes"
            yield Static("Loading the sessions…", markup=False)
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Ask at once."""
        self.action_session_reload()

    def action_session_reload(self) -> None:
        """Ask the gateway for the list in the background."""
        self._say("Loading the sessions…")
        self.run_worker(self._fetch(), exclusive=True)

    async def _fetch(self) -> None:
        try:
            summaries = await self._load()
        except TapbackError as error:
            self._say(f"{clean_line(error.sentence(), 300)}\n\nr tries again, Esc goes back.")
            return
        self.show(summaries)

    def show(self, summaries: tuple[SessionSummary, ...]) -> None:
        """Put the sessions on the list, the newest first, with the cursor on the open one."""
        self._summaries = tuple(sorted(summaries, key=lambda s: s.last_active, reverse=True))
        if not self._summaries:
            self._say("There are no sessions yet.\n\nn begins one.")
            return
        now = self._clock()
        listing = self.query_one(OptionList)
        listing.clear_options()
        listing.add_options(
            Option(session_line(summary, now, current=summary.id == self._current))
            for summary in self._summaries
        )
        places = [place for place, s in enumerate(self._summaries) if s.id == self._current]
        listing.highlighted = places[0] if places else 0
        self.query_one(Static).display = False
        listing.display = True
        listing.focus()

    def _say(self, words: str) -> None:
        told = self.query_one(Static)
        told.update(Text(words))
        told.display = True
        self.query_one(OptionList).display = False

    def action_cursor(self, direction: str) -> None:
        """Move with j and k as well."""
        listing = self.query_one(OptionList)
        if direction == "down":
            listing.action_cursor_down()
        else:
            listing.action_cursor_up()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click."""
        event.stop()
        self.dismiss(Choice(self._summaries[event.option_index].id))

    def action_session_open(self) -> None:
        """Enter where the list has not taken it."""
        place = self.query_one(OptionList).highlighted
        if self._summaries and place is not None:
            self.dismiss(Choice(self._summaries[place].id))

    def action_session_new(self) -> None:
        """A new session."""
        self.dismiss(Choice(None))

    def action_session_close(self) -> None:
        """Back to the chat."""
        self.dismiss(None)
