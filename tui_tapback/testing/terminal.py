"""Drives a real program in a pseudo-terminal and reads the words on its screen (not their widths)."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyte

DEADLINE = 30.0
"""Seconds until a condition that should hold is given up; generous, since machines stall."""

_PRIVATE = re.compile(
    r"\x1b\[[<>=?][0-9;]*[a-zA-Z]|\x1b\[[0-9;?]*\$[a-z]|\x1b[_P\]][^\x07\x1b]*(?:\x07|\x1b\\)",
)
"""Sequences with private parameters, and strings: they draw nothing, and pyte prints some of them."""


class ConditionNotMet(AssertionError):
    """A condition did not come true in time; the message shows the screen as it stood."""


class Terminal:
    """One program in a pseudo-terminal of ``columns`` × ``lines`` cells; ``raw`` is all that it has sent."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], columns: int = 100, lines: int = 30
    ) -> None:
        self._screen: Any = pyte.Screen(columns, lines)
        self._stream: Any = pyte.Stream(self._screen)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._unfinished = ""
        self.raw = bytearray()
        self.master, slave = pty.openpty()
        self._set_size(columns, lines)
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=dict(env), start_new_session=True
        )
        os.close(slave)

    def _set_size(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns: int, lines: int) -> None:
        """Change the size and tell the program."""
        self._set_size(columns, lines)
        self._screen.resize(lines, columns)
        self.process.send_signal(signal.SIGWINCH)

    def press(self, keys: str) -> None:
        """Send ``keys`` as bytes of the keyboard."""
        os.write(self.master, keys.encode())

    def pump(self, seconds: float = 0.05) -> None:
        """Wait at most ``seconds`` for output and put it on the screen."""
        readable, _, _ = select.select([self.master], [], [], seconds)
        if not readable:
            return
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # the program has closed its side
            return
        self.raw += data
        text = self._unfinished + self._decoder.decode(data)
        # A sequence cut by the end of the read waits for its rest.
        head, escape, tail = text.rpartition("\x1b")
        self._unfinished = ""
        if escape and len(tail) < 64 and not re.search(r"[a-zA-Z~\x07\\]", tail):
            text, self._unfinished = head, escape + tail
        self._stream.feed(_PRIVATE.sub("", text))

    def settle(self, quiet: float = 0.4) -> None:
        """Read until nothing has been printed for ``quiet`` seconds (at most ``DEADLINE``)."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            before = self.text
            start = time.monotonic()
            while time.monotonic() - start < quiet:
                self.pump()
            if self.text == before:
                return

    @property
    def text(self) -> str:
        """The screen, one line a row, without trailing blanks."""
        screen = self._screen
        rows = ("".join(screen.buffer[y][x].data for x in range(screen.columns)) for y in range(screen.lines))
        # Not its own ``display``, which fails where the first half of a wide character is drawn over.
        return "\n".join(row.rstrip() for row in rows)

    def wait(self, condition: Callable[[str], object], what: str, deadline: float = DEADLINE) -> str:
        """Read the screen until ``condition`` holds. Raises ConditionNotMet with the screen."""
        end = time.monotonic() + deadline
        while time.monotonic() < end:
            if condition(self.text):
                return self.text
            self.pump()
        raise ConditionNotMet(f"waited {deadline:g} s for {what}; the screen shows:\n{self.text}")

    def wait_for(self, words: str, deadline: float = DEADLINE) -> str:
        """Read the screen until ``words`` stand on it."""
        return self.wait(lambda text: words in text, repr(words), deadline)

    def wait_exit(self, deadline: float = DEADLINE) -> int:
        """Wait until the program leaves; returns its exit code."""
        end = time.monotonic() + deadline
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise ConditionNotMet(f"the program did not leave; the screen shows:\n{self.text}")
            self.pump()
        self.pump(0.2)
        return int(self.process.returncode)

    def hang_up(self, deadline: float = DEADLINE) -> int:
        """Take the terminal away without a signal; returns the exit code of the program that leaves."""
        os.close(self.master)
        self.master = -1
        return int(self.process.wait(deadline))

    def close(self) -> None:
        """End the program if it still runs, and the pseudo-terminal."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.master >= 0:
            os.close(self.master)
