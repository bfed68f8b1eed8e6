"""Asks the terminal about itself while the program is still loading, and gives it back as it was."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self

from tui_tapback.domain.values import value
from tui_tapback.terminal.background import QUESTION, Sieve
from tui_tapback.terminal.probe import ENTER, LEAVE, Conversation, ProbeResult, request

if sys.platform != "win32":
    import termios

DEADLINE: Final = 0.6
"""Seconds after the question at which answers are not waited for any longer."""
_FAREWELL: Final = 0.3
"""Seconds that answers are waited for when nobody wants them any longer."""
_GRACE: Final = 0.05
"""Seconds that an answer which has begun is given to end."""
Clock = Callable[[], float]


@value
class Answer:
    """``keys``: what was typed meanwhile. ``seconds``: from the question to the last answer, or till now.

    ``dark``: whether its background is, ``colour`` which that is (red, green, blue from 0 to 1); None where
    it did not say.
    """

    result: ProbeResult
    keys: bytes = b""
    seconds: float = 0.0
    dark: bool | None = None
    colour: tuple[float, float, float] | None = None


class Inquiry:
    """A question to the terminal, on the alternate screen and concealed.

    Without ``widths`` only its background is asked for, which leaves the screen alone. ``sieve``: what has
    begun to come out of this terminal before.
    Use it as a context: entering writes the question and returns at once, so that the terminal answers
    while something else is done; ``answer`` then collects, and leaving restores screen and modes. Where
    there is no terminal that could be asked the answer is a silent one.
    """

    def __init__(
        self,
        device: str | None = None,
        *,
        widths: bool = True,
        sieve: Sieve | None = None,
        deadline: float = DEADLINE,
        clock: Clock = time.monotonic,
    ) -> None:
        self._device: str = device or own_terminal()
        self._deadline, self._clock = deadline, clock
        self._terminal: int | None = None
        self._before: list[Any] | None = None
        self._asked_at = 0.0
        self._conversation = Conversation(sieve, widths=widths)

    def __enter__(self) -> Self:
        """Write the question."""
        if sys.platform == "win32":
            return self
        try:
            # Opened anew: not blocking is then a matter of this descriptor alone, not of standard input.
            self._terminal = os.open(self._device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            self._before = termios.tcgetattr(self._terminal)
        except (OSError, termios.error):
            self._close()
            return self
        termios.tcsetattr(self._terminal, termios.TCSANOW, _quiet(self._before, self._terminal))
        self._asked_at = self._clock()
        try:
            self._write(ENTER + request() if self._conversation.widths else QUESTION.encode())
        except BaseException:
            self._restore()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the terminal back; answers that nobody collected are waited for and thrown away.

        Without the wait they would be printed by the shell, or run.
        """
        if self._terminal is not None:
            self._gather(_FAREWELL)
        self._restore()

    def answer(self, patience: float = DEADLINE) -> Answer:
        """Wait for what is missing, at most ``patience`` seconds and never past the deadline.

        The terminal is as it was before then; a second call answers nothing.
        """
        if self._terminal is None or sys.platform == "win32":
            return Answer(ProbeResult("silent"))
        self._gather(patience)
        seconds = self._clock() - self._asked_at
        self._restore()
        heard = self._conversation
        return Answer(heard.result(), heard.close(), seconds, heard.sieve.dark, heard.sieve.colour)

    @property
    def rest(self) -> Conversation | None:
        """What is still to be heard after ``answer``: the terminal answers in order, before anything else."""
        return None if not self._asked_at or self._conversation.complete else self._conversation

    def _gather(self, patience: float) -> None:
        give_up = min(self._clock() + patience, self._asked_at + self._deadline)
        while not self._conversation.complete and self._collect(max(0.0, give_up - self._clock())):
            pass
        while self._conversation.unfinished and self._collect(_GRACE):
            pass

    def _collect(self, patience: float) -> bool:
        """Read what comes within ``patience`` seconds; False where nothing does."""
        terminal = self._terminal
        if terminal is None or not select.select([terminal], [], [], patience)[0]:
            return False
        try:
            data = os.read(terminal, 65_536)
        except OSError:
            return False  # the terminal has gone; whoever draws next will find that out
        self._conversation.feed(data)
        return bool(data)

    def _write(self, data: bytes) -> None:
        """Write what the terminal takes soon: one that is stopped (Ctrl+S) must not stop the program."""
        terminal, give_up = self._terminal, self._clock() + _FAREWELL
        while data and terminal is not None and self._clock() < give_up:
            if not select.select([], [terminal], [], _GRACE)[1]:
                return
            try:
                data = data[os.write(terminal, data) :]
            except BlockingIOError:
                continue
            except OSError:
                return  # the terminal has gone

    def _restore(self) -> None:
        terminal, before = self._terminal, self._before
        if terminal is None or before is None or sys.platform == "win32":
            return
        if self._conversation.widths:
            self._write(LEAVE)
        with contextlib.suppress(OSError, termios.error):  # a terminal that has gone needs nothing back
            termios.tcsetattr(terminal, termios.TCSANOW, before)
        self._close()

    def _close(self) -> None:
        terminal, self._terminal = self._terminal, None
        if terminal is not None:
            os.close(terminal)


def own_terminal() -> str:
    """The device behind standard input, from which the keys come; else the one that controls the process."""
    try:
        return os.ttyname(0)
    except (OSError, AttributeError):  # no terminal, one of another namespace, or Windows
        return "/dev/tty"


def _quiet(before: list[Any], terminal: int) -> list[Any]:
    """``before`` without echo, lines and translated Enter. Ctrl+C interrupts, Ctrl+Z is kept as a key:
    a program that stops here would leave the person on an empty screen."""
    if sys.platform == "win32":
        return before
    quiet: list[Any] = [*before[:6], list(before[6])]
    quiet[0] &= ~termios.ICRNL
    quiet[3] &= ~(termios.ICANON | termios.ECHO)
    quiet[6][termios.VSUSP] = bytes([os.fpathconf(terminal, "PC_VDISABLE") & 0xFF])
    quiet[6][termios.VMIN], quiet[6][termios.VTIME] = 1, 0
    return quiet
