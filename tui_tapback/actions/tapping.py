"""Actions of the tapback pill and of the emoji picker, each with the command that its widget runs."""

from __future__ import annotations

from typing import Final

from tui_tapback.emoji.quick import QUICK_REACTIONS

from .action import Action, Group

_SUGGESTED = len(QUICK_REACTIONS) + 1


def _pill(action_id: str, keys: str, title: str) -> Action:
    return Action(f"pill_{action_id}", tuple(keys.split(",")), title, Group.PILL, command=action_id)


def _slot(number: int) -> Action:
    return Action(
        f"pill_{number}",
        (str(number),),
        f"Choose tapback {number}",
        Group.PILL,
        command=str(number),
        family=f"Choose a tapback and close; {_SUGGESTED} is a suggestion",
    )


PILL: Final[tuple[Action, ...]] = (
    *(_slot(number) for number in range(1, _SUGGESTED + 1)),
    _pill("left", "left,h", "Slot to the left"),
    _pill("right", "right,l", "Slot to the right"),
    _pill("choose", "enter,space", "Set it; again takes it back"),
    _pill("remove", "backspace,delete,minus,0", "Take back my reaction"),
    _pill("picker", "plus,colon,tab,down", "Choose from all emoji"),
    _pill("close", "escape", "Close"),
)
"""The number of a slot is its command."""


def _picker(
    action_id: str, keys: str, command: str, title: str, *, told: str = "", family: str = ""
) -> Action:
    split = tuple(keys.split(","))
    return Action(f"picker_{action_id}", split, title, Group.PICKER, told, command=command, family=family)


_MOVE = "Move: the cursor in the grid"
_PAGE = "Page: a page of the grid up or down"
_CATEGORY = "Category: next and previous"

PICKER: Final[tuple[Action, ...]] = (
    Action("picker_search", (), "Search", Group.PICKER, "just type: everything printable is the search"),
    _picker("up", "up", "up", "Up", family=_MOVE),
    _picker("down", "down", "down", "Down", family=_MOVE),
    _picker("left", "left", "left", "Left", family=_MOVE),
    _picker("right", "right", "right", "Right", family=_MOVE),
    _picker("page_up", "pageup", "page_up", "Page up", family=_PAGE),
    _picker("page_down", "pagedown", "page_down", "Page down", family=_PAGE),
    _picker("category", "tab", "next_category", "Next category", family=_CATEGORY),
    _picker("category_back", "shift+tab", "previous_category", "Previous category", family=_CATEGORY),
    _picker("tone", "alt+t,ctrl+t", "tone", "Skin tone", told="of all emoji: arrows or 0 to 5"),
    _picker("tones", "alt+v", "variants", "Tones of one", told="of the emoji under the cursor"),
    _picker("apply", "enter", "pick", "React", told="with the emoji under the cursor"),
    _picker("close", "escape", "back", "Back", told="clears the search, then goes back to the pill"),
)
"""The picker's own; the keys that edit its query are those of ``editing``."""

PICKER_QUERY: Final[dict[str, str]] = {
    "home": "line_start",
    "end": "line_end",
    "ctrl+home": "first",
    "ctrl+end": "last",
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
"""What edits the picker's query or moves to its edges; as everywhere where a line is typed."""
