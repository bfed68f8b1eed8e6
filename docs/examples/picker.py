"""An emoji picker over an input line: F2 opens it, what is picked is typed.

Run: ``python docs/examples/picker.py`` in an environment that has tui_tapback.
"""

from __future__ import annotations

import time
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.recents import Recents
from tui_tapback.emoji.search import Match, search
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE
from tui_tapback.widgets import EmojiPicker


def find(query: str, limit: int) -> list[Match]:
    """The search, over English and German."""
    return search(query, limit, locales=("de",))


class Writing(App[None]):
    """The picker floats over everything and gives the focus back when it closes."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f2", "emoji", "Emoji")]

    def __init__(self) -> None:
        super().__init__()
        self.recents = Recents(time.time)  # Recents.load(path, time.time) keeps them on disk
        self.line = Input(placeholder="F2 for an emoji")
        self.picker = EmojiPicker(EmojiFitter(SAFE), find, load_catalogue(), self.recents.shown)

    def compose(self) -> ComposeResult:
        """Mounted once, shown when it is opened."""
        yield self.line
        yield self.picker

    def action_emoji(self) -> None:
        """Beside the line."""
        self.picker.open(self.line.region)

    @on(EmojiPicker.Picked)
    def type_it(self, event: EmojiPicker.Picked) -> None:
        """What was picked, and it is a recent one now."""
        self.recents.use(event.emoji)
        self.line.insert_text_at_cursor(event.emoji)


if __name__ == "__main__":
    Writing().run()
