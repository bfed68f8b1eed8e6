"""The help screen: every key by group, made from the action table, with the version of the emoji."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, Final

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from tui_tapback.actions.action import Action, Group
from tui_tapback.actions.contexts import Context
from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.resolving import keys_shown
from tui_tapback.actions.table import in_group, lines
from tui_tapback.app.actions import bindings, closing
from tui_tapback.words import _, mark

from .foot import foot_of

_ACTS: Final = (("help_keys", mark("changes keys")), ("list_close", mark("closes")))


def group_table(actions: Iterable[Action], keymap: Keymap, fit: Callable[[str], str]) -> Table:
    """Keys at the left, at the right what they do and the typed form; ``fit`` makes emoji drawable."""
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(width=12)
    table.add_column(ratio=1)
    for item in lines(actions):
        if not item.slash and item.keys and not any(keymap.keys(each.id) for each in item.actions):
            continue  # whoever took its keys away knows why
        told = Text(fit(item.told))
        if item.slash:
            told.append(f"  {item.slash}", style="dim")
        table.add_row(Text(keys_shown(keymap, item.actions), style="bold"), told)
    return table


class HelpScreen(ModalScreen[bool]):
    """All keys; scrolls; what opened it closes it. True: the person wants to change keys."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 60%; }
    HelpScreen > VerticalScroll {
        width: 90%; max-width: 84; height: auto; max-height: 94%;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%;
        padding: 0 2; scrollbar-size-vertical: 1;
    }
    HelpScreen .group { color: $accent; text-style: bold; margin-top: 1; }
    HelpScreen .foot { color: $foreground 60%; margin: 1 0; }
    HelpScreen.-narrow > VerticalScroll { width: 100%; max-height: 100%; padding: 0 1; }
    """
    place_in = Context.HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "leave", "Close", show=False),
        closing("help"),
        *bindings(Group.HELP),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("g,home", "edge(0)", show=False),
        Binding("G,end", "edge(1)", show=False),
    ]

    def __init__(self, foot: str, keymap: Keymap, fit: Callable[[str], str]) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]
        self._foot = foot
        self._keymap = keymap
        self._fit = fit

    def compose(self) -> ComposeResult:
        """One table for each group."""
        with VerticalScroll() as frame:
            frame.border_title = _("Help")
            frame.border_subtitle = foot_of(self, _ACTS)
            for group in Group:
                yield Static(_(group.value), classes="group", markup=False)
                yield Static(group_table(in_group(group), self._keymap, self._fit))
            yield Static(self._foot, classes="foot", markup=False)

    def on_mount(self) -> None:
        """Give the scrolling part the keys."""
        self.query_one(VerticalScroll).focus()

    def action_leave(self) -> None:
        """Back to the chat."""
        self.dismiss(None)

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines, without animation."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_edge(self, end: int) -> None:
        """Go to the first or the last line."""
        frame = self.query_one(VerticalScroll)
        if end:
            frame.scroll_end(animate=False)
        else:
            frame.scroll_home(animate=False)
