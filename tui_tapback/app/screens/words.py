"""Shows a longer text that a gateway has to say: plain, cleaned, to be scrolled."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.words import mark

from .foot import foot_of

LONGEST = 100_000
"""Characters that are shown."""


class WordsScreen(ModalScreen[None]):
    """``title`` above, ``text`` below; closes with Esc."""

    DEFAULT_CSS = """
    WordsScreen { align: center middle; background: $background 60%; }
    WordsScreen > VerticalScroll {
        width: 90%; max-width: 100; height: auto; max-height: 90%; padding: 0 1;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%; scrollbar-size-vertical: 1;
    }
    WordsScreen Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,ctrl+c", "leave", show=False)]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = clean_line(title, 60)
        self._text = clean_text(text)[:LONGEST]

    def compose(self) -> ComposeResult:
        """The text in a frame."""
        with VerticalScroll() as frame:
            frame.border_title = Text(self._title)
            frame.border_subtitle = foot_of(self, (("list_close", mark("closes")),))
            yield Static(Text(self._text), markup=False)

    def on_mount(self) -> None:
        """Arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def action_leave(self) -> None:
        """Back to the chat."""
        self.dismiss(None)
