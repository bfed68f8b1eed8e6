"""The real program gives the terminal back as it was: at its end, in a crash, when it is stopped."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tui_tapback.terminal.cache import ProbeCache
from tui_tapback.terminal.probe import SEQUENCES, ProbeResult
from tui_tapback.testing.home import Home

if TYPE_CHECKING:
    from .conftest import ScriptedTerminal

if not Path("/proc/self/environ").exists():
    pytest.skip("finding the gateway's process needs /proc", allow_module_level=True)

import termios

pytestmark = pytest.mark.slow
Scripted = Callable[..., "ScriptedTerminal"]
PATIENCE = 30.0
ENVIRON = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "OPENAI_MODEL": "companion"}
TELLS = ProbeResult("answered", "set", (2,) * len(SEQUENCES), tells=True)
"""A terminal that can tell when its background turns."""
_MODE = re.compile(r"\x1b\[\?([\d;]+)([hl])|\x1b\[([<>])\d*u")
CRASHING = """
from tui_tapback.testing.app import chat_app
from tui_tapback.testing.chat import MemoryChat

async def crash(pilot):
    await pilot.pause()
    raise RuntimeError("planted")

chat_app(MemoryChat()).run(auto_pilot=crash)
"""


def two(text: str) -> int:
    return 2 * len(text)


def unusual(written: str) -> set[str]:
    """Private modes that are not as in a fresh terminal, after all that was written."""
    usual = {"7": "h", "25": "h"}
    modes = dict[str, str]()
    keyboard = 0
    for numbers, state, push in _MODE.findall(written):
        keyboard += {"<": -1, ">": 1}.get(push, 0)
        for number in filter(None, numbers.split(";")):
            modes[number] = state
    found = {number for number, state in modes.items() if state != usual.get(number, "l")}
    return found | ({"keyboard"} if keyboard > 0 else set())


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    data = Path(home.env["TUI_TAPBACK_HOME"], "data")
    data.mkdir(parents=True, exist_ok=True)
    ProbeCache(data / "terminals.json").keep(home.env | ENVIRON, TELLS)
    yield home
    home.close()


class Program:
    """A program at a scripted terminal."""

    def __init__(self, terminal: ScriptedTerminal, home: Home, *arguments: str) -> None:
        self.terminal = terminal
        self.before = termios.tcgetattr(terminal.slave)
        end = terminal.slave
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=end,
            stdout=end,
            stderr=end,
            env=home.env | ENVIRON,
            process_group=0,
        )

    def until(self, holds: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, f"{what} does not happen:\n{self.terminal.written[-2000:]!r}"
            time.sleep(0.02)

    def drawn(self, text: str) -> None:
        self.until(lambda: text in self.terminal.written, f"that {text!r} is drawn")

    def stopped(self) -> bool:
        stat = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8")
        return stat.rpartition(")")[2].split()[0] == "T"

    def assert_left_as_it_was(self) -> None:
        self.terminal.settle()
        assert unusual(self.terminal.written) == set()
        assert termios.tcgetattr(self.terminal.slave) == self.before


@pytest.fixture
def run(home: Home, scripted: Scripted) -> Iterator[Callable[..., Program]]:
    running: list[Program] = []

    def start(*arguments: str) -> Program:
        running.append(Program(scripted(two), home, *arguments))
        return running[-1]

    yield start
    for program in running:
        program.process.kill()
        program.process.wait()


def test_leaving_puts_every_mode_back(run: Callable[..., Program]) -> None:
    program = run("-m", "tui_tapback.cli.main")
    program.drawn("online")
    assert unusual(program.terminal.written) >= {"1049", "2004", "1006", "25", "7", "2031", "keyboard"}
    os.write(program.terminal.master, b"\x11")
    assert program.process.wait(PATIENCE) == 0
    program.assert_left_as_it_was()


def test_a_crash_puts_every_mode_back_and_says_what_happened(run: Callable[..., Program]) -> None:
    program = run("-c", CRASHING)
    assert program.process.wait(PATIENCE) != 0
    program.assert_left_as_it_was()
    _, _, after = program.terminal.written.rpartition("\x1b[?1049l")
    assert "planted" in after


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_who_is_told_to_end_puts_every_mode_back(run: Callable[..., Program], number: signal.Signals) -> None:
    program = run("-m", "tui_tapback.cli.main")
    program.drawn("online")
    program.process.send_signal(number)
    assert program.process.wait(PATIENCE) == 128 + number
    program.assert_left_as_it_was()


def test_being_stopped_puts_every_mode_back_and_going_on_sets_them_again(run: Callable[..., Program]) -> None:
    program = run("-m", "tui_tapback.cli.main")
    program.drawn("online")
    during = unusual(program.terminal.written)
    raw = termios.tcgetattr(program.terminal.slave)
    program.process.send_signal(signal.SIGTSTP)
    program.until(program.stopped, "being stopped")
    program.assert_left_as_it_was()
    written = len(program.terminal.written)
    program.process.send_signal(signal.SIGCONT)
    program.until(lambda: "online" in program.terminal.written[written:], "a new picture")
    program.until(lambda: unusual(program.terminal.written) == during, "setting the modes again")
    assert termios.tcgetattr(program.terminal.slave) == raw
    os.write(program.terminal.master, b"\x11")
    assert program.process.wait(PATIENCE) == 0
    program.assert_left_as_it_was()


@pytest.mark.parametrize("stops", [True, False])
def test_going_on_without_having_heard_of_a_stop_is_a_new_start(
    run: Callable[..., Program], stops: bool
) -> None:
    program = run("-m", "tui_tapback.cli.main")
    program.drawn("online")
    raw = termios.tcgetattr(program.terminal.slave)
    if stops:
        program.process.send_signal(signal.SIGSTOP)
        program.until(program.stopped, "being stopped")
        termios.tcsetattr(program.terminal.slave, termios.TCSANOW, program.before)  # as shells do
    written = len(program.terminal.written)
    program.process.send_signal(signal.SIGCONT)
    program.until(lambda: "online" in program.terminal.written[written:], "a new picture")
    assert termios.tcgetattr(program.terminal.slave) == raw
    os.write(program.terminal.master, b"\x11")
    assert program.process.wait(PATIENCE) == 0
    program.assert_left_as_it_was()


def test_a_time_limit_that_runs_out_leaves_the_terminal_as_it_was(run: Callable[..., Program]) -> None:
    program = run("-m", "tui_tapback.cli.main")
    program.drawn("online")
    program.process.send_signal(signal.SIGTERM)
    program.process.send_signal(signal.SIGCONT)  # as timeout(1) does
    assert program.process.wait(PATIENCE) == 128 + signal.SIGTERM
    program.assert_left_as_it_was()
