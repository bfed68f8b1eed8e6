"""``doctor --keys``: asks for the keys of the chat one by one and tells which of them never arrive."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from textual import events

from tui_tapback.actions.action import Action
from tui_tapback.actions.showing import show_key
from tui_tapback.actions.table import ACTIONS
from tui_tapback.app.ahead import keys_of
from tui_tapback.words import _

from .output import say

NOTHING: Final = "space"
STOP: Final = "q"
_PATIENCE: Final = 0.12
"""Seconds that the rest of a sequence is waited for."""
# What Textual orders as well: keys are then told apart as well as the terminal can.
_BEGIN, _END = "\x1b[>1u", "\x1b[<u"
_SKIPPED: Final = ("ctrl+c", "ctrl+z")  # every terminal has these two, and a person in trouble needs them


def keys_to_test() -> dict[str, Action]:
    """Each key of the action table that a terminal, a multiplexer or a browser may keep for itself."""
    kept = ("ctrl+", "alt+", "shift+")
    return {
        key: action
        for action in ACTIONS
        for key in action.keys
        if key not in _SKIPPED and (key.startswith(kept) or (key[0] == "f" and key[1:].isdigit()))
    }


@dataclass
class KeyTest:
    """One round through ``keys``; ``arrived``, ``other`` and ``lost`` grow with each answer."""

    keys: tuple[str, ...]
    arrived: list[str] = field(default_factory=list[str])
    other: dict[str, str] = field(default_factory=dict[str, str])
    lost: list[str] = field(default_factory=list[str])
    stopped: bool = False

    @property
    def wanted(self) -> str | None:
        """The key to press now, None at the end."""
        place = len(self.arrived) + len(self.other) + len(self.lost)
        return None if self.stopped or place >= len(self.keys) else self.keys[place]

    def heard(self, key: str) -> None:
        """A key came: the wanted one, the sign for nothing, the sign to stop, or another one."""
        wanted = self.wanted
        if wanted is None:
            return
        if key == wanted:
            self.arrived.append(key)
        elif key == NOTHING:
            self.lost.append(wanted)
        elif key == STOP:
            self.stopped = True
        else:
            self.other[wanted] = key

    def result(self, actions: dict[str, Action]) -> Iterator[str]:
        """Sentences: what works, and for each key that does not another way to the same thing."""
        yield _("{arrived} of {count} keys arrive as they should.").format(
            arrived=len(self.arrived), count=len(self.keys)
        )
        for key in self.lost:
            yield _("{key} never arrives. {instead}").format(
                key=show_key(key), instead=_instead(key, actions[key])
            )
        for key, came in self.other.items():
            yield _("{key} arrives as {other}. {instead}").format(
                key=show_key(key), other=show_key(came), instead=_instead(key, actions[key])
            )
        if self.stopped:
            yield _("The rest was not tried.")


def _instead(key: str, action: Action) -> str:
    others = [show_key(other) for other in action.keys if other != key]
    ways = [
        *others,
        *([action.slash] if action.slash else []),
        *([_("the palette")] if action.palette else []),
    ]
    if not ways:
        return _("{action} has no second key.").format(action=_(action.title))
    return _("{action}: use {ways}.").format(action=_(action.title), ways=_(" or ").join(ways))


def ask_for_keys(read: Callable[[], str], tell: Callable[[str], None]) -> KeyTest:
    """Ask for every key; ``read`` gives what the keyboard sent, the empty string at its end."""
    actions = keys_to_test()
    test = KeyTest(tuple(actions))
    tell(_("Press each key that is named. Space: nothing happens when I press it. q: stop here."))
    while (wanted := test.wanted) is not None:
        tell(f"  {show_key(wanted)}")
        typed = read()
        if not typed:
            test.stopped = True
            break
        for event in keys_of(typed)[:1]:
            if isinstance(event, events.Key):
                test.heard(event.key)
    for sentence in test.result(actions):
        tell(sentence)
    return test


def try_keys() -> int:
    """Try the keys on this terminal; 0 where all arrived, 1 where not, 2 where this is no terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        say(_("tui-tapback: The keys can only be tried in a terminal."), stream=sys.stderr)
        return 2
    with _raw(sys.stdin.fileno()) as descriptor:
        test = ask_for_keys(lambda: _read(descriptor), lambda line: say(line, end="\r\n"))
    return 1 if test.lost or test.other else 0


@contextmanager
def _raw(descriptor: int) -> Generator[int]:
    before = termios.tcgetattr(descriptor)
    tty.setraw(descriptor)
    sys.stdout.write(_BEGIN)
    sys.stdout.flush()
    try:
        yield descriptor
    finally:
        sys.stdout.write(_END)
        sys.stdout.flush()
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)


def _read(descriptor: int) -> str:
    data = os.read(descriptor, 1024)
    while data and select.select([descriptor], [], [], _PATIENCE)[0]:
        more = os.read(descriptor, 1024)
        if not more:
            break
        data += more
    return "" if data in (b"\x03", b"\x04") else data.decode("utf-8", "replace")
