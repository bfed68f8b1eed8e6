"""The words for each state of the chat: banner, empty hint, window title; pure functions of the state."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Literal, assert_never

from tui_tapback.actions.showing import show_keys
from tui_tapback.actions.table import ACTIONS, action
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.widgets.statusbar import Link, StatusLine

PROGRAM = "tui_tapback"
HINT_SPOKEN = "Say hello."
HINT_KEYS = (
    f"When an answer has come, Esc and then 1-{len(QUICK_REACTIONS)} tap back on it.\nF1 shows all keys."
)


@value
class Banner:
    """A sentence above the composer that stays until the state changes."""

    text: str
    level: Literal["info", "warning", "error"]


def waiting_words(count: int) -> str:
    """``1 message or tapback is waiting``; the empty string for none."""
    if not count:
        return ""
    if count == 1:
        return "1 thing you sent is waiting and goes out by itself."
    return f"{count} things you sent are waiting and go out by themselves."


def banner(state: ClientState) -> Banner | None:
    """What must be said about the connection, None while all is well or it is only a moment's matter."""
    connection = state.connection
    detail = clean_line(connection.detail, 400)
    waiting = waiting_words(state.waiting)
    match connection.phase:
        case Phase.CONNECTING | Phase.ONLINE | Phase.CLOSED:
            return None
        case Phase.RECONNECTING:
            if connection.attempt < 2:
                return None
            return Banner(
                _join("The connection was lost; trying again.", waiting, "F5 tries at once."), "warning"
            )
        case Phase.OFFLINE:
            told = detail or "The gateway cannot be reached."
            return Banner(_join(told, waiting, "F5 tries again at once."), "warning")
        case Phase.REFUSED:
            told = detail or "The gateway refused this connection."
            return Banner(_join(told, waiting, "F2 goes to another gateway, F5 tries again."), "error")
        case _:
            assert_never(connection.phase)


def _join(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def empty_hint(state: ClientState) -> str:
    """The words in the middle of an empty chat, none where there are messages."""
    if state.messages:
        return ""
    if state.connection.phase is Phase.CONNECTING:
        return "Connecting…"
    if state.connection.phase is not Phase.ONLINE:
        return "Not connected.\nWhat you write is kept and goes out by itself."
    if state.loading:
        return "Opening the chat…"
    return f"{HINT_SPOKEN}\n\n{HINT_KEYS}"


class Mode(Enum):
    """What the keys do at the moment."""

    TYPING = "typing"
    READING = "reading"
    WORKING = "working"
    CHOOSING = "choosing"  # the pill is open
    PICKING = "picking"  # the picker is open


HINTS: Mapping[Mode, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        Mode.TYPING: (("react_last", "tap back"), ("help", "help"), ("to_transcript", "messages")),
        Mode.READING: (
            ("react_1", "tap back"),
            ("message_menu", "actions"),
            ("write", "write"),
            ("help", "help"),
        ),
        Mode.WORKING: (("escape", "stop"), ("help", "help")),
        Mode.CHOOSING: (
            ("pill_1", "choose"),
            ("pill_choose", "set"),
            ("pill_remove", "take back"),
            ("pill_picker", "more"),
            ("pill_close", "close"),
        ),
        Mode.PICKING: (("picker_apply", "react"), ("picker_category", "category"), ("picker_close", "back")),
    }
)
"""Ids of actions and the short word for each, the most useful first."""


def hints(mode: Mode) -> tuple[tuple[str, str], ...]:
    """The keys to show at the right of the status line."""
    return tuple((_shown(action_id), word) for action_id, word in HINTS[mode])


def action_of(hint: tuple[str, str]) -> str:
    """The id of the action that a hint of the status line is about, empty for none."""
    for mode, rows in HINTS.items():
        for (action_id, _), shown in zip(rows, hints(mode), strict=True):
            if shown == hint:
                return action_id
    return ""


def _shown(action_id: str) -> str:
    """The first key of an action; those of its whole family where that is a row of keys."""
    item = action(action_id)
    family = [each for each in ACTIONS if each.family and each.family == item.family] or [item]
    if len(family) < 3:
        family = [item]
    return show_keys(each.keys[0] for each in family)


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


def status_line(state: ClientState, now: float, mode: Mode = Mode.TYPING, *, draft: str = "") -> StatusLine:
    """The status line at Unix time ``now``; who types while the agent works is told how to stop it."""
    if mode is Mode.TYPING and state.running:
        mode = Mode.WORKING
    retry_at = state.connection.retry_at
    return StatusLine(
        link=_LINKS[state.connection.phase],
        retry_in=None if retry_at is None else max(0.0, retry_at - now),
        # While all is well a tapback is on its way for some milliseconds: a count of it would only flicker.
        waiting=state.overdue if state.connection.phase is Phase.ONLINE else state.waiting,
        activity="working…" if state.running else "",
        model=state.model,
        facts=facts(state, draft),
        title=state.title,
        hints=hints(mode),
    )


def facts(state: ClientState, draft: str) -> tuple[str, ...]:
    """The draft's length and the tokens in use, for the status line."""
    found: list[str] = []
    if draft.strip():
        words = len(draft.split())
        found.append(f"{words} word{'' if words == 1 else 's'}")
    if state.context_used:
        most = f"/{short(state.context_max)}" if state.context_max else ""
        found.append(f"{short(state.context_used)}{most} tokens")
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
