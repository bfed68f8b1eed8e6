"""The calm frame that the small screens about tapbacks share: a title, words, a list, keys at its foot."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui_tapback.words import _

ResultT = TypeVar("ResultT")


class Panel(ModalScreen[ResultT]):
    """Words above, a list below; the list has the keys. ``lay`` fills both, and a narrow screen is filled."""

    DEFAULT_CSS = """
    Panel { align: center middle; background: $background 60%; }
    Panel > Vertical {
        width: 90%; max-width: 76; height: auto; max-height: 90%;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%; padding: 0 1;
    }
    Panel OptionList, Panel OptionList:focus {
        border: none; background: transparent; background-tint: transparent 0%; padding: 0;
        height: auto; max-height: 18; scrollbar-size-vertical: 1;
    }
    Panel OptionList > .option-list--option { padding: 0 1; }
    Panel OptionList > .option-list--option-highlighted,
    Panel OptionList:focus > .option-list--option-highlighted {
        background: $primary 25%; color: $foreground; text-style: none;
    }
    Panel Static { padding: 0 1; height: auto; }
    Panel .aside { color: $foreground 60%; }
    Panel Input { display: none; background: $panel; }
    Panel Input.-textual-compact { padding: 0 1; }
    Panel.-typing Input { display: block; }
    Panel.-narrow > Vertical { width: 100%; max-height: 100%; padding: 0; }
    Panel.-low OptionList { max-height: 4; }
    Panel.-low.-typing .aside { height: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "leave", "Close", show=False),
        Binding("j", "cursor(1)", show=False),
        Binding("k", "cursor(-1)", show=False),
    ]

    def __init__(self, title: str, foot: str, *, asks: str = "", most: int = 0) -> None:
        """``asks`` is the hint of a line to type in (empty: there is none), ``most`` how much it takes."""
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-tall")]
        self._title = title
        self._foot = foot
        self._asks = asks
        self._most = most

    def compose(self) -> ComposeResult:
        """Words, list, aside."""
        with Vertical() as frame:
            frame.border_title = self._title
            frame.border_subtitle = self._foot
            yield Static(id="words", markup=False)
            yield OptionList(markup=False)
            yield Static(id="aside", classes="aside", markup=False)
            if self._asks:
                # compact: the border of a focused line would leave no row for what is typed
                yield Input(placeholder=self._asks, max_length=self._most, compact=True)

    def on_mount(self) -> None:
        """Fill it."""
        self.query_one(OptionList).focus()
        self.lay_out()

    def lay_out(self) -> None:
        """Hook: give words and lines to ``lay``."""

    def lay(self, words: str, lines: list[Text], aside: str = "") -> None:
        """Show words, list and aside; an empty one takes no room. The cursor stays on its line."""
        for name, text in (("#words", words), ("#aside", aside)):
            told = self.query_one(name, Static)
            told.update(Text(text))
            told.display = bool(text)
        listing = self.query_one(OptionList)
        place = listing.highlighted
        listing.clear_options()
        listing.add_options(Option(line) for line in lines)
        listing.display = bool(lines)
        if lines:
            listing.highlighted = min(place or 0, len(lines) - 1)

    def put_cursor(self, place: int) -> None:
        """Move it to a line."""
        self.query_one(OptionList).highlighted = place

    @property
    def place(self) -> int | None:
        """The line under the cursor, None where there are none."""
        listing = self.query_one(OptionList)
        return listing.highlighted if listing.option_count else None

    def action_cursor(self, delta: int) -> None:
        """Move with j and k as well."""
        listing = self.query_one(OptionList)
        if delta > 0:
            listing.action_cursor_down()
        else:
            listing.action_cursor_up()

    def on_click(self, event: events.Click) -> None:
        """Beside the frame: close it, as Esc does."""
        frame = self.query_one(Vertical).region
        if event.chain == 1 and event.screen_offset not in frame:
            event.stop()
            self.action_leave()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click."""
        event.stop()
        self.chosen(event.option_index)

    def chosen(self, place: int) -> None:
        """Hook: the line at that place was chosen."""
        del place

    def begin_typing(self, value: str = "") -> None:
        """Open the line to type in; Enter gives what was typed to ``typed``, Esc nothing."""
        self.add_class("-typing")
        self._tell_keys(_("Enter takes it · Esc gives up"))
        line = self.query_one(Input)
        line.value = value
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take what was typed."""
        event.stop()
        place = self.place
        if text := event.value.strip():
            self.typed(text, place or 0)
        self._stop_typing()

    def typed(self, text: str, place: int) -> None:
        """Hook: ``text`` was typed for the line at that place."""
        del text, place

    def _stop_typing(self) -> None:
        self.remove_class("-typing")
        self._tell_keys(self._foot)
        self.query_one(OptionList).focus()
        self.lay_out()

    def _tell_keys(self, told: str) -> None:
        self.query_one(Vertical).border_subtitle = told

    def action_leave(self) -> None:
        """Stop typing, else close without a choice."""
        if self.has_class("-typing"):
            self._stop_typing()
        else:
            self.dismiss(None)
