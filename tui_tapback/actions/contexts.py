"""Where keys are pressed: which groups of actions share the keys of one place, and where keys are text."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from .action import Action, Group
from .table import ACTIONS, in_group


class Context(Enum):
    """A place in which each key has at most one meaning."""

    COMPOSER = "composer"
    TRANSCRIPT = "transcript"
    PILL = "pill"
    PICKER = "picker"
    SESSIONS = "sessions"
    LISTS = "lists"
    ASKED = "asked"
    """A question is asked or a search typed in the chat: only what works everywhere."""
    LINE = "line"
    """A line is typed in a small window: only leaving and closing."""


OWN: Final[Mapping[Context, tuple[Group, ...]]] = MappingProxyType(
    {
        Context.COMPOSER: (Group.COMPOSER, Group.EDITING),
        Context.TRANSCRIPT: (Group.TRANSCRIPT,),
        Context.PILL: (Group.PILL,),
        Context.PICKER: (Group.PICKER,),
        Context.SESSIONS: (Group.SESSIONS,),
        Context.LISTS: (Group.LISTS,),
        Context.ASKED: (),
        Context.LINE: (),
    }
)
"""The groups whose actions belong to a place alone."""

TYPING: Final = frozenset({Context.COMPOSER, Context.PICKER, Context.ASKED, Context.LINE})
"""Places where what is printable is text."""
ON_CHAT: Final = frozenset(
    {Context.COMPOSER, Context.TRANSCRIPT, Context.PILL, Context.PICKER, Context.ASKED}
)
"""Places of the chat screen, where all that works everywhere does; on other screens only leaving does."""

ESSENTIAL: Final = ("quit", "escape", "help", "send")
"""Actions that no keymap may take away."""


def own(context: Context) -> tuple[Action, ...]:
    """The actions that belong to the place alone; the list of sessions also moves as all lists do."""
    found = tuple(item for group in OWN[context] for item in in_group(group))
    if context is Context.SESSIONS:
        found += tuple(item for item in in_group(Group.LISTS) if item.id not in ("list_choose", "list_close"))
    return found


def shared(context: Context) -> tuple[Action, ...]:
    """The actions that work there since they work everywhere."""
    everywhere = in_group(Group.EVERYWHERE)
    if context in ON_CHAT:
        return everywhere
    names = ("quit", "escape") if context is Context.LINE else ("quit",)
    return tuple(item for item in everywhere if item.id in names)


def mappable(item: Action) -> bool:
    """Whether a key can run it: what needs words behind it cannot."""
    return bool(item.keys) or item.palette


IDS: Final = frozenset(item.id for item in ACTIONS)
