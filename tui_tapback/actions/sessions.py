"""Actions of the list of sessions."""

from __future__ import annotations

from typing import Final

from .action import Action, Group

SESSIONS: Final[tuple[Action, ...]] = (
    Action("session_open", ("enter",), "Open", Group.SESSIONS, "the session under the cursor"),
    Action("session_new", ("n",), "New", Group.SESSIONS, "begin a new session"),
    Action(
        "session_search",
        ("slash",),
        "Search",
        Group.SESSIONS,
        "titles and all that was said; :heart: keeps those that bear that tapback",
    ),
    Action("session_name", ("t",), "Name", Group.SESSIONS, "give it another title"),
    Action("session_branch", ("b",), "Branch", Group.SESSIONS, "go on in a copy of it"),
    Action("session_archive", ("a",), "Archive", Group.SESSIONS, "put it away, or take it back"),
    Action("session_archived", ("v",), "Archived", Group.SESSIONS, "show what was put away"),
    Action("session_delete", ("d", "delete"), "Delete", Group.SESSIONS, "it can be undone"),
    Action("session_undo", ("u",), "Undo", Group.SESSIONS, "the last deletion or putting away"),
    Action("session_reload", ("r",), "Reload", Group.SESSIONS, "ask the gateway again"),
    Action("session_close", ("escape", "q"), "Close", Group.SESSIONS, "back to the chat"),
)
"""Bound by the list itself."""
