"""Textual's driver for this system, with our looks at what goes out (pin, watch) and what comes back."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from tui_tapback.terminal.anchoring import anchor
from tui_tapback.terminal.pinning import pin
from tui_tapback.terminal.profile import in_browser

if TYPE_CHECKING:
    from textual.driver import Driver

    from tui_tapback.terminal.watch import Watch


_OTHER_SCREEN: Final = "\x1b[?1049h"
_ENDS: Final = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that tell the program to end; whatever the terminal was made to do must be undone first."""


def screen_driver(
    watch: Watch,
    *,
    pinned: bool,
    take_over: Callable[[], bool] = lambda: False,
    environ: Mapping[str, str] = os.environ,
) -> type[Driver] | None:
    """The class to give to an app; ``None``, which lets Textual choose, on Windows.

    ``take_over`` is called when the driver takes the terminal: True where the other screen is shown already.
    """
    if sys.platform == "win32":
        return None
    if in_browser(environ):
        return _browser_driver()
    from textual.drivers.linux_driver import LinuxDriver
    from textual.events import CursorPosition
    from textual.message import Message

    class ScreenDriver(LinuxDriver):
        """Little in each way."""

        def write(self, data: str) -> None:
            """Write ``data``, anchored, watched and pinned."""
            if data == _OTHER_SCREEN and take_over():
                return  # to order it again would clear it, in some terminals
            output = watch.outgoing(anchor(data))
            super().write(pin(output) if pinned else output)

        def process_message(self, message: Message) -> None:
            """Keep the answers to our own questions."""
            if not (isinstance(message, CursorPosition) and watch.cursor_at(message.y + 1, message.x + 1)):
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
            loop = asyncio.get_running_loop()
            for number in _ENDS:
                if signal.getsignal(number) is not signal.SIG_IGN:  # as SIGHUP is under nohup
                    loop.add_signal_handler(number, self._end, 128 + number)

        def _end(self, told: int) -> None:
            if os.isatty(self.fileno):  # else whoever watches for its end leaves without a word to it
                self._app.exit(return_code=told)

        def disable_input(self) -> None:
            """Let an open question be answered before the terminal is given back."""
            self.flush()
            watch.settle()
            super().disable_input()

    driver: type[Any] = ScreenDriver
    return driver


def _browser_driver() -> type[Driver]:
    from textual.drivers.web_driver import WebDriver

    class BrowserDriver(WebDriver):
        """Textual's own for a browser, whose terminal asks and answers nothing."""

        def write(self, data: str) -> None:
            """Write ``data``, anchored."""
            super().write(anchor(data))

    return BrowserDriver
