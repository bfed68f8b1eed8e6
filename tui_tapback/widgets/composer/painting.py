"""Draws the rows of a text field; knows styles and cells, and nothing of keys."""

from __future__ import annotations

from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui_tapback.domain.values import value
from tui_tapback.terminal.graphemes import fill
from tui_tapback.widgets.composer.layout import Layout
from tui_tapback.widgets.editing import EditState

PARTS: Final = ("rule", "prompt", "placeholder", "caret", "selection")
"""Names of the styles of :class:`FieldLook` after ``base``."""


@value
class FieldLook:
    """The styles of a field, each on top of ``base``."""

    base: Style
    rule: Style
    prompt: Style
    placeholder: Style
    caret: Style
    selection: Style


def rule(width: int, look: FieldLook) -> Strip:
    """The line above the field."""
    return Strip([Segment("─" * width, look.rule)], width)


def placeholder_row(words: str, prompt: str, width: int, look: FieldLook, *, focused: bool) -> Strip:
    """The row of an empty field: words after the caret's cell, so that they stand still when it comes."""
    caret = Segment(" ", look.caret if focused else look.base)
    text = fill(words, max(0, width - len(prompt) - 1), ellipsis="…")
    return Strip([Segment(prompt, look.prompt), caret, Segment(text, look.placeholder)]).crop(0, width)


def text_row(
    layout: Layout, y: int, state: EditState, *, prompt: str, width: int, look: FieldLook, focused: bool
) -> Strip:
    """Row ``y`` of a text with what is selected in it and, focused, the caret; below the text it is empty."""
    segments = [Segment(prompt, look.prompt)]
    if y < len(layout.rows):
        row = layout.rows[y]
        start, end = state.selection
        caret = state.caret if focused else -1
        for glyph in layout.glyphs(y):
            style = look.selection if start <= glyph.offset < end else look.base
            segments.append(Segment(glyph.drawn, look.caret if glyph.offset == caret else style))
        if caret == row.end and row.breaks:
            segments.append(Segment(" ", look.caret))
    return Strip(Segment.simplify(segments)).adjust_cell_length(width, look.base)
