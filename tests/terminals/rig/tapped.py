"""Runs a program in a pseudo-terminal of its own, inside the terminal of this process, and taps its borders.

What the program writes goes on to the terminal. Before every border stands the question where the cursor is
(CSI 6n); the terminal's answer is compared with the column that the program means.
"""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import tty
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from ideal import IdealScreen, Tap

PATIENCE = 40.0
_ANSWER = re.compile(rb"\x1b\[(\d+);(\d+)R")
_CUT = re.compile(rb"\x1b(\[[\d;]*)?\Z")
_QUESTION = "\x1b[6n"
_TOGETHER = ("\x1b[?2026h", "\x1b[?2026l")
"""All in between is to be drawn at once: kitty then answers only at the end, or after two seconds."""


class Stuck(Exception):
    """A condition did not come true in time, or the terminal does not answer."""


class Tapped:
    """``taps`` holds each tap with the place where the terminal's cursor really was."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], *, pinned: bool = False) -> None:
        self.taps: list[tuple[Tap, int, int]] = []
        self._outer = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
        self._before = termios.tcgetattr(self._outer)
        tty.setraw(self._outer)
        size = os.get_terminal_size(self._outer)
        self.screen = IdealScreen(size.columns, size.lines, pinned=pinned)
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._asked: deque[Tap | None] = deque()  # None: the program's own question
        self._unread = b""
        self._master, slave = pty.openpty()
        self._set_size(size.columns)
        self._program = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=dict(environ), start_new_session=True
        )
        os.close(slave)

    def __enter__(self) -> Self:
        """The program runs already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the program if it still runs, and give the terminal back."""
        if self._program.poll() is None:
            self._program.kill()
            self._program.wait()
        os.close(self._master)
        os.write(self._outer, b"\x1b[0m\x1b[?2026l\x1b[?7h\x1b[?25h\x1b[?1049l")
        termios.tcsetattr(self._outer, termios.TCSAFLUSH, self._before)
        os.close(self._outer)

    def press(self, keys: str) -> None:
        """Send keys to the program."""
        os.write(self._master, keys.encode())

    def paste(self, text: str) -> None:
        """Send a bracketed paste to the program."""
        self.press(f"\x1b[200~{text}\x1b[201~")

    def repaint(self) -> None:
        """Have everything drawn anew: tell the program of a column less, and of the old size again."""
        for columns in (self.screen.columns - 1, self.screen.columns):
            self._set_size(columns)
            self._program.send_signal(signal.SIGWINCH)
            self.settle()

    def wait(self, condition: Callable[[str], object], what: str) -> None:
        """Go on until ``condition`` holds for the text of the screen that is meant."""
        end = time.monotonic() + PATIENCE
        while not condition(self.screen.text):
            if time.monotonic() > end or (self._program.poll() is not None and not self._pump(0.1)):
                raise Stuck(f"waited for {what}; the screen shows:\n{self.screen.text}")
            self._pump(0.1)

    def settle(self, quiet: float = 0.2) -> None:
        """Go on until the program has been quiet for a while: short between keys, which it takes in order."""
        end = time.monotonic() + PATIENCE
        while self._pump(quiet) and time.monotonic() < end:
            pass

    def leave(self, keys: str) -> int:
        """Press ``keys`` and wait for the end; the exit status."""
        self.press(keys)
        end = time.monotonic() + PATIENCE
        while self._program.poll() is None:
            if time.monotonic() > end:
                raise Stuck("the program does not leave")
            self._pump(0.1)
        return int(self._program.returncode)

    def frame(self, file: Path, answer: Path | None) -> None:
        """Write the screen that is meant to ``file`` and, if somebody reads the real one, wait for it."""
        part = file.with_suffix(".part")
        part.write_text(json.dumps(self.screen.cells), "utf-8")
        part.rename(file)
        end = time.monotonic() + PATIENCE
        while answer is not None and not answer.exists():
            if time.monotonic() > end:
                raise Stuck("nobody reads the screen")
            self._pump(0.05)

    def _set_size(self, columns: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", self.screen.lines, columns, 0, 0))

    def _pump(self, seconds: float) -> bool:
        """Pass on what comes within ``seconds``, both ways; whether the program wrote anything."""
        ready = select.select([self._master, self._outer], [], [], seconds)[0]
        if self._outer in ready:
            self._take_answers()
        if self._master not in ready:
            return False
        data = b""
        while select.select([self._master], [], [], 0.02 if data else 0)[0] and len(data) < 200_000:
            try:
                piece = os.read(self._master, 65_536)
            except OSError:  # it has closed its side
                break
            data += piece
        self._draw(self._decoder.decode(data))
        return bool(data)

    def _draw(self, output: str) -> None:
        batch: list[str] = []
        for piece in self.screen.feed(output):
            if isinstance(piece, Tap):
                self._asked.append(piece)
                batch.append(_QUESTION)
            elif piece not in _TOGETHER:
                if piece == _QUESTION:
                    self._asked.append(None)
                batch.append(piece)
            if len(self._asked) >= 40:  # few enough that no terminal's queue of answers overflows
                self._write("".join(batch))
                batch.clear()
                self._await_answers()
        self._write("".join(batch))
        self._await_answers()

    def _write(self, text: str) -> None:
        data = text.encode()
        while data:
            data = data[os.write(self._outer, data) :]

    def _await_answers(self) -> None:
        end = time.monotonic() + PATIENCE
        while self._asked:
            if not select.select([self._outer], [], [], max(0.0, end - time.monotonic()))[0]:
                raise Stuck(f"the terminal leaves {len(self._asked)} questions open")
            self._take_answers()

    def _take_answers(self) -> None:
        data = self._unread + os.read(self._outer, 65_536)
        cut = _CUT.search(data) if self._asked else None
        data, self._unread = (data[: cut.start()], data[cut.start() :]) if cut else (data, b"")
        position = 0
        for answer in _ANSWER.finditer(data):
            self._pass_on(data[position : answer.start()])
            position = answer.end()
            tap = self._asked.popleft() if self._asked else None
            if tap is None:
                self._pass_on(answer[0])
            else:
                self.taps.append((tap, int(answer[1]), int(answer[2])))
        self._pass_on(data[position:])

    def _pass_on(self, keys: bytes) -> None:
        if keys:
            os.write(self._master, keys)
