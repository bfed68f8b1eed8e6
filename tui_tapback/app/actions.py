"""THE action table: what one can do and by which keys; bindings, palette, help and docs come from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from textual.binding import Binding

from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.widgets.transcript.keys import BIG_KEYS, PILL_KEYS, TRANSCRIPT_KEYS


class Group(StrEnum):
    """Where an action works."""

    EVERYWHERE = "Everywhere"
    COMPOSER = "While typing"
    TRANSCRIPT = "In the transcript"
    PILL = "In the tapback pill"
    PICKER = "In the emoji picker"
    SESSIONS = "In the list of sessions"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do.

    ``id`` names the method ``action_<id>`` for groups whose keys the app binds itself (``BOUND``); those of
    the other groups live in their widgets, and a test presses each of them. ``keys`` are Textual key names,
    the first one is the one to show. ``slash`` is the typed form, ``title`` a short name, ``help`` a line.
    ``palette`` puts it into the command palette; ``priority`` makes its key win over the focused widget.
    """

    id: str
    keys: tuple[str, ...]
    title: str
    group: Group
    help: str = ""
    slash: str = ""
    palette: bool = False
    priority: bool = False

    @property
    def told(self) -> str:
        """Title and help in one line."""
        return f"{self.title}: {self.help}" if self.help else self.title


BOUND = (Group.EVERYWHERE, Group.SESSIONS)
_DIGITS = tuple(str(number) for number in range(1, len(QUICK_REACTIONS) + 1))
_SUGGESTED = str(len(QUICK_REACTIONS) + 1)


def _quick(group: Group, title: str, digits: tuple[str, ...] = _DIGITS) -> tuple[Action, ...]:
    """The quick reactions as one line, with no emoji named: a setting may choose others."""
    return (Action(f"{group.name.lower()}_quick", digits, title, group),)


_BIG = tuple(key for keys in BIG_KEYS for key in keys.split(","))
BIG_TOLD = "what Shift and the digit give on American, British, German and Spanish keyboards"
_ASKED = {
    "ask('repeat')": "repeat",
    "ask('echo')": "echo",
    "ask('undo')": "undo_tapback",
    "ask('redo')": "redo_tapback",
    "ask('who')": "who",
    "ask('lens')": "lens",
    "ask('menu')": "message_menu",
    "unread": "next_unread",
    "turn('edit')": "edit_message",
    "turn('again')": "ask_again",
    "turn('rewind')": "rewind_here",
    "turn('branch')": "branch_here",
    "turn('quote')": "quote_message",
    "turn('discard')": "remove_waiting",
}
"""Wishes that the screen carries out, also from the palette: the transcript's command and the action's id."""


_TYPED = {
    "edit_message": "/edit",
    "ask_again": "/retry",
    "branch_here": "/branch NAME",
    "who": "/who",
    "lens": "/filter",
}


def _from_widget(group: Group, rows: Iterable[tuple[str, str, str]]) -> tuple[Action, ...]:
    """A widget's own table ``(keys, command, description)``; its lines for single digits become one."""
    found: list[Action] = []
    for keys, command, description in rows:
        if keys.isdigit() and keys != "0":
            if keys == _DIGITS[0]:
                found += _quick(group, "React at once; the same key again takes it back")
            continue
        if keys in BIG_KEYS:
            if keys == BIG_KEYS[0]:
                found.append(Action("big", _BIG, "React with a big animation", group, BIG_TOLD))
            continue
        if command in _ASKED:
            asked = _ASKED[command]
            slash = _TYPED.get(asked, "")
            found.append(Action(asked, tuple(keys.split(",")), description, group, slash=slash, palette=True))
            continue
        found.append(Action(f"{group.name.lower()}_{command}", tuple(keys.split(",")), description, group))
    return tuple(found)


