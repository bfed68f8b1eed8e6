"""The last frame is shown on the background that it was drawn for, or not at all."""

from __future__ import annotations

import os
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tui_tapback.terminal import last_frame
from tui_tapback.terminal.background import QUESTION
from tui_tapback.terminal.last_frame import Frame
from tui_tapback.terminal.replay import Replay

if TYPE_CHECKING:
    from .conftest import ScriptedTerminal

if sys.platform == "win32":
    pytest.skip("frames are not replayed there", allow_module_level=True)

import fcntl
import termios

Scripted = Callable[..., "ScriptedTerminal"]
WHITE, BLACK = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", b"\x1b]11;rgb:0000/0000/0000\x07"
SIZE = (30, 4)
"""Columns and rows."""


def two(text: str) -> int:
    return 2 * len(text)


@pytest.mark.parametrize(
    ("drawn_on", "answer", "shown"),
    [
        (False, WHITE, True),
        (True, BLACK, True),
        (True, WHITE, False),
        (False, BLACK, False),
        (False, None, False),
        (True, b"\x1b]11;pink\x07", False),
        (None, None, True),
        (None, WHITE, True),
    ],
)
def test_a_frame_is_shown_on_its_own_background_only(
    scripted: Scripted, tmp_path: Path, drawn_on: bool | None, answer: bytes | None, shown: bool
) -> None:
    environ = {"TERM": "xterm-256color", "TUI_TAPBACK_HOME": str(tmp_path)}
    (tmp_path / "data").mkdir()
    now = int(time.time())
    frame = Frame(
        ["hello", "", "", "Enter send"],
        size=SIZE,
        session_id="s1",
        terminal=last_frame.terminal_key(environ),
        at=now,
        until=now + 3600,
        chat=(0, 2),
        dark=drawn_on,
    )
    last_frame.save(str(tmp_path / "data" / last_frame.FILE_NAME), frame)
    terminal = scripted(two, background=answer)
    fcntl.ioctl(terminal.slave, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    patience = 30.0 if answer in (WHITE, BLACK) else 0.1
    with Replay(descriptor=terminal.slave, output=terminal.slave, patience=patience) as replay:
        os.write(terminal.master, b"x\x1b")
        replay.show(environ)
        terminal.settle()
        assert (replay.frame is not None) is shown
        assert ("hello" in terminal.written) is shown and terminal.alternate is shown
        assert terminal.written.count(QUESTION) == (drawn_on is not None)
        if drawn_on is not None:
            assert replay.sieve.dark is {WHITE: False, BLACK: True}.get(answer or b"")
        assert replay.keys.take() == "x\x1b"
