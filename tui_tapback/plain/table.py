"""THE table of typed commands: names, arguments, what they do, and which actions they stand for."""

from __future__ import annotations

import difflib
from typing import Final

from tui_tapback.words import mark

from .command import Command, Topic
from .reading_table import MESSAGES, TAPBACKS

_TALKING: Final = (
    Command(
        "edit",
        "N",
        mark("say message N of yours anew; what came after it goes"),
        Topic.TALKING,
        covers=("edit_message", "external_editor"),
        more=mark("Without a number it is your last message. An empty line leaves all as it is."),
    ),
    Command(
        "retry",
        "N",
        mark("ask again for answer N, or try again what failed"),
        Topic.TALKING,
        covers=("ask_again",),
    ),
    Command(
        "rewind",
        "N",
        mark("take back message N of yours and all that came after it"),
        Topic.TALKING,
        covers=("rewind_here",),
    ),
    Command(
        "branch",
        "NAME at N",
        mark("go on in a copy of this chat that ends with message N"),
        Topic.TALKING,
        covers=("branch_here", "session_branch"),
    ),
    Command(
        "quote",
        "N TEXT",
        mark("answer with message N quoted above your text"),
        Topic.TALKING,
        covers=("quote_message",),
    ),
    Command(
        "discard",
        "N",
        mark("remove a message that waits to be sent"),
        Topic.TALKING,
        covers=("remove_waiting",),
    ),
    Command(
        "stop",
        "",
        mark("interrupt the agent; Ctrl+C does it, too"),
        Topic.TALKING,
        ("interrupt",),
        covers=("escape", "copy_or_interrupt"),
    ),
    Command("steer", "TEXT", mark("words for the agent while it works"), Topic.TALKING, covers=("steer",)),
    Command(
        "redirect",
        "TEXT",
        mark("cut the answer short and go on from these words"),
        Topic.TALKING,
        covers=("redirect",),
    ),
    Command(
        "compress",
        "FOCUS",
        mark("sum up the old part of the chat for the model"),
        Topic.TALKING,
        covers=("compress",),
    ),
    Command("questions", "", mark("what the agent wants to know"), Topic.TALKING),
    Command(
        "answer",
        "WORDS",
        mark("answer what the agent asks"),
        Topic.TALKING,
        covers=("answer_question",),
        more=mark("For leave: once, session, always or deny. In a list: a number. /answer cancel declines."),
    ),
    Command(
        "paste",
        "",
        mark("write several lines: all up to a line with /end is one message"),
        Topic.TALKING,
        covers=("newline",),
        more=mark("A line that ends with a backslash goes on with the next one. /drop throws all away."),
    ),
)

_WORK: Final = (
    Command("todo", "", mark("the agent's list to do"), Topic.TALKING, covers=("todo",)),
    Command(
        "tasks",
        "stop N",
        mark("what runs behind the chat; stop N ends one"),
        Topic.TALKING,
        covers=("tasks",),
    ),
    Command("background", "TEXT", mark("do it behind the chat"), Topic.TALKING, covers=("background",)),
    Command("btw", "TEXT", mark("ask aside, without a trace in the chat"), Topic.TALKING, covers=("btw",)),
    Command(
        "attach", "PATH", mark("let a file go with your next message"), Topic.TALKING, covers=("attach",)
    ),
)

_CHATS: Final = (
    Command(
        "sessions",
        "WORDS",
        mark("your chats with their numbers; only those that say these words"),
        Topic.CHATS,
        ("chats",),
        covers=("sessions", "session_reload"),
    ),
    Command("open", "N", mark("open number N of /sessions"), Topic.CHATS, covers=("session_open",)),
    Command("new", "", mark("begin a new chat"), Topic.CHATS, covers=("new_session", "session_new")),
    Command(
        "title", "TEXT", mark("name this chat; without a text, say its name"), Topic.CHATS, covers=("title",)
    ),
    Command("rename", "N TEXT", mark("name number N of /sessions"), Topic.CHATS, covers=("session_name",)),
    Command("archive", "N", mark("put number N of /sessions away"), Topic.CHATS, covers=("session_archive",)),
    Command("unarchive", "N", mark("take it back"), Topic.CHATS),
    Command("archived", "", mark("the chats that were put away"), Topic.CHATS, covers=("session_archived",)),
    Command(
        "delete",
        "N",
        mark("delete number N of /sessions; asks first"),
        Topic.CHATS,
        covers=("session_delete",),
    ),
    Command(
        "restore",
        "",
        mark("bring back what was just deleted or put away"),
        Topic.CHATS,
        covers=("session_undo",),
    ),
)

_PROGRAM: Final = (
    Command("status", "", mark("the connection, the chat, the model, what waits"), Topic.PROGRAM),
    Command("connections", "", mark("your gateways"), Topic.PROGRAM),
    Command("connect", "NAME", mark("go to another gateway"), Topic.PROGRAM, covers=("connections",)),
    Command("reconnect", "", mark("try the connection now"), Topic.PROGRAM, covers=("reconnect",)),
    Command(
        "quiet",
        "on or off",
        mark("keep what happens until you press Enter"),
        Topic.PROGRAM,
        more=mark("The setting plain_quiet makes it last."),
    ),
    Command(
        "speak",
        "names or both",
        mark("say emoji by name alone, or with the emoji itself"),
        Topic.PROGRAM,
        more=mark("The setting plain_emoji makes it last."),
    ),
    Command(
        "model",
        "NAME",
        mark("the models that can answer; with a name, choose one"),
        Topic.PROGRAM,
        ("models",),
        covers=("models",),
    ),
    Command("config", "", mark("the settings of the gateway"), Topic.PROGRAM, covers=("gateway_config",)),
    Command(
        "settings",
        "KEY VALUE",
        mark("what is set; with a value, set KEY to it"),
        Topic.PROGRAM,
        covers=("settings",),
        more=mark("/settings all reads all of them, /settings KEY one with its meaning."),
    ),
    Command(
        "help",
        "NAME",
        mark("these commands; with a name, more about one"),
        Topic.PROGRAM,
        ("keys",),
        covers=("help", "palette"),
    ),
    Command(
        "quit",
        "",
        mark("leave; Ctrl+D on an empty line does it, too"),
        Topic.PROGRAM,
        ("exit", "q"),
        covers=("quit",),
    ),
)

COMMANDS: Final[tuple[Command, ...]] = (*TAPBACKS, *MESSAGES, *_TALKING, *_WORK, *_CHATS, *_PROGRAM)
"""In the order in which help reads them."""


def command(name: str) -> Command | None:
    """The command of that name or other name."""
    return next((item for item in COMMANDS if name == item.name or name in item.aliases), None)


def nearest(typed: str) -> tuple[str, ...]:
    """Names that ``typed`` may have meant: those that it begins, else the most alike."""
    names = [name for item in COMMANDS for name in (item.name, *item.aliases)]
    begun = tuple(name for name in names if name.startswith(typed))
    return begun[:3] or tuple(difflib.get_close_matches(typed, names, n=3, cutoff=0.5))
