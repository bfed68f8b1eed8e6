"""Ctrl+Z leads back to the shell, and fg back to the chat."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_tapback.testing.home import Home
from tui_tapback.testing.tmux import Tmux

pytestmark = [pytest.mark.terminal, pytest.mark.slow]


@pytest.fixture
def shell(home: Home, tmp_path: Path) -> Iterator[Tmux]:
    # Some shells export the size that they began with: the terminal's own counts.
    env = {**home.env, "OPENAI_MODEL": "companion", "LANG": "C.UTF-8", "PS1": "shell> ", "COLUMNS": "100"}
    shell = Tmux(["bash", "--norc", "--noprofile", "-i"], env, tmp_path)
    yield shell
    shell.close()


def test_ctrl_z_leads_to_the_shell_and_fg_back(shell: Tmux) -> None:
    shell.wait_for("shell>")
    shell.type(f"{sys.executable} -m tui_tapback.cli.main")
    shell.wait_for("online")
    shell.type("hello there")
    shell.wait_for("│ hello there │")
    shell.until(lambda text: "that I saw it" in text and "Esc stop" not in text, "the answer")
    assert shell.alternate and shell.reads_mouse
    shell.press("Escape", "C-z")
    shell.wait_for("Stopped")
    assert not shell.alternate and not shell.reads_mouse
    shell.type("echo $((40+2)) echoed")
    assert "echo $((40+2)) echoed" in shell.wait_for("42 echoed")  # the terminal echoes again
    shell.resize(70, 24)
    shell.type("fg")
    shell.until(lambda text: shell.alternate and "│ hello there │" in text, "the chat again")
    assert shell.reads_mouse
    text = shell.until(lambda text: "42 echoed" not in text and "online" in text, "nothing but the chat")
    assert max(map(len, text.splitlines())) <= 70
    shell.press("Escape")
    shell.type("back again")
    shell.wait_for("│ back again │")
    shell.press("C-q")
    shell.wait_for("42 echoed")
    assert not shell.alternate and not shell.reads_mouse
