"""Drives a real program inside tmux, a terminal with a second screen and a shell's job control."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

DEADLINE = 30.0
"""Seconds until a screen that should come is given up; generous, since machines stall."""
LOOK_EVERY = 0.12
"""Seconds between two looks at the screen."""


class Tmux:
    """One pane of ``columns`` × ``lines`` cells in a server of its own. Needs tmux on the path."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        folder: Path,
        columns: int = 100,
        lines: int = 30,
    ) -> None:
        self._server = f"tapback-{os.getpid()}-{id(self)}"
        given = shlex.join(["env", *(f"{name}={value}" for name, value in env.items()), *command])
        size = ["-x", str(columns), "-y", str(lines)]
        self._tmux("-f", "/dev/null", "-u", "new-session", "-d", *size, "-c", str(folder), given)

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._server, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout

    @property
    def screen(self) -> str:
        """What stands on the screen."""
        return self._tmux("capture-pane", "-p")

    @property
    def alternate(self) -> bool:
        """Whether the program has the second screen, which leaves the shell's as it was."""
        return self._tmux("display-message", "-p", "#{alternate_on}").strip() == "1"

    @property
    def reads_mouse(self) -> bool:
        """Whether the program has asked for the mouse."""
        return self._tmux("display-message", "-p", "#{mouse_any_flag}").strip() == "1"

    def resize(self, columns: int, lines: int) -> None:
        """Give the pane another size."""
        self._tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def press(self, *keys: str) -> None:
        """Press keys by their tmux names, each when the one before has been drawn."""
        for key in keys:
            self._tmux("send-keys", key)
            self.rest()

    def type(self, text: str) -> None:
        """Type a line and send it."""
        self._tmux("send-keys", "-l", text)
        self.rest()
        self._tmux("send-keys", "Enter")

    def rest(self) -> None:
        """Wait until two looks at the screen agree."""
        end = time.monotonic() + DEADLINE
        before = self.screen
        while time.monotonic() < end:
            time.sleep(LOOK_EVERY)
            now = self.screen
            if now == before:
                return
            before = now

    def until(self, holds: Callable[[str], object], what: str) -> str:
        """Wait for a screen of which ``holds`` is true. Raises AssertionError with the screen."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            text = self.screen
            if holds(text):
                return text
            time.sleep(LOOK_EVERY)
        raise AssertionError(f"waited {DEADLINE:g} s for {what}; the screen shows:\n{self.screen}")

    def wait_for(self, words: str) -> str:
        """Wait until ``words`` stand on the screen."""
        return self.until(lambda text: words in text, repr(words))

    def close(self) -> None:
        """End the server with what runs in it."""
        subprocess.run(["tmux", "-L", self._server, "kill-server"], capture_output=True, check=False)
