"""Draws lines, dots and arrows as ASCII where the terminal has nothing else, in whatever app this is."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tui_tapback.terminal.ascii import ascii_signs


class AsciiSigns(LineFilter):
    """A line filter that spells our own signs in ASCII, a cell for a cell; letters of any script stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments so spelled; ``background`` is of no account."""
        del background
        return [Segment(ascii_signs(text), style, control) for text, style, control in segments]
