"""Asks before something that cannot be taken back; no key counts in the first moment."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.keyed import keymap_of
from tui_tapback.domain.text import clean_text
from tui_tapback.words import _

GUARD: Final = 0.3
"""Seconds in which a key that was meant for something else answers nothing."""


class ConfirmScreen(ModalScreen[bool]):
    """Dismisses with True for yes. ``yes`` says in a word or two what that does."""

    DEFAULT_CSS = """
    ConfirmScreen { align: center middle; background: $background 60%; }
    ConfirmScreen > Vertical {
        width: 90%; max-width: 64; height: auto; max-height: 90%; padding: 0 1;
        background: $surface; border: round $warning; border-title-color: $text-warning;
    }
    ConfirmScreen Static { height: auto; padding: 0 1; }
    ConfirmScreen Horizontal { height: 1; margin-top: 1; align-horizontal: right; }
    ConfirmScreen Button { min-width: 10; margin-left: 2; }
    """
    place_in = Context.CONFIRM
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Group.CONFIRM),
        Binding("escape,q", "answer(False)", show=False),
    ]

    def __init__(
        self, title: str, words: str, yes: str, *, ticks: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._title = title
        self._words = words
        self._yes = yes
        self._ticks = ticks
        self._since = ticks()

    def compose(self) -> ComposeResult:
        """The words, and the two answers; the harmless one has the focus."""
        with Vertical() as frame:
            frame.border_title = self._title
            yield Static(clean_text(self._words), markup=False)
            with Horizontal():
                # compact: the stock borders, which outweigh the rules above, would leave no row for the words
                keymap = keymap_of(self)
                yes, no = keymap.first("confirm_yes"), keymap.first("confirm_no")
                yield Button(Text(f"{yes} {self._yes}".strip()), id="yes", variant="warning", compact=True)
                yield Button(Text(f"{no} {_('no')}".strip()), id="no", compact=True)

    def on_mount(self) -> None:
        """Enter without a look means no."""
        self._since = self._ticks()
        self.query_one("#no", Button).focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """A click, or Enter on one of them."""
        event.stop()
        self.action_answer(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """The person has answered."""
        if self._ticks() - self._since >= GUARD or not yes:
            self.dismiss(yes)
