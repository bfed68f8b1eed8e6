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

from tui_tapback.terminal.background_cache import BackgroundCache
from tui_tapback.terminal.cache import ProbeCache
from tui_tapback.terminal.probe import PROBES, SEQUENCES, ProbeResult
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


WHITE, BLACK = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", b"\x1b]11;rgba:00/00/00/ff\x07"
LIGHT_FACE, DARK_FACE = "48;2;251;251;253", "48;2;20;22;26"
"""The background of our light theme, and of our dark one."""
ASKING = "\x1b[?2031h"


def face(terminal: ScriptedTerminal) -> str:
    """The theme in which was drawn last, once there is one."""
    places = {name: terminal.written.rfind(name) for name in (LIGHT_FACE, DARK_FACE)}
    return max(places, key=places.__getitem__) if max(places.values()) >= 0 else ""


def faced(terminal: ScriptedTerminal, expected: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while face(terminal) != expected:
        assert time.monotonic() < deadline, f"{expected} is not drawn: {terminal.written[-1500:]!r}"
        time.sleep(0.02)


def test_the_theme_is_that_of_the_background_from_the_first_picture_on_and_follows_it(
    home: Home, run: Run, scripted: Scripted
) -> None:
    colours = {"COLORTERM": "truecolor", "COLORFGBG": "15;0"}
    environ = home.env | UTF8 | colours
    data = Path(home.env["TUI_TAPBACK_HOME"], "data")
    data.mkdir(parents=True, exist_ok=True)
    ProbeCache(data / "terminals.json").keep(
        environ, ProbeResult("answered", "set", tuple(map(clustered, SEQUENCES)), tells=True)
    )
    BackgroundCache(data / "backgrounds.json").keep(environ, dark=False)
    terminal = scripted(clustered)
    os.write(terminal.master, b"typed " + WHITE + b"meanwhile")
    chat = run(terminal, **colours)
    drawn(terminal, "typed meanwhile")
    assert face(terminal) == LIGHT_FACE and DARK_FACE not in terminal.written
    assert terminal.written.count(ASKING) == 1 and PROBED not in terminal.written
    os.write(terminal.master, b"a")
    terminal.turn(dark=True)
    os.write(terminal.master, WHITE + BLACK + b"b")  # which nobody has asked for
    drawn(terminal, "typed meanwhileab")
    faced(terminal, DARK_FACE)
    terminal.turn(dark=False)
    faced(terminal, LIGHT_FACE)
    os.write(terminal.master, b"\x11")
    assert chat.wait(PATIENCE) == 0
    terminal.settle()
    assert "997" not in terminal.written and terminal.written.count("\x1b[?2031l") == 1


@pytest.mark.parametrize("arguments", [(), ("--theme", "dark")])
def test_a_background_that_is_told_after_the_first_picture_counts_and_is_not_typed(
    run: Run, scripted: Scripted, arguments: tuple[str, ...]
) -> None:
    terminal = scripted(clustered)
    chat = run(terminal, "--emoji", "safe", *arguments, COLORTERM="truecolor")
    drawn(terminal, "online")
    assert face(terminal) == DARK_FACE and ASKING not in terminal.written
    for piece in (b"be", WHITE[:7], WHITE[7:], b"fore\x1b]11;pink\x07"):
        os.write(terminal.master, piece)
    drawn(terminal, "before")
    if arguments:
        assert LIGHT_FACE not in terminal.written
    else:
        faced(terminal, LIGHT_FACE)
    os.write(terminal.master, b"\x11")
    assert chat.wait(PATIENCE) == 0
