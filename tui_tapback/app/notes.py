"""The words for each state of the chat: banner, empty hint, window title; pure functions of the state."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Literal, assert_never

from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.resolving import standard
from tui_tapback.actions.sequences import Begun
from tui_tapback.actions.showing import show_key, show_keys
from tui_tapback.actions.table import ACTIONS, action
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.widgets.statusbar import Link, StatusLine
from tui_tapback.words import _, mark, plural

PROGRAM = "tui_tapback"
HINT_SPOKEN = mark("Say hello.")
HINT_KEYS = mark("When an answer has come, {esc} and then {keys} tap back on it.\n{help} shows all keys.")


@value
class Banner:
    """A sentence above the composer that stays until the state changes."""

    text: str
    level: Literal["info", "warning", "error"]


def waiting_words(count: int) -> str:
    """``1 message or tapback is waiting``; the empty string for none."""
    if not count:
        return ""
    return plural(
        "{count} thing you sent is waiting and goes out by itself.",
        "{count} things you sent are waiting and go out by themselves.",
        count,
    ).format(count=count)


def banner(state: ClientState, keymap: Keymap | None = None) -> Banner | None:
    """What must be said about the connection, None while all is well or it is only a moment's matter."""
    connection = state.connection
    detail = clean_line(connection.detail, 400)
    waiting = waiting_words(state.waiting)
    keymap = keymap or standard()
    again, elsewhere = keymap.way("reconnect"), keymap.way("connections")
    match connection.phase:
        case Phase.CONNECTING | Phase.ONLINE | Phase.CLOSED:
            return None
        case Phase.RECONNECTING:
            if connection.attempt < 2:
                return None
            at_once = _("{key} tries at once.").format(key=again)
            return Banner(_join(_("The connection was lost; trying again."), waiting, at_once), "warning")
        case Phase.OFFLINE:
            told = detail or _("The gateway cannot be reached.")
            return Banner(_join(told, waiting, _("{key} tries again at once.").format(key=again)), "warning")
        case Phase.REFUSED:
            told = detail or _("The gateway refused this connection.")
            ways = _("{key} goes to another gateway, {again} tries again.")
            return Banner(_join(told, waiting, ways.format(key=elsewhere, again=again)), "error")
        case _:
            assert_never(connection.phase)


def _join(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def empty_hint(state: ClientState, keymap: Keymap | None = None) -> str:
    """The words in the middle of an empty chat, none where there are messages."""
    if state.messages:
        return ""
    if state.connection.phase is Phase.CONNECTING:
        return _("Connecting…")
    if state.connection.phase is not Phase.ONLINE:
        return _("Not connected.\nWhat you write is kept and goes out by itself.")
    if state.loading:
        return _("Opening the chat…")
    keymap = keymap or standard()
    keys = row_of("react_1", keymap) or keymap.way("open_pill")
    told = _(HINT_KEYS).format(esc=keymap.first("escape"), keys=keys, help=keymap.way("help"))
    return f"{_(HINT_SPOKEN)}\n\n{told}"


class Mode(Enum):
    """What the keys do at the moment."""

    TYPING = "typing"
    READING = "reading"
    WORKING = "working"
    CHOOSING = "choosing"  # the pill is open
    PICKING = "picking"  # the picker is open
    MARKING = "marking"  # text is selected with the keys
    SEEKING = "seeking"  # a query is typed in the transcript


HINTS: Mapping[Mode, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        Mode.TYPING: (
            ("react_last", mark("tap back")),
            ("help", mark("help")),
            ("to_transcript", mark("messages")),
        ),
        Mode.READING: (
            ("react_1", mark("tap back")),
            ("message_menu", mark("actions")),
            ("write", mark("write")),
            ("help", mark("help")),
        ),
        Mode.WORKING: (("escape", mark("stop")), ("help", mark("help"))),
        Mode.CHOOSING: (
            ("pill_1", mark("choose")),
            ("pill_choose", mark("set")),
            ("pill_remove", mark("take back")),
            ("pill_picker", mark("more")),
            ("pill_close", mark("close")),
        ),
        Mode.PICKING: (
            ("picker_apply", mark("react")),
            ("picker_category", mark("category")),
            ("picker_close", mark("back")),
        ),
        Mode.MARKING: (("copy", mark("copy")), ("escape", mark("back"))),
        Mode.SEEKING: (("escape", mark("back")),),
    }
)
"""Ids of actions and the short word for each, the most useful first."""


