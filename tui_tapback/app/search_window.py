"""The command palette with all it says in the language in use."""

from __future__ import annotations

from typing import Self

from rich.align import Align
from rich.text import Text
from textual.app import ComposeResult
from textual.command import CommandList, CommandPalette
from textual.visual import VisualType
from textual.widgets.option_list import Option

from tui_tapback.words import _


class _Found(CommandList):
    """Textual adds nothing but the line that says that nothing was found; what was found it adds together."""

    def add_option(self, option: Option | VisualType | None = None) -> Self:
        """The same in our words."""
        if isinstance(option, Option) and option.disabled:
            words = Align.center(Text(_("Nothing of that name")))
            option = Option(words, id=option.id, disabled=True)
        super().add_option(option)
        return self


class SearchWindow(CommandPalette):
    """Textual's, with its own list. It is found by ``CommandPalette`` and styled like one."""

    def compose(self) -> ComposeResult:
        """The same parts."""
        for part in super().compose():
            yield _Found() if isinstance(part, CommandList) else part
