"""The keys of the composer and the commands they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

EDITOR_KEYS: Final[Mapping[str, str]] = {
    "left": "left",
    "right": "right",
    "up": "up",
    "down": "down",
    "ctrl+left": "word_left",
    "alt+b": "word_left",
    "ctrl+right": "word_right",
    "alt+f": "word_right",
    "home": "line_start",
    "ctrl+a": "line_start",
    "end": "line_end",
    "ctrl+e": "line_end",
    "shift+left": "select_left",
    "shift+right": "select_right",
    "shift+up": "select_up",
    "shift+down": "select_down",
    "ctrl+shift+left": "select_word_left",
    "ctrl+shift+right": "select_word_right",
    "shift+home": "select_line_start",
    "shift+end": "select_line_end",
    "super+a": "select_all",
    "f7": "select_all",
    "backspace": "delete_left",
    "ctrl+h": "delete_left",
    "delete": "delete_right",
    "ctrl+d": "delete_right",
    "ctrl+w": "delete_word_left",
    "ctrl+backspace": "delete_word_left",
    "alt+backspace": "delete_word_left",
    "alt+delete": "delete_word_right",
    "alt+d": "delete_word_right",
    "ctrl+u": "delete_to_line_start",
    "ctrl+k": "delete_to_line_end",
    "ctrl+z": "undo",
    "super+z": "undo",
    "ctrl+y": "redo",
    "ctrl+shift+z": "redo",
    "ctrl+x": "cut",
    "super+x": "cut",
}
"""Keys to commands. They are taken in ``on_key``, not as bindings: a binding is looked up only after the
key has bubbled to the app, by when the next letter may already have been typed."""

COMPOSER_KEYS: Final[Mapping[str, str]] = {
    **EDITOR_KEYS,
    "enter": "submit",
    "ctrl+j": "newline",
    "shift+enter": "newline",
    "alt+enter": "newline",
    "shift+\r": "newline",  # how xterm's modifyOtherKeys arrives here
    "alt+\r": "newline",
    "alt+up": "transcript",
    "escape": "escape",
    "ctrl+t": "pill",
    "alt+r": "pill",
    "tab": "complete",
    "ctrl+r": "history",
    "ctrl+g": "external_editor",
}
"""The editor's keys and the composer's own, to commands."""
