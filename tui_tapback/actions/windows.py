"""Actions of the small windows, a group for each, with the command that the window runs."""

from __future__ import annotations

from typing import Final

from .action import Action, Group


def _of(group: Group, action_id: str, keys: str, command: str, *told: str) -> Action:
    """``told`` are its title and, for most, what it says beside it."""
    title, beside = told if len(told) > 1 else (*told, "")
    return Action(action_id, tuple(keys.split(",")), title, group, beside, command=command)


_CARD: Final = (
    _of(Group.CARD, "card_once", "o,O", "", "Allow it once"),
    _of(Group.CARD, "card_session", "s,S", "", "Allow it in this session"),
    _of(Group.CARD, "card_always", "a,A", "", "Always allow it"),
    _of(Group.CARD, "card_deny", "d,D", "", "Deny it"),
    _of(Group.CARD, "card_up", "pageup", "", "Read back", "what is asked about"),
    _of(Group.CARD, "card_down", "pagedown", "", "Read on", "what is asked about"),
    _of(Group.CARD, "card_back", "tab,shift+tab", "", "Back to where you were", "the question stays open"),
)
"""The card knows their keys."""

_CHOOSING: Final = (
    _of(Group.HELP, "help_keys", "c", "dismiss(True)", "Change keys"),
    _of(Group.SETTINGS, "setting_next", "right,l", "step(1)", "Next choice", "of a setting, in place"),
    _of(Group.SETTINGS, "setting_previous", "left,h", "step(-1)", "Previous choice"),
    _of(Group.SETTINGS, "setting_default", "d,delete", "default", "Back to the default"),
    _of(Group.SETTINGS, "setting_undo", "u,ctrl+z", "undo", "Take back the last change"),
    _of(Group.SETTINGS, "setting_search", "slash,ctrl+f", "search", "Search", "names, meanings and values"),
    _of(Group.SETTINGS, "setting_file", "e", "file", "Open the file", "in your own editor"),
    _of(Group.KEYS, "keys_more", "plus", "further", "One more key", "beside those that are there"),
    _of(Group.KEYS, "keys_none", "minus", "none", "No key at all"),
    _of(Group.KEYS, "keys_default", "d,delete", "default", "The keys of the preset again"),
    _of(Group.KEYS, "keys_preset", "p", "preset", "The next preset"),
    _of(Group.KEYS, "keys_find", "slash", "filter", "Find", "words of the action, or its key"),
    _of(Group.CONFIRM, "confirm_yes", "y,Y", "answer(True)", "Yes"),
    _of(Group.CONFIRM, "confirm_no", "n,N", "answer(False)", "No"),
)

_GATEWAYS: Final = (
    _of(Group.CONNECTIONS, "connection_log_in", "L,l", "log_in", "Log in"),
    _of(Group.CONNECTIONS, "connection_log_out", "O,o", "log_out", "Log out"),
    _of(Group.CONNECTIONS, "connection_try", "R,r", "try_now", "Try now", "instead of waiting"),
    _of(Group.CONNECTIONS, "connection_add", "A,a", "add", "Add a connection"),
    _of(Group.CONNECTIONS, "connection_edit", "E,e", "edit", "Change a connection"),
    _of(Group.CONNECTIONS, "connection_remove", "X,x,delete", "remove", "Remove a connection"),
    Action("form_save", ("ctrl+s",), "Save", Group.FORM, "from any field", priority=True, command="save"),
    _of(Group.LOGIN, "login_again", "f5", "again", "Ask again how one can log in"),
    _of(Group.LOGIN, "login_copy", "ctrl+y", "copy_address", "Copy the address for the browser"),
)

_TAPBACKS: Final = (
    _of(Group.TOLD, "told_keep_back", "space", "switch", "Keep a line back", "or tell it after all"),
    _of(Group.PINS, "pin_off", "d,delete", "unpin", "Take the pin off"),
    _of(Group.LENSES, "lens_whose", "a", "author", "Whose tapbacks", "everybody's, yours, the agent's"),
    _of(Group.LENSES, "lens_name", "n", "name", "Name it", "keeps what is under the cursor"),
    _of(Group.LENSES, "lens_drop", "d,delete", "forget", "Drop it", "of those with a name"),
    _of(Group.QUICK, "quick_down", "J,shift+down", "shift(1)", "Move it down"),
    _of(Group.QUICK, "quick_up", "K,shift+up", "shift(-1)", "Move it up"),
    _of(Group.QUICK, "quick_scope", "s", "scope", "This session or all"),
    _of(Group.QUICK, "quick_defaults", "d,delete", "defaults", "Those of the settings again"),
    _of(Group.FIGURES, "figures_anew", "r", "reset", "Begin anew", "twice, to be sure"),
)

_WORK: Final = (
    _of(Group.TASKS, "task_stop", "x,delete", "stop", "Stop the task"),
    _of(Group.TASKS, "task_ask", "r", "ask", "Ask the gateway again"),
    _of(Group.FILES, "file_add", "a", "add", "Add a file", "by its path"),
    _of(Group.FILES, "file_remove", "x,delete", "remove", "Take a file out"),
    _of(Group.MODELS, "model_narrow", "slash", "narrow", "Narrow the list", "by a part of the name"),
)

WINDOWS: Final[tuple[Action, ...]] = (*_CARD, *_CHOOSING, *_GATEWAYS, *_TAPBACKS, *_WORK)
"""In the order in which help shows them within each group."""
