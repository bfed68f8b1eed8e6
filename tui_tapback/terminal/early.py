"""Keeps what is typed between the start of the program and the moment at which a screen takes the keys."""

from __future__ import annotations

import os
import select
import sys

if sys.platform != "win32":
    import termios

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Self

_MOST = 65_536


class EarlyKeys:
    """From ``__enter__`` on the terminal echoes nothing and hands out single keys; ``take`` ends that.

    A terminal in its usual mode would turn Enter into a line feed, which means another key in the chat, and
    would print what is typed. Ctrl+C still interrupts; Ctrl+Z is kept as a key, for who stopped here would
    sit before a screen without echo. Where ``descriptor`` is no terminal, and on Windows, nothing happens.
    Entered twice it goes on as it began.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._before: list[Any] | None = None
        self._kept = b""

    def __enter__(self) -> Self:
        """Take over the terminal."""
        if sys.platform == "win32" or self._before is not None or not os.isatty(self._descriptor):
            return self
        self._before = termios.tcgetattr(self._descriptor)
        quiet = termios.tcgetattr(self._descriptor)
        quiet[0] &= ~termios.ICRNL
        quiet[3] &= ~(termios.ICANON | termios.ECHO)
        quiet[6][termios.VSUSP] = os.fpathconf(self._descriptor, "PC_VDISABLE") & 0xFF
        termios.tcsetattr(self._descriptor, termios.TCSANOW, quiet)
        # What was typed before now has gone through the usual mode: there each line feed was an Enter.
        self._kept = self._pending().replace(b"\n", b"\r")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the terminal back as it was, if that has not happened yet."""
        self._restore()

    def keep(self, typed: bytes) -> None:
        """Take over keys that somebody else has read from this terminal; they follow what is kept already."""
        self._kept += typed

    def take(self) -> str:
        """What was typed so far, as the bytes of the keyboard; the terminal is as it was before."""
        if self._before is None:
            return ""
        typed = self._kept + self._pending()
        self._kept = b""
        self._restore()
        return typed.decode("utf-8", "replace")

    def _pending(self) -> bytes:
        typed = b""
        while len(typed) < _MOST and select.select([self._descriptor], [], [], 0)[0]:
            piece = os.read(self._descriptor, _MOST)
            if not piece:
                break
            typed += piece
        return typed

    def _restore(self) -> None:
        before, self._before = self._before, None
        if before is not None and sys.platform != "win32":
            termios.tcsetattr(self._descriptor, termios.TCSANOW, before)
