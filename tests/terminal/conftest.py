"""A terminal that answers by a table of widths, at the other end of a real pseudo-terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

Width = Callable[[str], int]
_TOKEN = re.compile(r"\x1b\[([<=>?]?)([\d;]*)(\$?[a-zA-Z])|\x1b\][^\x1b]*\x1b\\|([^\x1b]+)")
_COLOUR = "\x1b]11;?\x1b\\"


class ScriptedTerminal:
    """Answers CSI 6n and the question about mode 2027; keeps what was drawn and which screen is shown.

    ``width``: cells of what stands between two sequences. ``mode``: the state that it gives for mode 2027,
    None for no answer; ``follows`` the same for mode 2031. ``background``: its answer to OSC 11, word for
    word, None for none; ``turn`` tells a change of it. ``answers``: how many cursor positions it tells before
    it falls silent. ``typing``: keys that the person presses, one piece after each answer.
    """

    def __init__(
        self,
        width: Width,
        *,
        mode: int | None = None,
        follows: int | None = None,
        background: bytes | None = None,
        answers: int = 10_000,
        hold: threading.Event | None = None,
        typing: tuple[bytes, ...] = (),
    ) -> None:
        self.master, self.slave = pty.openpty()
        self.device = os.ttyname(self.slave)
        self.alternate = False
        self.written = ""
        self._width, self._mode, self._answers, self._hold = width, mode, answers, hold
        self._typing = list(typing)
        self._follows, self.background = follows, background
        self._column = 1
        self._stop, self._stopped = os.pipe()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        """End it."""
        os.write(self._stopped, b".")
        self._thread.join()
        for descriptor in (self.master, self.slave, self._stop, self._stopped):
            with suppress(OSError):
                os.close(descriptor)

    def turn(self, *, dark: bool) -> None:
        """Tell that it has turned dark, or light."""
        os.write(self.master, b"\x1b[?997;%dn" % (1 if dark else 2))

    def settle(self) -> None:
        """Wait until everything written to the terminal has been drawn."""
        done = threading.Event()
        drawn = self.written.count("\x1b[99z")
        os.write(self.slave, b"\x1b[99z")
        deadline = 1000
        while self.written.count("\x1b[99z") == drawn and deadline:
            done.wait(0.01)
            deadline -= 1
        assert deadline, "the terminal does not draw"

    def _run(self) -> None:
        while self._stop not in (ready := select.select([self.master, self._stop], [], [])[0]) and ready:
            data = os.read(self.master, 65_536)
            if self._hold is not None:
                self._hold.wait()
            text = data.decode("utf-8", "surrogateescape")
            for token in _TOKEN.finditer(text):
                if token[0] == _COLOUR and self.background is not None:
                    os.write(self.master, self.background)
                self._take(token[1] or "", token[2] or "", token[3] or "", token[4] or "")
            self.written += text

    def _take(self, prefix: str, numbers: str, final: str, drawn: str) -> None:
        match prefix, numbers, final:
            case "", "6", "n":
                self._tell()
            case "", "2;1", "H":
                self._column = 1
            case "?", "2027", "$p" if self._mode is not None:
                os.write(self.master, b"\x1b[?2027;%d$y" % self._mode)
            case "?", "2031", "$p" if self._follows is not None:
                os.write(self.master, b"\x1b[?2031;%d$y" % self._follows)
            case "?", "1049", "h" | "l":
                self.alternate = final == "h"
            case _:
                for part in re.split(r"(\r)", drawn):
                    self._column = 1 if part == "\r" else self._column + (self._width(part) if part else 0)

    def _tell(self) -> None:
        if self._answers <= 0:
            return
        self._answers -= 1
        os.write(self.master, b"\x1b[2;%dR" % self._column)
        if self._typing:
            os.write(self.master, self._typing.pop(0))


Scripted = Callable[..., ScriptedTerminal]


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    """Makes scripted terminals and ends them."""
    if sys.platform == "win32":
        pytest.skip("needs a pseudo-terminal")
    made: list[ScriptedTerminal] = []

    def make(*args: Width, **options: object) -> ScriptedTerminal:
        made.append(ScriptedTerminal(*args, **options))  # pyright: ignore
        return made[-1]

    yield make
    for terminal in made:
        terminal.close()
