"""Ends the program when its terminal is gone and no signal told so (a closed pseudo-terminal)."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from tui_tapback.words import _

from .ports import ChatSession

_log = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two looks."""
FAREWELL = 2.0
"""Seconds that the chat is given to close."""
HUNG_UP = 129
"""Exit status: 128 + SIGHUP, as a shell reports a program that lost its terminal."""


class Hangup:
    """Watches ``descriptor``, unless it was no terminal to begin with; ``parting`` is called first.

    Textual reads on without end from a terminal that is gone, at the cost of a whole core. Its orderly way
    out would write to that terminal and could wait for ever, so the process ends at once after the goodbye
    to the chat; there is no terminal left to be put in order.
    """

    def __init__(
        self,
        chat: ChatSession,
        *,
        descriptor: int = 0,
        parting: Callable[[], object] = lambda: None,
        leave: Callable[[int], object] = os._exit,
    ) -> None:
        self._parting = parting
        self._chat = chat
        self._descriptor = descriptor
        self._leave = leave
        self._watches = os.isatty(descriptor)

    def watch(self) -> None:
        """Look again and again, in a thread of its own: keys that wait may keep the loop busy for minutes."""
        if self._watches:
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._stand_by, args=(loop,), name="hangup", daemon=True).start()

    def _stand_by(self, loop: asyncio.AbstractEventLoop) -> None:
        while os.isatty(self._descriptor):
            time.sleep(EVERY)
        with suppress(RuntimeError):  # the loop has ended, and the program is about to
            asyncio.run_coroutine_threadsafe(self.part(), loop)
            time.sleep(FAREWELL + EVERY)
            self._leave(HUNG_UP)

    async def part(self) -> None:
        """Close the chat and leave: there is no terminal any longer."""
        if not self._watches:
            return
        self._watches = False
        self._parting()
        _log.warning(_("The terminal is gone."))
        try:
            async with asyncio.timeout(FAREWELL):
                await self._chat.close()
        except TimeoutError:
            _log.warning(_("The chat did not close in time."))
        self._leave(HUNG_UP)
