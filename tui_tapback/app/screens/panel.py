"""The calm frame that the small screens about tapbacks share: a title, words, a list, keys at its foot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, TypeVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.css.scalar import Scalar
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui_tapback.actions.contexts import Context
from tui_tapback.actions.showing import show_key
from tui_tapback.app.keyed import keymap_of
from tui_tapback.widgets.host import app_of, layouts_of
from tui_tapback.words import _

from .foot import WHOLE, Act, Piece, gives_up, lines_of, pieces, shortened

ResultT = TypeVar("ResultT")


NARROW: Final = 60
"""Cells from which on the window does not fill the screen."""
WIDEST: Final = 76
"""Cells that it has then, at most."""
LEAST: Final = 2
FEW: Final = 4
MOST: Final = 18
"""Rows of the list: at least, at most on a low screen, at most on a tall one."""


class Panel(ModalScreen[ResultT]):
    """Words above, a list below; the list has the keys. ``lay`` fills both, and a narrow screen is filled.

    The keys stand in the lower border where they fit in, else in lines above it.
    """

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
    Panel #foot { color: $foreground 60%; display: none; }
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

    place_in: ClassVar[Context] = Context.LISTS
    """Which place of the action table the window is; a line that is typed in it is another."""

    def __init__(self, title: str, acts: Sequence[Act], *, asks: str = "", most: int = 0) -> None:
        """``acts`` stand at the foot; ``asks`` is the hint of a line to type in (empty: there is none),
        ``most`` how much it takes."""
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-tall")]
        self._title = title
        self._acts = acts
        self._asks = asks
        self._most = most

    def compose(self) -> ComposeResult:
        """Words, list, aside."""
        with Vertical() as frame:
            frame.border_title = self._title
            yield Static(id="words", markup=False)
            yield OptionList(markup=False)
            yield Static(id="aside", classes="aside", markup=False)
            if self._asks:
                # compact: the border of a focused line would leave no row for what is typed
                yield Input(placeholder=self._asks, max_length=self._most, compact=True)
            yield Static(id="foot", markup=False)

    def on_mount(self) -> None:
        """Fill it."""
        layouts_of(self).subscribe(self, self._make_room)
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
        self.tell_keys()
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
        self.tell_keys()
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
        self.query_one(OptionList).focus()
        self.lay_out()

    def foot(self) -> list[Piece]:
        """The keys of this moment."""
        keymap = keymap_of(self)
        if not self.has_class("-typing"):
            return pieces(self._acts, keymap, self.place_in)
        return [(show_key("enter"), _("takes it"), "take_typed"), gives_up(keymap)]

    def tell_keys(self) -> None:
        """Show them, as the room wants it."""
        frame, found = self.query_one(Vertical), self.foot()
        # Of the screen, since on mounting the frame has no size yet.
        width = app_of(self).size.width
        room = (width if width < NARROW else min(WIDEST, int(width * 0.9))) - 6
        lines = lines_of(found, room)
        short = lines_of(shortened(found), room)
        if len(short) < len(lines):
            lines = short
        frame.border_subtitle = lines.pop()
        foot = self.query_one("#foot", Static)
        foot.update(Text("\n").join(lines))
        foot.display = bool(lines)

    def _make_room(self, _: Screen[object]) -> None:
        """After a layout: a long list leaves room for the words and keys below it."""
        frame, listing = self.query_one(Vertical), self.query_one(OptionList)
        others = [each for each in frame.children if each.display and each is not listing]
        room = int(self.size.height * (1 if self.has_class("-narrow") else 0.9)) - frame.gutter.height
        room -= sum(each.outer_size.height for each in others)
        foot = self.query_one("#foot", Static)
        if room < LEAST and foot.display:  # no room for more lines: what fits into the border
            foot.display = False
            frame.border_subtitle = lines_of(self.foot(), WHOLE)[0]
        most = FEW if self.has_class("-low") else MOST
        rows = max(LEAST, room) if room < most else most
        if listing.styles.max_height != Scalar.from_number(rows):
            listing.styles.max_height = rows

    def on_resize(self) -> None:
        """Other room."""
        self.call_after_refresh(self.tell_keys)

    def action_take_typed(self) -> None:
        """A click on what Enter does."""
        line = self.query_one(Input)
        self.on_input_submitted(Input.Submitted(line, line.value))

    def action_choose(self) -> None:
        """A click on what Enter does."""
        if (place := self.place) is not None:
            self.chosen(place)

    def action_leave(self) -> None:
        """Stop typing, else close without a choice."""
        if self.has_class("-typing"):
            self._stop_typing()
        else:
            self.dismiss(None)
