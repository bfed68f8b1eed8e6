"""THE action table: all actions, by id and by the place where they work."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import groupby
from typing import Final

from .action import Action, Group, Line
from .composing import COMPOSING
from .editing import EDITING
from .everywhere import EVERYWHERE
from .lists import LISTS
from .sessions import SESSIONS
from .tapping import PICKER, PILL
from .transcript import TRANSCRIPT
from .windows import WINDOWS

ACTIONS: Final[tuple[Action, ...]] = (
    *EVERYWHERE,
    *COMPOSING,
    *TRANSCRIPT,
    *PILL,
    *PICKER,
    *SESSIONS,
    *LISTS,
    *WINDOWS,
    *EDITING,
)
"""In the order in which help and docs show them."""

BOUND: Final = (
    Group.EVERYWHERE,
    Group.SESSIONS,
    *dict.fromkeys(item.group for item in WINDOWS if item.command),
)
"""Groups whose keys a screen binds itself, by the commands or, without these, by the ids."""


def action(action_id: str) -> Action:
    """The action of that id. Raises KeyError."""
    for item in ACTIONS:
        if item.id == action_id:
            return item
    raise KeyError(action_id)


@cache
def in_group(group: Group) -> tuple[Action, ...]:
    """The actions of a group, in table order."""
    return tuple(item for item in ACTIONS if item.group is group)


def commands(group: Group) -> dict[str, str]:
    """Default key → command, of a group whose widget runs commands."""
    return {key: item.command for item in in_group(group) for key in item.keys if item.command}


def lines(actions: Iterable[Action]) -> tuple[Line, ...]:
    """The lines that show these actions: neighbours of a family together."""
    return tuple(
        line
        for family, items in groupby(actions, key=lambda item: item.family)
        for line in ([Line(tuple(items))] if family else [Line((item,)) for item in items])
    )
