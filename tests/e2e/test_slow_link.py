"""The real program at a terminal that is far away: what moves stands still, and moves again later."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tui_tapback.testing.home import Home
    from tui_tapback.testing.terminal import Terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]
QUESTION = b"\x1b[6n"
CTRL_T, CTRL_Q, BACKSPACE = "\x14", "\x11", "\x7f"
OVERDUE = 1.3
"""Seconds after which one answer alone makes the link slow."""
THUMB = "👍".encode()


class Link:
    """Answers each question about the cursor after ``delay`` seconds."""

    def __init__(self, chat: Terminal) -> None:
        self.delay = 0.0
        self.answered = 0
        self._chat = chat
        self._asked_at: list[float] = []

    def pump(self) -> None:
        self._chat.pump(0.02)
        now = time.monotonic()
        asked = self._chat.raw.count(QUESTION)
        self._asked_at += [now] * (asked - self.answered - len(self._asked_at))
        while self._asked_at and now - self._asked_at[0] >= self.delay:
            self._asked_at.pop(0)
            self.answered += 1
            os.write(self._chat.master, b"\x1b[1;1R")

    def until_answered(self, more: int) -> None:
        """Type, so that frames are drawn, until ``more`` questions have been answered."""
        goal, end = self.answered + more, time.monotonic() + 60
        while self.answered < goal:
            assert time.monotonic() < end, "the program does not ask"
            self.quiet(0.2)
            self._chat.press(f"x{BACKSPACE}")
        self.quiet(0.5)
        self._chat.press("x")
        self.quiet(0.5)
        self._chat.press(BACKSPACE)

    def quiet(self, seconds: float) -> None:
        """Go on until nothing has come for a while."""
        seen, since = len(self._chat.raw), time.monotonic()
        end = since + 20
        while time.monotonic() - since < seconds and time.monotonic() < end:
            self.pump()
            if len(self._chat.raw) != seen:
                seen, since = len(self._chat.raw), time.monotonic()

    def tap_back(self) -> int:
        """How often 👍 is drawn when it is set: once, and once more when its badge has popped."""
        self._chat.press(CTRL_T)
        self.quiet(0.5)
        before = len(self._chat.raw)
        self._chat.press("2")
        self.quiet(2.5)
        drawn = bytes(self._chat.raw[before:]).count(THUMB)
        self._chat.press(CTRL_T)  # and taken away again
        self.quiet(0.5)
        self._chat.press("2")
        self.quiet(1.0)
        return drawn

    def seen(self, drawn: int) -> bool:
        """Whether 👍 is drawn so often once the link is known: a busy machine is itself slow for a while."""
        for _ in range(5):
            self.until_answered(4)
            if self.tap_back() == drawn:
                return True
        return False


def test_nothing_moves_while_frames_arrive_late(home: Home) -> None:
    chat = home.chat("--emoji", "safe")
    chat.wait_for("online")
    link = Link(chat)
    chat.press("hello there\r")
    for _ in range(2):
        link.quiet(1.5)
    assert link.answered
    link.delay = OVERDUE
    link.until_answered(2)
    still = link.tap_back()
    link.delay = 0.0
    assert link.seen(still + 1), "no badge pops although the link is fast"
    link.delay = OVERDUE
    assert link.seen(still), "a badge pops although the link is slow"
    chat.press(CTRL_Q)
    assert chat.wait_exit() == 0
