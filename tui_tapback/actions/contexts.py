"""Where keys are pressed: which groups of actions share the keys of one place, and where keys are text."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from tui_tapback.emoji.quick import QUICK_REACTIONS

from .action import Action, Group
from .table import ACTIONS, action, in_group


class Context(Enum):
    """A place in which each key has at most one meaning."""

    COMPOSER = "composer"
    TRANSCRIPT = "transcript"
    PILL = "pill"
    PICKER = "picker"
    SESSIONS = "sessions"
    LISTS = "lists"
    """A window with a list and no keys of its own."""
    CARD = "card"
    """The agent asks whether it may do something."""
    ANSWER = "answer"
    """Another answer is given on the card: by a number, or typed."""
    ASKED = "asked"
    """A search is typed in the chat: only what works everywhere."""
    LINE = "line"
    """A line is typed in a small window: only leaving and closing."""
    HELP = "help"
    SETTINGS = "settings"
    KEYS = "keys"
    CONFIRM = "confirm"
    CONNECTIONS = "connections"
    FORM = "form"
    LOGIN = "login"
    WAYS = "ways"
    """The list of the ways to log in."""
    MENU = "menu"
    TOLD = "told"
    PINS = "pins"
    LENSES = "lenses"
    QUICK = "quick"
    FIGURES = "figures"
    TASKS = "tasks"
    FILES = "files"
    MODELS = "models"


OWN: Final[Mapping[Context, tuple[Group, ...]]] = MappingProxyType(
    {
        Context.COMPOSER: (Group.COMPOSER, Group.EDITING),
        Context.TRANSCRIPT: (Group.TRANSCRIPT,),
        Context.PILL: (Group.PILL,),
        Context.PICKER: (Group.PICKER,),
        Context.SESSIONS: (Group.SESSIONS,),
        Context.LISTS: (Group.LISTS,),
        Context.CARD: (Group.CARD,),
        Context.ANSWER: (),
        Context.ASKED: (),
        Context.LINE: (),
        Context.HELP: (Group.HELP, Group.LISTS),
        Context.SETTINGS: (Group.SETTINGS, Group.LISTS),
        Context.KEYS: (Group.KEYS, Group.LISTS),
        Context.CONFIRM: (Group.CONFIRM, Group.LISTS),
        Context.CONNECTIONS: (Group.CONNECTIONS, Group.LISTS),
        Context.FORM: (Group.FORM,),
        Context.LOGIN: (Group.LOGIN,),
        Context.WAYS: (Group.LOGIN, Group.LISTS),
        Context.MENU: (Group.LISTS,),
        Context.TOLD: (Group.TOLD, Group.LISTS),
        Context.PINS: (Group.PINS, Group.LISTS),
        Context.LENSES: (Group.LENSES, Group.LISTS),
        Context.QUICK: (Group.QUICK, Group.LISTS),
        Context.FIGURES: (Group.FIGURES, Group.LISTS),
        Context.TASKS: (Group.TASKS, Group.LISTS),
        Context.FILES: (Group.FILES, Group.LISTS),
        Context.MODELS: (Group.MODELS, Group.LISTS),
    }
)
"""The groups whose actions belong to a place, the one that is its own first."""

BORROWED: Final[Mapping[Context, tuple[str, ...]]] = MappingProxyType(
    {
        Context.ANSWER: ("card_up", "card_down", "card_back"),
        # The key that opened a window closes it as well.
        Context.HELP: ("help",),
        Context.SETTINGS: ("settings",),
        Context.CONNECTIONS: ("connections", "reconnect"),
        Context.MENU: ("message_menu",),
        Context.TOLD: ("who", *(f"react_{number}" for number in range(1, len(QUICK_REACTIONS) + 1))),
        Context.LENSES: ("lens",),
    }
)
"""Actions of other places that mean the same, or the opposite, in this one, where their keys are free."""

TYPING: Final = frozenset(
    {Context.COMPOSER, Context.PICKER, Context.ANSWER, Context.ASKED, Context.LINE}
    | {Context.FORM, Context.LOGIN}
)
"""Places where what is printable is text."""
ON_CHAT: Final = frozenset(
    {Context.COMPOSER, Context.TRANSCRIPT, Context.PILL, Context.PICKER}
    | {Context.CARD, Context.ANSWER, Context.ASKED}
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


def borrowed(context: Context) -> tuple[Action, ...]:
    """The actions that the place has from others; they give way to all that is its own."""
    return tuple(map(action, BORROWED.get(context, ())))


def shared(context: Context) -> tuple[Action, ...]:
    """The actions that work there since they work everywhere."""
    everywhere = in_group(Group.EVERYWHERE)
    if context in ON_CHAT:
        return everywhere
    names = ("quit", "escape") if context in TYPING else ("quit",)
    return tuple(item for item in everywhere if item.id in names)


def mappable(item: Action) -> bool:
    """Whether a key can run it: what needs words behind it cannot."""
    return bool(item.keys) or item.palette


IDS: Final = frozenset(item.id for item in ACTIONS)
