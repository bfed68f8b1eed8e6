"""The commands of the plain mode: names, arguments, what they do, and which actions they stand for."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tui_tapback.words import mark


class Topic(StrEnum):
    """A heading of ``/help``; the value is what a person types after it."""

    TAPBACKS = "tapbacks"
    MESSAGES = "messages"
    TALKING = "talking"
    CHATS = "chats"
    PROGRAM = "program"


TITLES: Final = {
    Topic.TAPBACKS: mark("Tapbacks"),
    Topic.MESSAGES: mark("Reading messages"),
    Topic.TALKING: mark("Talking"),
    Topic.CHATS: mark("Chats"),
    Topic.PROGRAM: mark("The program"),
}


@dataclass(frozen=True, slots=True)
class Command:
    """``covers``: the ids of actions that this is the typed form of; ``more`` is read by ``/help NAME``."""

    name: str
    argument: str
    summary: str
    topic: Topic
    aliases: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    more: str = ""


def _each(name: str, *numbers: int) -> tuple[str, ...]:
    return tuple(f"{name}_{number}" for number in numbers)


_SIX: Final = (1, 2, 3, 4, 5, 6)

_TAPBACKS: Final = (
    Command(
        "react",
        "NAME on N",
        mark("react to message N, or to the agent's last one"),
        Topic.TAPBACKS,
        covers=(
            "react_last",
            "typed_reaction",
            "open_pill",
            "open_picker",
            "activate",
            *_each("react", *_SIX),
            *_each("pill", *_SIX, 7),
            "pill_choose",
            "pill_picker",
            "picker_apply",
            "picker_tone",
            "picker_tones",
        ),
        more=mark(
            "NAME is an emoji, its name, a short name such as tada, one of love, like, dislike, laugh, "
            "emphasize and question, or the number of a quick reaction from /reactions. Names may carry a "
            "skin tone: /react thumbs up: dark skin tone. Shorter: +:tada: reacts to the last answer, "
            "2+:tada: to the one before it."
        ),
    ),
    Command(
        "unreact",
        "N",
        mark("take your tapback back from message N, or from the agent's last one"),
        Topic.TAPBACKS,
        covers=("unreact_last", "take_back", "pill_remove"),
        more=mark("Shorter: - takes it from the last answer, 2- from the one before it."),
    ),
    Command("repeat", "N", mark("react with your last emoji again"), Topic.TAPBACKS, covers=("repeat",)),
    Command("echo", "N", mark("answer the agent's tapback with the same"), Topic.TAPBACKS, covers=("echo",)),
    Command(
        "undo",
        "",
        mark("take back the last change of a tapback; /undo turn takes the last turn back"),
        Topic.TAPBACKS,
        covers=("undo_tapback", "undo_turn"),
    ),
    Command("redo", "", mark("do again what /undo took back"), Topic.TAPBACKS, covers=("redo_tapback",)),
    Command(
        "who", "N", mark("who reacted and when, and what the agent will see"), Topic.TAPBACKS, covers=("who",)
    ),
    Command(
        "reactions",
        "",
        mark("the quick reactions by number; the setting quick_reactions chooses them"),
        Topic.TAPBACKS,
        covers=("quick_reactions",),
    ),
    Command(
        "emoji",
        "WORDS",
        mark("find an emoji by what it means"),
        Topic.TAPBACKS,
        covers=("picker_search",),
        more=mark("Each line is an emoji with its place among those found and the name for /react."),
    ),
    Command(
        "pending",
        "",
        mark("what the agent will be told of your tapbacks with the next message"),
        Topic.TAPBACKS,
    ),
    Command("withhold", "N", mark("do not tell the agent of your tapback on message N"), Topic.TAPBACKS),
    Command("tell", "N", mark("tell it after all"), Topic.TAPBACKS),
    Command("stats", "", mark("your tapbacks in figures"), Topic.TAPBACKS, covers=("figures",)),
)

_MESSAGES: Final = (
    Command(
        "list",
        "N",
        mark("the last N messages with their numbers, the newest last"),
        Topic.MESSAGES,
        ("messages",),
        covers=("to_transcript", "page_up", "half_page_up", "page_down", "half_page_down"),
        more=mark("/list 20 to 30 reads these. A number stays with its message until a chat is opened."),
    ),
    Command(
        "read",
        "N",
        mark("all of message N, or of the one where you are"),
        Topic.MESSAGES,
        covers=("message_menu", "next_part", "previous_part"),
    ),
    Command(
        "next",
        "KIND",
        mark("the next message; KIND may be reacted or mine"),
        Topic.MESSAGES,
        covers=("next_message", "next_prompt", "next_reacted"),
        more=mark("Behind the last message it says so; /first and /last go to the ends."),
    ),
    Command(
        "previous",
        "KIND",
        mark("the message before; KIND may be reacted or mine"),
        Topic.MESSAGES,
        ("prev",),
        covers=("previous_message", "previous_prompt", "previous_reacted"),
    ),
    Command("first", "", mark("the first message"), Topic.MESSAGES, covers=("first_message",)),
    Command("last", "", mark("the last message"), Topic.MESSAGES, covers=("last_message", "next_unread")),
    Command(
        "find",
        "WORDS",
        mark("messages that say all these words, in all chats"),
        Topic.MESSAGES,
        ("search",),
        covers=("find", "search", "search_history", "hit_up", "hit_down", "session_search"),
        more=mark(":heart: among the words keeps messages with that tapback. /hit N goes to what was found."),
    ),
    Command("hit", "N", mark("go to number N of what /find found"), Topic.MESSAGES),
    Command(
        "filter",
        "NAME",
        mark("messages with that tapback; without a name, with any"),
        Topic.MESSAGES,
        covers=("lens",),
    ),
    Command("code", "N", mark("only the code of message N"), Topic.MESSAGES, covers=("copy_code",)),
    Command("links", "N", mark("the links of message N"), Topic.MESSAGES, covers=("open_link", "copy_links")),
    Command(
        "tools",
        "N",
        mark("the last N things the agent used, with what came of them"),
        Topic.MESSAGES,
        covers=("fold",),
    ),
    Command("thoughts", "N", mark("what the agent thought before it wrote message N"), Topic.MESSAGES),
    Command(
        "export",
        "FORM FILE",
        mark("write this chat to a file: text, markdown, html or json"),
        Topic.MESSAGES,
        covers=("share", "copy", "copy_markdown"),
    ),
)

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

COMMANDS: Final[tuple[Command, ...]] = (*_TAPBACKS, *_MESSAGES, *_TALKING, *_WORK, *_CHATS, *_PROGRAM)
"""In the order in which help reads them."""


def command(name: str) -> Command | None:
    """The command of that name or other name."""
    return next((item for item in COMMANDS if name == item.name or name in item.aliases), None)


def nearest(typed: str) -> tuple[str, ...]:
    """Names that ``typed`` may have meant: those that it begins, else the most alike."""
    names = [name for item in COMMANDS for name in (item.name, *item.aliases)]
    begun = tuple(name for name in names if name.startswith(typed))
    return begun[:3] or tuple(difflib.get_close_matches(typed, names, n=3, cutoff=0.5))
