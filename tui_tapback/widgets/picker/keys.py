"""The keys of the picker; everything else that is printable is search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PICKER_KEYS: Final[Mapping[str, str]] = {
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "home": "line_start",
    "end": "line_end",
    "pageup": "page_up",
    "pagedown": "page_down",
    "ctrl+home": "first",
    "ctrl+end": "last",
    "tab": "next_category",
    "shift+tab": "previous_category",
    "enter": "pick",
    "escape": "back",
    "alt+t": "tone",
    "ctrl+t": "tone",
    "alt+v": "variants",
    "backspace": "delete_left",
    "ctrl+h": "delete_left",
    "delete": "delete_right",
    "ctrl+left": "word_left",
    "ctrl+right": "word_right",
    "ctrl+w": "delete_word_left",
    "ctrl+backspace": "delete_word_left",
    "alt+backspace": "delete_word_left",
    "ctrl+u": "delete_to_line_start",
    "ctrl+k": "delete_to_line_end",
}
"""Keys to commands: moves of :meth:`PickerState.moved`, steps of the query, and the picker's own."""

MOVES: Final = frozenset(
    {"up", "down", "left", "right", "line_start", "line_end", "page_up", "page_down", "first", "last"}
)
