"""Ctrl+Z leads back to the shell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tui_tapback.testing.home import Home

pytestmark = pytest.mark.slow


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell with job control")
def test_ctrl_z_in_the_transcript_suspends(home: Home) -> None:
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
