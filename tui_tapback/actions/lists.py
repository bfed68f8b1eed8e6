"""Actions that all the small windows with a list share, help and connections among them."""

from __future__ import annotations

from typing import Final

from .action import Action, Group


def _list(action_id: str, keys: str, title: str, told: str = "", command: str = "") -> Action:
    split = tuple(keys.split(","))
    return Action(f"list_{action_id}", split, title, Group.LISTS, told, command=command)


LISTS: Final[tuple[Action, ...]] = (
    _list("down", "down,j", "Down"),
    _list("up", "up,k", "Up"),
    _list("first", "home", "First line"),
    _list("last", "end", "Last line"),
    _list("page_down", "pagedown", "Page down"),
    _list("page_up", "pageup", "Page up"),
    _list("choose", "enter", "Choose", "what is under the cursor", "choose"),
    _list("close", "escape,q", "Close", command="leave"),
)
"""What else a window has stands in a group of its own, and at its foot."""
