"""What in the picker's box a cell belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from tui_tapback.domain.values import value
from tui_tapback.widgets.picker.painting import PITCH, Frame
from tui_tapback.widgets.picker.state import PickerState

TONE_LEFT: Final = range(12, 14)
TONE_RIGHT: Final = range(29, 31)
"""Cells of the two arrows on the tone line, from the left border."""


@value
class Hit:
    """``cell`` with the flat index of an emoji, ``category`` with its section, ``tone`` with a step.

    ``tones`` is the hand that opens the tone line; ``inside`` and ``outside`` are nothing in particular.
    """

    kind: Literal["cell", "category", "tone", "tones", "inside", "outside"]
    value: int = 0


def hit(state: PickerState, frame: Frame, bar: Sequence[tuple[int, str]], x: int, y: int) -> Hit:
    """What stands at ``(x, y)`` of the box; the gap between two emoji is nothing."""
    if not (0 <= x < frame.width and 0 <= y < frame.height):
        return Hit("outside")
    column, within = divmod(x - 1, PITCH)
    on_emoji = x >= 1 and within > 0
    plain = state.blank and state.under is None
    if y == frame.bar and plain and on_emoji and column < len(bar):
        return Hit("category", bar[column][0])
    if y == frame.bar and plain and on_emoji and column == frame.hand_column:
        return Hit("tones")
    if y == frame.preview and state.choosing:
        if x in TONE_LEFT:
            return Hit("tone", -1)
        return Hit("tone", 1) if x in TONE_RIGHT else Hit("inside")
    if on_emoji and 0 <= y - frame.grid_top < frame.grid_rows and column < frame.columns:
        index = state.grid.hit(y - frame.grid_top, column)
        if index is not None:
            return Hit("cell", index)
    return Hit("inside")
