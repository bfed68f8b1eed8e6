"""The question is put to scripted terminals at the other end of a pseudo-terminal: old, mute, late."""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
import wcwidth

from tui_tapback.terminal.driver import Answer, Inquiry
from tui_tapback.terminal.early import EarlyKeys
from tui_tapback.terminal.probe import PROBES, SEQUENCES, measured_profile

if TYPE_CHECKING:
    from .conftest import ScriptedTerminal

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import termios

Scripted = Callable[..., "ScriptedTerminal"]
GENEROUS = 30.0


def added_up(text: str) -> int:
    return sum(max(0, wcwidth.wcwidth(char)) for char in text)


def clustered(text: str) -> int:
    return 1 if text in PROBES["symbols"] else 2


def ask(terminal: ScriptedTerminal, deadline: float = GENEROUS) -> Answer:
    with Inquiry(terminal.device, deadline=deadline) as inquiry:
        return inquiry.answer(deadline)


def test_an_old_terminal_tells_its_widths(scripted: Scripted) -> None:
    answer = ask(scripted(added_up))
    assert answer.result.widths == tuple(map(added_up, SEQUENCES))
    assert answer.result.mode2027 == "silent" and answer.keys == b""
    profile = measured_profile(answer.result)
    assert profile is not None and not profile.vs16 and profile.tag_flags


def test_a_modern_terminal_tells_its_widths_and_its_mode(scripted: Scripted) -> None:
    answer = ask(scripted(clustered, mode=2))
    assert answer.result.mode2027 == "reset"
    profile = measured_profile(answer.result)
    assert profile is not None and profile.joined and profile.unicode == 17


def test_nothing_that_is_typed_meanwhile_is_lost(scripted: Scripted) -> None:
    terminal = scripted(clustered, typing=(b"he", b"y", "❤️\r".encode(), b"\x1b[1;5R", b"\x1a"))
    answer = ask(terminal)
    assert answer.result.outcome == "answered"
    assert answer.keys == b"hey" + "❤️\r".encode() + b"\x1b[1;5R\x1a"


def test_a_mute_terminal_costs_the_deadline_and_no_more(scripted: Scripted) -> None:
    began = time.monotonic()
    answer = ask(scripted(clustered, answers=0), deadline=0.1)
    assert answer.result.outcome == "silent"
    assert answer.seconds >= 0.1 and time.monotonic() - began < 5


def test_a_terminal_that_stops_in_the_middle_is_not_believed(scripted: Scripted) -> None:
    answer = ask(scripted(clustered, answers=20, mode=1), deadline=0.3)
    assert answer.result.outcome == "partial" and answer.result.mode2027 == "set"
    assert measured_profile(answer.result) is None


def test_screen_and_modes_are_as_they_were_afterwards(scripted: Scripted) -> None:
    terminal = scripted(clustered)
    before = termios.tcgetattr(terminal.slave)
    with Inquiry(terminal.device, deadline=GENEROUS) as inquiry:
        during = termios.tcgetattr(terminal.slave)
        assert not during[3] & (termios.ECHO | termios.ICANON) and during[3] & termios.ISIG
        inquiry.answer(GENEROUS)
        assert termios.tcgetattr(terminal.slave) == before
    terminal.settle()
    assert not terminal.alternate and "\x1b[?25h" in terminal.written
    assert "\x1b[8m" in terminal.written and terminal.written.index("\x1b[?1049h") == 0


def test_a_failure_meanwhile_gives_the_terminal_back_and_swallows_the_answers(scripted: Scripted) -> None:
    terminal = scripted(clustered)
    before = termios.tcgetattr(terminal.slave)
    with pytest.raises(RuntimeError), Inquiry(terminal.device):
        # All answers are there before the program fails: none may reach the shell.
        deadline = time.monotonic() + GENEROUS
        while terminal.written.count("\x1b[6n") <= len(SEQUENCES):
            assert time.monotonic() < deadline
            threading.Event().wait(0.01)
        raise RuntimeError
    terminal.settle()
    assert termios.tcgetattr(terminal.slave) == before and not terminal.alternate
    os.set_blocking(terminal.slave, False)
    assert select.select([terminal.slave], [], [], 0)[0] == []


def test_who_is_interrupted_while_asking_gives_the_terminal_back(scripted: Scripted) -> None:
    terminal = scripted(clustered)
    before = termios.tcgetattr(terminal.slave)
    times = iter((0.0, 0.0))

    def clock() -> float:
        try:
            return next(times)
        except StopIteration:
            times_up.append(True)
            if len(times_up) == 1:
                raise KeyboardInterrupt from None
            return 0.0

    times_up: list[bool] = []
    with pytest.raises(KeyboardInterrupt), Inquiry(terminal.device, clock=clock):
        pytest.fail("it was not interrupted")
    assert termios.tcgetattr(terminal.slave) == before


def test_a_stopped_terminal_stops_nobody(scripted: Scripted) -> None:
    terminal = scripted(clustered)
    termios.tcflow(terminal.slave, termios.TCOOFF)
    began = time.monotonic()
    answer = ask(terminal, deadline=0.1)
    assert answer.result.outcome == "silent" and time.monotonic() - began < 5
    termios.tcflow(terminal.slave, termios.TCOON)


def test_the_answers_gather_while_something_else_is_done(scripted: Scripted) -> None:
    hold = threading.Event()
    terminal = scripted(clustered, hold=hold)
    with Inquiry(terminal.device, deadline=GENEROUS) as inquiry:
        hold.set()
        terminal.settle()  # the program loads; the terminal has answered everything by now
        answer = inquiry.answer(patience=0.0)
    assert answer.result.outcome == "answered"


def test_a_terminal_that_is_late_is_waited_for_within_the_patience_only(scripted: Scripted) -> None:
    hold = threading.Event()
    terminal = scripted(clustered, hold=hold)
    try:
        with Inquiry(terminal.device, deadline=GENEROUS) as inquiry:
            answer = inquiry.answer(patience=0.05)
        assert answer.result.outcome == "silent" and answer.seconds < 5
        assert inquiry.answer().result.outcome == "silent"
    finally:
        hold.set()


def test_where_there_is_no_terminal_the_answer_is_silence(tmp_path: object) -> None:
    for device in (f"{tmp_path}/none", os.devnull):
        with Inquiry(device) as inquiry:
            assert inquiry.answer().result.outcome == "silent"


def test_early_keys_and_the_question_share_a_terminal(scripted: Scripted) -> None:
    terminal = scripted(clustered, typing=(b"b",))
    before = termios.tcgetattr(terminal.slave)
    os.write(terminal.master, b"a\r")
    assert select.select([terminal.slave], [], [], GENEROUS)[0]
    with EarlyKeys(terminal.slave) as early:
        answer = ask(terminal)
        early.keep(answer.keys)
        os.write(terminal.master, b"c")
        assert select.select([terminal.slave], [], [], GENEROUS)[0]
        assert early.take() == "a\rbc"
    assert termios.tcgetattr(terminal.slave) == before
