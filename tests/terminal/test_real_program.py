"""The real program at a scripted terminal: it asks before it draws, and loses no key."""

from __future__ import annotations

import fcntl
import json
import os
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import wcwidth

from tui_tapback.terminal.probe import PROBES
from tui_tapback.testing.home import Home

if TYPE_CHECKING:
    from .conftest import ScriptedTerminal

if not Path("/proc/self/environ").exists():
    pytest.skip("finding the gateway's process needs /proc", allow_module_level=True)

pytestmark = pytest.mark.slow
Scripted = Callable[..., "ScriptedTerminal"]
Program = subprocess.Popen[bytes]
Run = Callable[..., Program]
UTF8 = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
PATIENCE = 30.0
PICTURE = 3000
"""Bytes that a picture has at least, and nothing that is written before the first one."""
PROBED = "\r\x1b[K"
"""Stands before each emoji of the question; Textual writes it never."""


def clustered(text: str) -> int:
    return 1 if text in PROBES["symbols"] else 2


def added_up(text: str) -> int:
    return sum(max(0, wcwidth.wcwidth(char)) for char in text)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


@pytest.fixture
def run(home: Home) -> Iterator[Run]:
    """Runs the program of this checkout at a terminal, and ends what is left."""
    running: list[Program] = []

    def start(terminal: ScriptedTerminal, *arguments: str, **environ: str) -> Program:
        end = terminal.slave
        running.append(
            subprocess.Popen(
                [sys.executable, "-m", "tui_tapback.cli.main", *arguments],
                stdin=end,
                stdout=end,
                stderr=end,
                env=home.env | UTF8 | environ,
                start_new_session=True,
            )
        )
        return running[-1]

    yield start
    for program in running:
        program.kill()
        program.wait()


def drawn(terminal: ScriptedTerminal, text: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while text not in terminal.written:
        assert time.monotonic() < deadline, f"{text!r} is not drawn"
        time.sleep(0.02)


def test_the_chat_asks_once_before_it_draws_and_keeps_what_is_typed_meanwhile(
    home: Home, run: Run, scripted: Scripted
) -> None:
    terminal = scripted(clustered, mode=1, typing=(b"typed ", b"meanwhile"))
    chat = run(terminal)
    drawn(terminal, "typed meanwhile")
    assert terminal.written.count(PROBED) == 56
    assert terminal.written.index(PROBED) < terminal.written.index("typed meanwhile")
    os.write(terminal.master, b"\x11")
    assert chat.wait(PATIENCE) == 0
    kept = json.loads(Path(home.env["TUI_TAPBACK_HOME"], "data", "terminals.json").read_text("utf-8"))
    (entry,) = kept["terminals"].values()
    assert entry["result"]["outcome"] == "answered" and entry["result"]["mode2027"] == "set"

    second = scripted(clustered)
    again = run(second)
    drawn(second, "online")
    assert PROBED not in second.written
    os.write(second.master, b"\x11")
    assert again.wait(PATIENCE) == 0


def unread(terminal: ScriptedTerminal) -> int:
    """Bytes that the program has written and the terminal has not taken yet."""
    return struct.unpack("i", fcntl.ioctl(terminal.master, termios.FIONREAD, b"0123"))[0]


def test_an_answer_after_the_first_picture_redraws_it_and_is_kept(
    home: Home, run: Run, scripted: Scripted
) -> None:
    first = scripted(clustered)
    before = run(first, "--emoji", "safe")
    drawn(first, "online")
    os.write(first.master, "I ❤️ it\r".encode())
    drawn(first, "I ❤  it")
    os.write(first.master, b"\x11")
    assert before.wait(PATIENCE) == 0

    hold = threading.Event()  # the terminal does nothing at all until the chat has chosen without it
    terminal = scripted(clustered, hold=hold)
    chat = run(terminal)
    kept = Path(home.env["TUI_TAPBACK_HOME"], "data", "terminals.json")
    outcome = ""
    deadline = time.monotonic() + PATIENCE
    while outcome != "answered":
        assert time.monotonic() < deadline, f"{outcome!r} is kept"
        if kept.exists():
            (entry,) = json.loads(kept.read_text("utf-8"))["terminals"].values()
            assert hold.is_set() or entry["result"]["outcome"] == "silent"
            outcome = entry["result"]["outcome"]
            if unread(terminal) > PICTURE:
                hold.set()
        time.sleep(0.02)
    drawn(terminal, "I ❤️ it")
    os.write(terminal.master, b"\x11")
    assert chat.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    ("environ", "arguments"), [({"TMUX": "/tmp/tmux,1,0"}, ()), ({}, ("--emoji", "safe"))]
)
def test_the_chat_does_not_ask_where_the_answer_would_not_count(
    run: Run, scripted: Scripted, environ: dict[str, str], arguments: tuple[str, ...]
) -> None:
    terminal = scripted(clustered)
    chat = run(terminal, *arguments, **environ)
    drawn(terminal, "online")
    assert PROBED not in terminal.written
    os.write(terminal.master, b"\x11")
    assert chat.wait(PATIENCE) == 0


def test_the_doctor_draws_what_the_terminal_can(run: Run, scripted: Scripted) -> None:
    modern, old = scripted(clustered), scripted(added_up)
    for terminal, hearts in ((modern, "❤️ 👍 👎 😂 │  │ ❤️ 👍"), (old, "❤  👍 👎 😂 │  │ ❤️ 👍")):
        assert run(terminal, "doctor").wait(PATIENCE) == 0
        drawn(terminal, hearts)
        assert "answered after" in terminal.written and not terminal.alternate
