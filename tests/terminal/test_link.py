"""When the link to the terminal counts as slow, in made-up time and at a terminal that is held up."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tui_tapback.terminal.link import EVERY, FAST, HEALED, MUTE, QUESTION, SLOW, LinkPace

if TYPE_CHECKING:
    from .conftest import ScriptedTerminal

Scripted = Callable[..., "ScriptedTerminal"]


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Wire:
    """A terminal at the end of a line of ``rate`` bytes a second that delays by ``delay`` seconds."""

    def __init__(self, rate: float, delay: float) -> None:
        self.clock = Clock()
        self.pace = LinkPace(self.clock)
        self.rate, self.delay = rate, delay
        self._free_at, self._answers = self.clock.now, list[float]()

    def draw(self, size: int) -> None:
        self._send(size)
        if self.pace.frame_drawn():
            self._answers.append(self._send(len(QUESTION)) + self.delay)

    def run(self, seconds: float, size: int = 2000, every: float = 0.1) -> bool:
        """Draw frames of ``size`` bytes for a while; whether the link is slow at the end."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.draw(size)
            self.clock.now += every
            while self._answers and self._answers[0] <= self.clock.now:
                self._answers.pop(0)
                self.pace.acknowledged()
        return self.pace.slow

    def _send(self, size: int) -> float:
        self._free_at = max(self._free_at, self.clock.now) + size / self.rate
        return self._free_at


def test_a_local_terminal_and_a_good_line_are_fast() -> None:
    assert not Wire(50_000_000, 0.0005).run(30)
    assert not Wire(200_000, 0.08).run(30)


def test_a_line_that_cannot_carry_the_frames_is_slow_and_heals_with_smaller_ones() -> None:
    wire = Wire(9600 / 10, 0.02)
    assert wire.run(20)
    assert not wire.run(600, size=5, every=0.05)


def test_a_far_away_terminal_is_slow() -> None:
    assert Wire(200_000, 0.6).run(30)


def test_one_hiccup_is_no_slowness() -> None:
    wire = Wire(200_000, 0.02)
    wire.run(10)
    wire.delay = 0.4
    wire.run(EVERY)
    wire.delay = 0.02
    assert not wire.run(10)


def test_questions_are_sparse() -> None:
    clock = Clock()
    pace = LinkPace(clock)
    asked = 0
    for _ in range(6000):  # a minute at 100 frames a second
        clock.now += 0.01
        if pace.frame_drawn():
            asked += 1
            pace.acknowledged()
    assert asked <= 60 / EVERY + 1


def test_a_terminal_that_never_answers_is_asked_once_and_counts_as_fast() -> None:
    clock = Clock()
    pace = LinkPace(clock)
    assert pace.frame_drawn()
    for _ in range(100):
        clock.now += 1
        assert not pace.frame_drawn() and not pace.slow
    assert clock.now - 1000 > MUTE and pace.last is None


def test_a_stall_is_noticed_before_its_answer_comes() -> None:
    clock = Clock()
    pace = LinkPace(clock)
    assert pace.frame_drawn()
    pace.acknowledged()
    clock.now += EVERY
    assert pace.frame_drawn() and not pace.slow
    clock.now += 4 * SLOW
    assert pace.slow
    pace.acknowledged()
    assert pace.slow and pace.last == pytest.approx(4 * SLOW)


class Paces(RuleBasedStateMachine):
    """Against a plain retelling: the answered times since the last change decide."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.pace = LinkPace(self.clock)
        self.waiting = False
        self.slow = False
        self.times: list[float] = []

    @rule(seconds=st.sampled_from([0.0, 0.01, FAST, SLOW / 1.5, SLOW, 1.0, EVERY, 60.0]))
    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule()
    def draw(self) -> None:
        asked = self.pace.frame_drawn()
        assert not (asked and self.waiting), "two questions at once cannot be told apart"
        self.waiting = self.waiting or asked
        if asked:
            self.asked_at = self.clock.now

    @precondition(lambda self: self.waiting)
    @rule()
    def answer(self) -> None:
        self.waiting = False
        self.times.append(self.clock.now - self.asked_at)
        self.pace.acknowledged()
        if self.slow and len(self.times) >= HEALED and max(self.times[-HEALED:]) < FAST:
            self.slow, self.times = False, []
        elif not self.slow and (
            self.times[-1] >= 4 * SLOW or (len(self.times) > 1 and min(self.times[-2:]) >= SLOW)
        ):
            self.slow, self.times = True, []

    @rule()
    def unasked_answer(self) -> None:
        if not self.waiting:
            before = self.pace.last
            self.pace.acknowledged()
            assert self.pace.last == before

    @invariant()
    def agrees(self) -> None:
        assert self.pace.slow or not self.slow
        if not self.waiting:
            assert self.pace.slow is self.slow


Paces.TestCase.settings = settings(max_examples=200, stateful_step_count=40, deadline=None)
TestPaces = Paces.TestCase


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_real_terminal_acknowledges_after_all_that_was_written_before(scripted: Scripted) -> None:
    import tty

    hold, clock = threading.Event(), Clock()
    pace = LinkPace(clock)
    terminal = scripted(len, hold=hold)
    tty.setraw(terminal.slave)

    def exchange(seconds: float) -> None:
        hold.clear()
        assert pace.frame_drawn()
        os.write(terminal.slave, b"\x1b[2;1H" + b"x" * 2000 + QUESTION.encode())
        assert not select.select([terminal.slave], [], [], 0.05)[0], "an answer before the frame was drawn"
        clock.now += seconds
        hold.set()
        assert select.select([terminal.slave], [], [], 30)[0]
        assert os.read(terminal.slave, 100).endswith(b"R")
        pace.acknowledged()
        clock.now += EVERY

    exchange(0.01)
    assert not pace.slow
    exchange(1.1 * SLOW)
    exchange(1.1 * SLOW)
    assert pace.slow
    for _ in range(HEALED):
        assert pace.slow
        exchange(0.01)
    assert not pace.slow
