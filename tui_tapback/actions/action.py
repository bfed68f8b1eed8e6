"""What an action is: one thing a person can do, with an id that stays, and the place where it works."""

from __future__ import annotations

from enum import StrEnum

from tui_tapback.domain.values import value
from tui_tapback.words import _


class Group(StrEnum):
    """Where an action works."""

    EVERYWHERE = "Everywhere"
    COMPOSER = "While typing"
    TRANSCRIPT = "In the transcript"
    PILL = "In the tapback pill"
    PICKER = "In the emoji picker"
    SESSIONS = "In the list of sessions"
    LISTS = "In all lists and small windows"
    CARD = "On the card of a question"
    HELP = "In the help"
    SETTINGS = "In the settings"
    KEYS = "In the list of keys"
    CONFIRM = "Where you are asked to confirm"
    CONNECTIONS = "In the list of connections"
    FORM = "In the form of a connection"
    LOGIN = "While you log in"
    TOLD = "In the window of who tapped back"
    PINS = "In the list of pinned messages"
    LENSES = "In the list of what to show"
    QUICK = "In the list of quick reactions"
    FIGURES = "In the figures of your tapbacks"
    TASKS = "In the list of tasks"
    FILES = "In the list of files"
    MODELS = "In the list of models"
    EDITING = "Editing what you type"


@value
class Action:
    """One thing a person can do.

    ``id`` is what settings name and never changes; where the screen binds the keys itself (``BOUND``) without
    a ``command``, and where ``palette`` puts it into the command palette, it names the method
    ``action_<id>``. ``keys`` are the default keys by Textual's names, the one to show first. ``command`` is
    what the widget or the window of the group runs.
    ``slash`` is the typed form, ``title`` a short name, ``help`` a line. ``priority`` makes its key win over
    the focused widget. Neighbours of one ``family`` are shown as one line with that text.
    ``basic`` puts it into the short table of the README.
    """

    id: str
    keys: tuple[str, ...]
    title: str
    group: Group
    help: str = ""
    slash: str = ""
    palette: bool = False
    priority: bool = False
    command: str = ""
    family: str = ""
    basic: bool = False

    @property
    def told(self) -> str:
        """Title and help in one line, in the language in use."""
        return f"{_(self.title)}: {_(self.help)}" if self.help else _(self.title)


@value
class Line:
    """What help and documents show: one action, or several of a family."""

    actions: tuple[Action, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """All their default keys."""
        return tuple(key for item in self.actions for key in item.keys)

    @property
    def told(self) -> str:
        """What they do."""
        return _(self.actions[0].family) or self.actions[0].told

    @property
    def slash(self) -> str:
        """The typed form, if there is one."""
        return self.actions[0].slash

    @property
    def id(self) -> str:
        """The id of the first."""
        return self.actions[0].id