def hints(mode: Mode, keymap: Keymap) -> tuple[tuple[str, str], ...]:
    """The keys to show at the right of the status line; what has no key is not shown."""
    rows = ((row_of(action_id, keymap), _(word)) for action_id, word in HINTS[mode])
    return tuple((keys, word) for keys, word in rows if keys)


def second_keys(begun: Begun) -> tuple[tuple[str, str], ...]:
    """The same while the second of two keys is waited for: the first, then what may follow."""
    following = ((show_key(key), _(item.title)) for key, item in begun.next)
    return ((f"{show_key(begun.key)} …", ""), *following)


def pill_labels(keymap: Keymap) -> tuple[str, ...]:
    """The keys of the pill's slots, for the line below them."""
    slots = (item for item in ACTIONS if item.family == action("pill_1").family)
    return tuple(show_keys(keymap.keys(item.id)[:1]) for item in slots)


def action_of(hint: tuple[str, str], keymap: Keymap) -> str:
    """The id of the action that a hint of the status line is about, empty for none."""
    for rows in HINTS.values():
        for action_id, word in rows:
            if (row_of(action_id, keymap), _(word)) == hint:
                return action_id
    # What Esc does at the moment is said by the part of the screen that does it (“show all”).
    return "escape" if hint[0] == row_of("escape", keymap) else ""


def row_of(action_id: str, keymap: Keymap) -> str:
    """The first key of an action; those of its whole family where that is a row of keys."""
    item = action(action_id)
    family = [each for each in ACTIONS if each.family and each.family == item.family] or [item]
    if len(family) < 3:
        family = [item]
    return show_keys(key for each in family for key in keymap.keys(each.id)[:1])


_LINKS = MappingProxyType(
    {
        Phase.CONNECTING: Link.CONNECTING,
        Phase.ONLINE: Link.ONLINE,
        Phase.RECONNECTING: Link.RECONNECTING,
        Phase.OFFLINE: Link.OFFLINE,
        Phase.REFUSED: Link.REFUSED,
        Phase.CLOSED: Link.OFFLINE,
    }
)


def status_line(
    state: ClientState, now: float, mode: Mode = Mode.TYPING, *, draft: str = "", keymap: Keymap | None = None
) -> StatusLine:
    """The status line at Unix time ``now``; who types while the agent works is told how to stop it."""
    if mode is Mode.TYPING and state.running:
        mode = Mode.WORKING
    retry_at = state.connection.retry_at
    return StatusLine(
        link=_LINKS[state.connection.phase],
        retry_in=None if retry_at is None else max(0.0, retry_at - now),
        # While all is well a tapback is on its way for some milliseconds: a count of it would only flicker.
        waiting=state.overdue if state.connection.phase is Phase.ONLINE else state.waiting,
        activity=_("working…") if state.running else "",
        model=state.model,
        facts=facts(state, draft),
        title=state.title,
        hints=hints(mode, keymap or standard()),
        now=(keymap or standard()).way("reconnect"),
    )


def facts(state: ClientState, draft: str) -> tuple[str, ...]:
    """The draft's length and the tokens in use, for the status line."""
    found: list[str] = []
    if draft.strip():
        words = len(draft.split())
        found.append(plural("{count} word", "{count} words", words).format(count=words))
    if state.context_used:
        most = f"/{short(state.context_max)}" if state.context_max else ""
        found.append(_("{count} tokens").format(count=f"{short(state.context_used)}{most}"))
    return tuple(found)


def short(count: int) -> str:
    """``950``, ``1.2k``, ``128k``, ``1.5M``."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            value = count / size
            return f"{value:.1f}".rstrip("0").rstrip(".") + unit if value < 100 else f"{value:.0f}{unit}"
    return str(count)


def window_title(state: ClientState) -> str:
    """The title for the terminal's window: the session's, cleaned, then the program's name."""
    title = clean_line(state.title, 60)
    return f"{title} · {PROGRAM}" if title else PROGRAM
