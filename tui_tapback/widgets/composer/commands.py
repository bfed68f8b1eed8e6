"""Reads what was typed: a message, a tapback written as text (``+:tada:``), or a slash command."""

from __future__ import annotations

import difflib
import re
from enum import Enum
from typing import Final

from tui_tapback.domain.values import value
from tui_tapback.emoji.typed import React, TapbackCommand, Unreact, read_tapback, without_colons

_SLASH: Final = re.compile(r"/(?P<name>[a-zA-Z][\w-]*)(?:\s+(?P<rest>.*))?", re.DOTALL)
_LITERAL_SHORTCODE: Final = re.compile(r"\\(:[\w+\-]+:)")


class Order(Enum):
    """A command without an argument; the value is its name."""

    NEW = "new"
    SESSIONS = "sessions"
    SETTINGS = "settings"
    KEYS = "keys"
    THEME = "theme"
    RECONNECT = "reconnect"
    LOG_IN = "login"
    HELP = "help"
    QUIT = "quit"
    ANSWER = "answer"
    UNDO = "undo"
    RETRY = "retry"
    EDIT = "edit"


class TapbackOrder(Enum):
    """A command about tapbacks without an argument; the value is its name."""

    WHO = "who"
    FILTER = "filter"
    REACTIONS = "reactions"
    STATS = "stats"
    PINS = "pins"
    MUTE = "mute"


@value
class Share:
    """``/share FORM``; an empty ``form`` is the usual one."""

    form: str


@value
class SetTitle:
    """``/title TEXT``; ``title`` may be empty, which asks for the present one."""

    title: str


@value
class Find:
    """``/find WORDS``; ``words`` may be empty."""

    words: str


class Course(Enum):
    """A command that takes words along; the value is its name."""

    BRANCH = "branch"
    COMPRESS = "compress"
    STEER = "steer"
    REDIRECT = "redirect"


@value
class SetCourse:
    """``/branch NAME`` and its like; ``words`` may be empty."""

    course: Course
    words: str


class Job(Enum):
    """A command about the agent's work; the value is its name."""

    ATTACH = "attach"
    TASKS = "tasks"
    LIST = "todo"
    MODEL = "model"
    CONFIG = "config"
    BACKGROUND = "background"
    BTW = "btw"


@value
class SetJob:
    """``/attach PATH`` and its like; ``words`` may be empty."""

    job: Job
    words: str


@value
class SetConnection:
    """``/connect NAME``; an empty ``name`` asks for the list."""

    name: str


@value
class Unknown:
    """A slash command that there is none of; ``suggestions`` are the nearest names, best first."""

    name: str
    suggestions: tuple[str, ...] = ()
    rest: str = ""


@value
class Say:
    """A message for the agent; escapes are resolved."""

    text: str


Command = (
    TapbackCommand
    | Order
    | TapbackOrder
    | Share
    | SetTitle
    | Find
    | SetCourse
    | SetConnection
    | SetJob
    | Unknown
    | Say
)


@value
class SlashCommand:
    """One line of help: name without the slash, its argument, what it does, other names."""

    name: str
    argument: str
    summary: str
    aliases: tuple[str, ...] = ()


