"""Shows the frame of the last time on the terminal's other screen until the program takes over there."""

from __future__ import annotations

import os
import select
import sys
import time

from tui_tapback.terminal.background import QUESTION, Sieve
from tui_tapback.terminal.early import EarlyKeys
from tui_tapback.terminal.last_frame import LEAVE, data_folder, drawn, fitting, settings_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

    from tui_tapback.terminal.last_frame import Frame


PATIENCE = 0.15
"""Seconds that a terminal which has told its background before is given to tell it again."""


class Replay:
    """A context around everything that happens before the program's own screen is there.

    ``keys`` has what is typed meanwhile, ``frame`` what is shown (None: nothing), ``sieve`` what the terminal
    has told of its background, which is asked for before a frame whose theme follows it. Leaving gives the
    terminal back, unless ``take_over`` has been called: from then on the screen is somebody else's.
    """

    def __init__(self, *, descriptor: int = 0, output: int = 1, patience: float = PATIENCE) -> None:
        self.keys = EarlyKeys(descriptor)
        self.frame: Frame | None = None
        self.sieve = Sieve()
        self._input, self._output = descriptor, output
        self._patience = patience
        self._shown = False

    def __enter__(self) -> Self:
        """From now on nothing is echoed."""
        self.keys.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the terminal back."""
        self.put_back()
        self.keys.__exit__(kind, error, trace)

    def show(self, environ: Mapping[str, str]) -> None:
        """Draw the frame that was kept for this terminal at this size, if there is one."""
        if sys.platform == "win32":
            return
        folder = data_folder(environ)
        try:
            columns, rows = os.get_terminal_size(self._output)
            frame = folder and fitting(folder, environ, (columns, rows), time.time(), settings_file(environ))
            if frame and (frame.dark is None or frame.dark is self._dark()):
                self._shown = True
                self._write(drawn(frame))
                self.frame = frame
        except OSError:
            self.frame = None  # the terminal tells no size, or has gone: whoever comes next will say so

    def _dark(self) -> bool | None:
        """Whether the background is dark now; None where the terminal does not say so soon."""
        self._write(QUESTION)
        give_up = time.monotonic() + self._patience
        while self.sieve.dark is None:
            left = give_up - time.monotonic()
            if left <= 0 or not select.select([self._input], [], [], left)[0]:
                break
            read = os.read(self._input, 4096)
            if not read:
                break
            self.keys.keep(self.sieve.feed(read.decode("latin-1")).encode("latin-1"))
        self.keys.keep(self.sieve.typed().encode("latin-1"))
        return self.sieve.dark

    def take_over(self) -> bool:
        """The program draws from now on; True where it finds itself on the other screen already."""
        shown, self._shown = self._shown, False
        return shown

    def put_back(self) -> None:
        """Show what was on the screen before; costs nothing where that is so."""
        self.frame = None
        if self.take_over():
            self._write(LEAVE)

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._output, data) :]