ACTIONS: tuple[Action, ...] = (
    # Everywhere
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
    # While typing
    Action("send", ("enter",), "Send", Group.COMPOSER, "send the message"),
    Action(
        "newline",
        ("ctrl+j", "shift+enter", "alt+enter"),
        "New line",
        Group.COMPOSER,
        "break the line; many terminals send the last two as plain Enter",
    ),
    Action(
        "react_last",
        ("ctrl+t", "alt+r"),
        "React",
        Group.COMPOSER,
        "open the tapback pill on the agent's last message",
        "/react NAME",
        True,
    ),
    Action("unreact_last", (), "Take back", Group.COMPOSER, "take your tapback from it", "/unreact"),
    Action(
        "search_history",
        ("ctrl+r",),
        "Search what you sent",
        Group.COMPOSER,
        "in all chats; Enter takes it, Esc leaves it",
        palette=True,
    ),
    Action(
        "external_editor",
        ("ctrl+g",),
        "Your own editor",
        Group.COMPOSER,
        "write in $VISUAL or $EDITOR",
        palette=True,
    ),
    Action("to_transcript", ("alt+up",), "Transcript", Group.COMPOSER, "go up to the messages; Esc as well"),
    Action(
        "typed_reaction",
        (),
        "Typed tapback",
        Group.COMPOSER,
        "react to the last answer; 2+:tada: to the one before, -:tada: takes back",
        "+:tada:",
    ),
    Action("quick_reactions", (), "Quick reactions", Group.COMPOSER, "choose the six", "/reactions", True),
    Action("pins", (), "Pinned messages", Group.COMPOSER, "of all sessions", "/pins", True),
    Action("pin_message", (), "Pin", Group.COMPOSER, "the selected message", palette=True),
    Action("figures", (), "My tapbacks in figures", Group.COMPOSER, "counted here only", "/stats", True),
    Action("mute_tapbacks", (), "Mute tapbacks", Group.COMPOSER, "neither counted nor told", "/mute", True),
    Action(
        "share",
        (),
        "Share card",
        Group.COMPOSER,
        "save the message as svg, png, html or text",
        "/share FORM",
        True,
    ),
    *_from_widget(Group.TRANSCRIPT, ((row.keys, row.action, row.description) for row in TRANSCRIPT_KEYS)),
    *_quick(Group.PILL, f"Choose a tapback and close; {_SUGGESTED} is a suggestion", (*_DIGITS, _SUGGESTED)),
    *_from_widget(Group.PILL, PILL_KEYS),
    # Picker
    Action("picker_search", (), "Search", Group.PICKER, "just type: everything printable is the search"),
    Action("picker_move", ("up", "down", "left", "right"), "Move", Group.PICKER, "the cursor in the grid"),
    Action("picker_page", ("pageup", "pagedown"), "Page", Group.PICKER, "a page of the grid up or down"),
    Action("picker_category", ("tab", "shift+tab"), "Category", Group.PICKER, "next and previous"),
    Action("picker_tone", ("alt+t", "ctrl+t"), "Skin tone", Group.PICKER, "of all emoji: arrows or 0 to 5"),
    Action("picker_tones", ("alt+v",), "Tones of one", Group.PICKER, "of the emoji under the cursor"),
    Action("picker_apply", ("enter",), "React", Group.PICKER, "with the emoji under the cursor"),
    Action(
        "picker_close", ("escape",), "Back", Group.PICKER, "clears the search, then goes back to the pill"
    ),
    # Sessions
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
    Action("session_delete", ("d", "delete"), "Delete", Group.SESSIONS, "u brings it back"),
    Action("session_undo", ("u",), "Undo", Group.SESSIONS, "the last deletion or putting away"),
    Action("session_reload", ("r",), "Reload", Group.SESSIONS, "ask the gateway again"),
    Action("session_close", ("escape", "q"), "Close", Group.SESSIONS, "back to the chat"),
)
"""In the order in which help and docs show them."""

_SHOWN = {
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "plus": "+",
    "minus": "-",
    "colon": ":",
    "slash": "/",
    "apostrophe": "'",
    "full_stop": ".",
    "equals_sign": "=",
    "greater_than_sign": ">",
    "question_mark": "?",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}


def action(action_id: str) -> Action:
    """The action of that id. Raises KeyError."""
    for item in ACTIONS:
        if item.id == action_id:
            return item
    raise KeyError(action_id)


def in_group(group: Group) -> tuple[Action, ...]:
    """The actions of a group, in table order."""
    return tuple(item for item in ACTIONS if item.group is group)


def bindings(group: Group, *, priority: bool | None = None) -> list[Binding]:
    """Textual bindings of a group the app binds itself; ``priority`` keeps only those with that flag."""
    return [
        Binding(",".join(item.keys), item.id, item.title, show=False, priority=item.priority)
        for item in in_group(group)
        if item.keys and priority in (None, item.priority)
    ]


def show_key(key: str) -> str:
    """A key name for people: ``ctrl+o`` → ``Ctrl+O``, ``f1`` → ``F1``, ``g`` stays."""
    parts = key.split("+") if len(key) > 1 else [key]
    return "+".join(_show_part(part, alone=len(parts) == 1) for part in parts)


def _show_part(part: str, *, alone: bool) -> str:
    if part in _SHOWN:
        return _SHOWN[part]
    if len(part) == 1:
        return part if alone else part.upper()
    return part.capitalize()


def show_keys(keys: Iterable[str]) -> str:
    """All keys of an action: ``F1``, ``j k ↑ ↓``; a run of digits becomes ``1-6``."""
    if tuple(keys) == _BIG:
        return f"Shift+{_DIGITS[0]}-{_DIGITS[-1]}"
    shown = [show_key(key) for key in keys]
    if len(shown) > 2 and all(key.isdigit() for key in shown):
        return f"{shown[0]}-{shown[-1]}"
    return " ".join(shown)


def markdown_table(groups: Iterable[Group] = tuple(Group)) -> str:
    """The keys as Markdown, a table for each group (docs/keys.md and the README)."""
    lines: list[str] = []
    for group in groups:
        lines += [f"### {group}", "", "| key | typed | what it does |", "| --- | --- | --- |"]
        lines += [
            f"| {_code(show_keys(item.keys))} | {_code(item.slash)} | {item.told} |"
            for item in in_group(group)
        ]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _code(text: str) -> str:
    return f"`{text}`" if text else ""