COMMANDS: Final = (
    SlashCommand("react", "NAME", "tap back on the agent's last message"),
    SlashCommand("unreact", "", "take your tapback from it"),
    SlashCommand("who", "", "who reacted, and what the agent will see"),
    SlashCommand("filter", "", "only messages with certain tapbacks"),
    SlashCommand("reactions", "", "choose the quick reactions"),
    SlashCommand("pins", "", "pinned messages"),
    SlashCommand("stats", "", "figures of your tapbacks"),
    SlashCommand("mute", "", "tapbacks neither counted nor told"),
    SlashCommand("share", "FORM", "save a message as svg, png, html or text"),
    SlashCommand("new", "", "begin a new chat"),
    SlashCommand("sessions", "", "choose a chat"),
    SlashCommand("find", "WORDS", "find a message in all chats"),
    SlashCommand("title", "TEXT", "name this chat"),
    SlashCommand("answer", "", "go to the question of the agent"),
    SlashCommand("edit", "", "edit your last message and send it anew"),
    SlashCommand("retry", "", "ask again for the last answer"),
    SlashCommand("undo", "", "take the last turn back"),
    SlashCommand("branch", "NAME", "go on in a copy of this chat"),
    SlashCommand("compress", "FOCUS", "sum the old part up for the model"),
    SlashCommand("steer", "TEXT", "give the working agent a hint"),
    SlashCommand("redirect", "TEXT", "cut the answer short and go on from this"),
    SlashCommand("attach", "PATH", "send an image or a file with the next message"),
    SlashCommand("tasks", "", "what goes on behind this chat; stop it"),
    SlashCommand("todo", "", "fold or unfold the agent's list to do"),
    SlashCommand("model", "NAME", "choose the model that answers"),
    SlashCommand("config", "", "the settings of the gateway"),
    SlashCommand("background", "TEXT", "let something be done behind the chat"),
    SlashCommand("btw", "TEXT", "ask something that leaves no trace in the chat"),
    SlashCommand("settings", "", "all settings, explained, with a preview"),
    SlashCommand("keys", "", "look up and change keys"),
    SlashCommand("theme", "", "choose the colours"),
    SlashCommand("connect", "NAME", "go to another gateway; without a name the list"),
    SlashCommand("reconnect", "", "try the connection now"),
    SlashCommand("login", "", "log in where the gateway asks who is there"),
    SlashCommand("help", "", "keys and commands"),
    SlashCommand("quit", "", "leave", ("exit", "q")),
)


def parse_tapback_command(text: str) -> TapbackCommand | None:
    """The tapback that ``text`` alone is, or None if it is something else.

    ``+:name:``, ``+😀``, ``2+:tada:`` (the second last message of the agent), ``-``, ``-:tada:``, ``2-``,
    ``/react NAME``, ``/unreact``. Names are not resolved here: ``React.emoji`` is a name without its colons
    or whatever else stood there. ``+1``, ``+`` and ``-x`` are ordinary text.
    """
    text = text.strip()
    if "\n" in text:
        return None
    if slash := _SLASH.fullmatch(text):
        return _slash_tapback(slash["name"].lower(), (slash["rest"] or "").strip())
    return read_tapback(text)


def _slash_tapback(name: str, rest: str) -> TapbackCommand | None:
    if name not in ("react", "unreact"):
        return None
    back = 1
    if counted := re.fullmatch(r"([1-9]\d{0,2})(?:\s+(.*)|$)", rest) if name == "unreact" else None:
        back, rest = int(counted[1]), (counted[2] or "").strip()
    rest = without_colons(rest)
    return React(rest, back) if name == "react" else Unreact(rest, back)


def read_input(text: str) -> Command:
    """What the person asked for by sending ``text``.

    ``//x`` is the message ``/x``; a slash inside the first word (``/etc/hosts``) or a second line makes it a
    message as well. ``\\:name:`` is the message ``:name:``.
    """
    stripped = text.strip()
    if stripped.startswith("//"):
        return Say(_unescape(stripped[1:]))
    if tapback := parse_tapback_command(text):
        return tapback
    found = _SLASH.fullmatch(stripped)
    if not found or "\n" in stripped:
        return Say(_unescape(text))
    return _general(found["name"].lower(), (found["rest"] or "").strip())


def _general(typed: str, rest: str) -> Command:
    name = next((c.name for c in COMMANDS if typed == c.name or typed in c.aliases), "")
    if name == "title":
        return SetTitle(rest)
    if name == "find":
        return Find(rest)
    if name == "share":
        return Share(rest.lower())
    if name in {order.value for order in TapbackOrder}:
        return TapbackOrder(name)
    if name == "connect":
        return SetConnection(rest)
    if name in {job.value for job in Job}:
        return SetJob(Job(name), rest)
    if name in {course.value for course in Course}:
        return SetCourse(Course(name), rest)
    return Order(name) if name else Unknown(typed, nearest_commands(typed), rest)


def nearest_commands(typed: str) -> tuple[str, ...]:
    """Names of commands that ``typed`` may have meant: those it begins, else the most alike."""
    names = [command.name for command in COMMANDS]
    begun = tuple(name for name in names if name.startswith(typed))
    return begun or tuple(difflib.get_close_matches(typed, names, n=3, cutoff=0.5))


def _unescape(text: str) -> str:
    return _LITERAL_SHORTCODE.sub(r"\1", text)
