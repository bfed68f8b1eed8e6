"""Actions that all the small windows with a list share, help and connections among them."""

from __future__ import annotations

from typing import Final

from .action import Action, Group


def _list(action_id: str, keys: str, title: str, told: str = "") -> Action:
    return Action(f"list_{action_id}", tuple(keys.split(",")), title, Group.LISTS, told)


LISTS: Final[tuple[Action, ...]] = (
    _list("down", "down,j", "Down"),
    _list("up", "up,k", "Up"),
    _list("first", "home", "First line"),
    _list("last", "end", "Last line"),
    _list("page_down", "pagedown", "Page down"),
    _list("page_up", "pageup", "Page up"),
    _list("choose", "enter", "Choose", "what is under the cursor"),
    _list("close", "escape,q", "Close"),
)
"""Each window says at its foot what else it has."""

WINDOW_KEYS: Final = frozenset(
    {
        *("1", "2", "3", "4", "5", "6", "space", "plus", "minus", "slash", "delete", "f1", "question_mark"),
        *("a", "c", "d", "f", "g", "m", "n", "p", "r", "s", "w", "x", "y"),
        *("G", "J", "K", "N", "Y", "shift+up", "shift+down", "ctrl+c"),
    }
)
"""What stands there: keys that mean something of their own in one or another of the windows."""
