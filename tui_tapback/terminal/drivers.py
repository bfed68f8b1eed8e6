"""Textual's driver with our looks at what goes out and what comes back; imported late."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar, Final

from textual.drivers.linux_driver import LinuxDriver
from textual.events import CursorPosition
from textual.message import Message

from tui_tapback.domain.values import value
from tui_tapback.terminal.anchoring import anchor
from tui_tapback.terminal.background import FOLLOWED
from tui_tapback.terminal.pinning import pin
from tui_tapback.terminal.screen_driver import Background
from tui_tapback.terminal.sifting import read_keys
from tui_tapback.terminal.watch import Watch

_OTHER_SCREEN: Final = "\x1b[?1049h"
_ENDS: Final = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that tell the program to end; whatever the terminal was made to do must be undone first."""


@value
class Looks:
    """What a driver is given: see ``screen_driver``."""

    watch: Watch
    pinned: bool
    take_over: Callable[[], bool]
    background: Background


class ScreenDriver(LinuxDriver):
    """For a terminal of this system; a subclass says with which ``looks``."""

    looks: ClassVar[Looks]
    _has_terminal = False

    def write(self, data: str) -> None:
        """Write ``data``, anchored, watched and pinned."""
        if data == _OTHER_SCREEN and self.looks.take_over():
            return  # to order it again would clear it, in some terminals
        output = self.looks.watch.outgoing(anchor(data))
        super().write(pin(output) if self.looks.pinned else output)

    def process_message(self, message: Message) -> None:
        """Keep the answers to our own questions."""
        ours = isinstance(message, CursorPosition)
        if not (ours and self.looks.watch.cursor_at(message.y + 1, message.x + 1)):
            super().process_message(message)

    def _get_terminal_size(self) -> tuple[int, int]:
        """The size that the terminal has: ``COLUMNS`` and ``LINES`` may be of the day before yesterday.

        Some shells and ``docker exec -e COLUMNS=…`` export them, and Textual believes them for ever.
        """
        with suppress(OSError):
            columns, lines = os.get_terminal_size(self.fileno)
            if columns and lines:
                return columns, lines
        return super()._get_terminal_size()

    def start_application_mode(self) -> None:
        """As Textual does; and who is told to end leaves in order, as long as there is a terminal."""
        super().start_application_mode()
        self._has_terminal = True
        if self.looks.background.follows:
            self.write(f"\x1b[?{FOLLOWED}h")
        loop = asyncio.get_running_loop()
        for number in _ENDS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as SIGHUP is under nohup
                loop.add_signal_handler(number, self._end, 128 + number)

    def _end(self, told: int) -> None:
        if os.isatty(self.fileno):  # else whoever watches for its end leaves without a word to it
            self._app.exit(return_code=told)

    def _sigcont_application(self, *_: object) -> None:
        """Go on as after Ctrl+Z also where nothing told of a stop (``kill -STOP``), or there was none.

        ``timeout`` sends SIGCONT behind its SIGTERM. A second start without an end would take the terminal as
        it is now for how it was, and leave two readers of its keys.
        """
        if self._auto_restart and self._has_terminal:
            self.suspend_application_mode()
            self._must_signal_resume = True
        if self._must_signal_resume:
            self.resume_application_mode()

    def stop_application_mode(self) -> None:
        """As Textual does; the last reports are still read here, and by no shell."""
        self._has_terminal = False
        if self.looks.background.follows:
            self.write(f"\x1b[?{FOLLOWED}l")
        super().stop_application_mode()

    def run_input_thread(self) -> None:
        """As Textual does, and hear what the terminal tells of its background."""
        read_keys(self, self.looks.background.sieve, self.looks.background.told)

    def disable_input(self) -> None:
        """Let an open question be answered before the terminal is given back."""
        self.flush()
        self.looks.watch.settle()
        super().disable_input()
