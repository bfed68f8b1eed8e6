"""Says of each action of the screen how it is done here: by a command, or why not, and what else."""

from __future__ import annotations

from typing import Final

from tui_tapback.actions.action import Action, Group
from tui_tapback.actions.windows import WINDOWS
from tui_tapback.words import _, mark

from .command import Command
from .table import COMMANDS

REASONS: Final = {
    "theme": mark("Plain mode has no colours."),
    "keys": mark("The keys are the screen's; here each thing has a name, and /help reads the names."),
    "log_in": mark("Log in with tui-tapback login in the shell, then /reconnect."),
    "suspend": mark("Ctrl+Z goes back to the shell, as in every program; fg comes back here."),
    "send": mark("Enter sends the line."),
    "complete": mark("Names need not be whole: a wrong one is answered with the nearest."),
    "extend_down": mark("A command is for one message; /list 3 to 7 reads several."),
    "extend_up": mark("A command is for one message; /list 3 to 7 reads several."),
    "select_text": mark("Your terminal selects and copies text; /export writes it to a file."),
    "write": mark("The next line can always be written."),
}
"""Why there is no command, and what there is instead."""

_BIG: Final = mark("Plain mode shows no animation; /react sets the tapback itself.")
_WINDOWS: Final = mark(
    "There are no windows here: /help names the commands, and lists are read out with numbers for them."
)
_GROUPS: Final = {
    **dict.fromkeys((item.group for item in WINDOWS), _WINDOWS),
    Group.CARD: mark("A question is told here, and answered with /answer."),
    Group.PILL: mark("There is no pill: /react NAME says the tapback, /reactions reads the quick ones."),
    Group.PICKER: mark("There is no grid: /emoji WORDS finds emoji, /react NAME sets one."),
    Group.SESSIONS: mark("There is no window to close: /sessions lists, /open goes to one."),
    Group.LISTS: mark("There is no window with a list: lists are read out with numbers for the commands."),
    Group.EDITING: mark("The line has the usual keys of a shell; a selection there is none."),
}


def command_for(action: Action) -> Command | None:
    """The command that does what the action does."""
    return next((item for item in COMMANDS if action.id in item.covers), None)


def reason_for(action: Action) -> str:
    """Why no command does it, and what there is instead; empty where nothing was said about it."""
    if action.id.startswith("react_big_"):
        return _(_BIG)
    words = REASONS.get(action.id) or _GROUPS.get(action.group, "")
    return _(words) if words else ""
