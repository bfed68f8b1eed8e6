"""Actions on the text that is typed: moving, selecting, deleting, undoing; each a command of the editor."""

from __future__ import annotations

from typing import Final

from .action import Action, Group


def _edit(action_id: str, keys: str, title: str, command: str = "") -> Action:
    command = command or action_id
    return Action(f"edit_{action_id}", tuple(keys.split(",")), title, Group.EDITING, command=command)


EDITING: Final[tuple[Action, ...]] = (
    _edit("left", "left", "One character to the left"),
    _edit("right", "right", "One character to the right"),
    _edit("up", "up", "One line up; from the first to what you sent before"),
    _edit("down", "down", "One line down"),
    _edit("word_left", "ctrl+left,alt+b", "One word to the left"),
    _edit("word_right", "ctrl+right,alt+f", "One word to the right"),
    _edit("line_start", "home,ctrl+a", "To the start of the line"),
    _edit("line_end", "end,ctrl+e", "To the end of the line"),
    _edit("select_left", "shift+left", "Select to the left"),
    _edit("select_right", "shift+right", "Select to the right"),
    _edit("select_up", "shift+up", "Select upward"),
    _edit("select_down", "shift+down", "Select downward"),
    _edit("select_word_left", "ctrl+shift+left", "Select a word to the left"),
    _edit("select_word_right", "ctrl+shift+right", "Select a word to the right"),
    _edit("select_line_start", "shift+home", "Select to the start of the line"),
    _edit("select_line_end", "shift+end", "Select to the end of the line"),
    _edit("select_all", "f7,super+a", "Select all"),
    _edit("delete_left", "backspace,ctrl+h", "Delete the character before"),
    _edit("delete_right", "delete,ctrl+d", "Delete the character after"),
    _edit("delete_word_left", "ctrl+w,ctrl+backspace,alt+backspace", "Delete the word before"),
    _edit("delete_word_right", "alt+d,alt+delete", "Delete the word after"),
    _edit("delete_to_line_start", "ctrl+u", "Delete to the start of the line"),
    _edit("delete_to_line_end", "ctrl+k", "Delete to the end of the line"),
    _edit("undo", "ctrl+z,super+z", "Undo"),
    _edit("redo", "ctrl+y,ctrl+shift+z", "Redo"),
    _edit("cut", "ctrl+x,super+x", "Cut what is selected"),
)
"""Taken by the composer and its kin."""
