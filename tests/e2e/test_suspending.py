"""Ctrl+Z leads back to the shell, fg back into the chat."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tui_tapback.testing.home import Home

pytestmark = pytest.mark.slow


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell with job control")
def test_ctrl_z_in_the_transcript_suspends_and_fg_comes_back(home: Home) -> None:
    shell = home.run(["bash", "--norc", "--noprofile", "-i"])
    shell.press(f"{sys.executable} -m tui_tapback.cli.main\r")
    shell.wait_for("online")
    shell.press("hello there\r")
    shell.wait_for("│ hello there │")
    shell.settle()
    shell.press("\x1b")
    shell.settle()
    shell.press("\x1a")
    shell.wait_for("Stopped")
    shell.press("echo $((40+2)) echoed\r")
    text = shell.wait_for("42 echoed")
    assert "echo $((40+2)) echoed" in text  # the terminal echoes again
    shell.press("fg\r")
    shell.wait_for("│ hello there │")
    shell.press("\x11")
    shell.settle()
    shell.press("echo $((50+3)) again\r")
    # Asked of what was sent: this terminal has no second screen, so the words stand anywhere on it.
    shell.wait(lambda _: b"53 again" in shell.raw, "the shell to have the terminal again")
    shell.press("exit\r")
    assert shell.wait_exit() == 0
