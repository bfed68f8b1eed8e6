"""Actions that work wherever the focus is."""

from __future__ import annotations

from typing import Final

from .action import Action, Group

EVERYWHERE: Final[tuple[Action, ...]] = (
    Action(
        "help",
        ("f1", "question_mark"),
        "Help",
        Group.EVERYWHERE,
        "all keys; ? only outside the composer",
        "/help",
        True,
    ),
    Action(
        "sessions", ("ctrl+o",), "Sessions", Group.EVERYWHERE, "list and open sessions", "/sessions", True
    ),
    Action(
        "find",
        ("ctrl+f",),
        "Find in all sessions",
        Group.EVERYWHERE,
        "words, :heart:, from:agent, in:here; Enter goes to the message",
        "/find WORDS",
        True,
        True,
    ),
    Action(
        "new_session", ("ctrl+n",), "New session", Group.EVERYWHERE, "begin a new one", "/new", True, True
    ),
    Action("palette", ("ctrl+p", "f3"), "Commands", Group.EVERYWHERE, "search all commands", priority=True),
    Action(
        "settings",
        ("f10", "ctrl+comma"),
        "Settings",
        Group.EVERYWHERE,
        "all of them, explained, with a preview",
        "/settings",
        True,
    ),
    Action("theme", (), "Change theme", Group.EVERYWHERE, "light, dark and others", "/theme", True),
    Action("title", (), "Name this session", Group.EVERYWHERE, "give it a title", "/title TEXT"),
    Action(
        "connections",
        ("f2",),
        "Connections",
        Group.EVERYWHERE,
        "your gateways, and how each link stands",
        "/connect NAME",
        True,
    ),
    Action("reconnect", ("f5",), "Reconnect now", Group.EVERYWHERE, "instead of waiting", "/reconnect", True),
    Action("log_in", (), "Log in", Group.EVERYWHERE, "where the gateway asks who is there", "/login", True),
    Action(
        "answer_question",
        ("alt+a",),
        "Answer what is asked",
        Group.EVERYWHERE,
        "goes to the card; then the letters, arrows and Enter, Esc denies",
        "/answer",
        True,
        True,
    ),
    Action("steer", (), "Steer the agent", Group.EVERYWHERE, "words for its running turn", "/steer TEXT"),
    Action(
        "redirect",
        (),
        "Redirect the agent",
        Group.EVERYWHERE,
        "cuts the answer short; it goes on from these words",
        "/redirect TEXT",
    ),
    Action(
        "undo_turn", (), "Take back the last turn", Group.EVERYWHERE, "yours and its answer", "/undo", True
    ),
    Action(
        "compress",
        (),
        "Sum up",
        Group.EVERYWHERE,
        "the old part of the chat, for the model only",
        "/compress FOCUS",
        True,
    ),
    Action(
        "escape",
        ("escape",),
        "Back",
        Group.EVERYWHERE,
        "closes what is on top, then interrupts the agent, then enters the transcript",
        priority=True,
    ),
    Action(
        "copy_or_interrupt",
        ("ctrl+c",),
        "Copy, interrupt, clear",
        Group.EVERYWHERE,
        "copies a selection, else interrupts, else clears the composer; twice on an empty one quits",
        priority=True,
    ),
    Action(
        "tasks",
        ("f9",),
        "Tasks",
        Group.EVERYWHERE,
        "helpers and commands that go on behind the chat; x stops one",
        "/tasks",
        True,
    ),
    Action("todo", ("f12",), "List to do", Group.EVERYWHERE, "fold or unfold the agent's", "/todo", True),
    Action("models", (), "Choose the model", Group.EVERYWHERE, "which one answers", "/model NAME", True),
    Action(
        "gateway_config",
        (),
        "Settings of the gateway",
        Group.EVERYWHERE,
        "as it shows them",
        "/config",
        True,
    ),
    Action(
        "attach",
        (),
        "Attach a file",
        Group.EVERYWHERE,
        "image or file, where the gateway takes it; also @path, or a file dropped on the terminal",
        "/attach PATH",
        True,
    ),
    Action("background", (), "Do in the background", Group.EVERYWHERE, "behind the chat", "/background TEXT"),
    Action("btw", (), "Ask aside", Group.EVERYWHERE, "leaves no trace in the chat", "/btw TEXT"),
    Action("suspend", ("ctrl+z",), "Suspend", Group.EVERYWHERE, "back to the shell; while typing it is undo"),
    Action(
        "quit",
        ("ctrl+q",),
        "Quit",
        Group.EVERYWHERE,
        "leave; the agent's gateway lives on for a while",
        "/quit",
        True,
        True,
    ),
)
"""Bound by the chat screen."""
