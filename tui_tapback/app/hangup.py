"""Ends the program when its terminal is gone and no signal told so (a closed pseudo-terminal)."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable

from tui_tapback.words import _

from .ports import ChatSession

_log = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two looks."""
FAREWELL = 3.0
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

    async def look(self) -> None:
        """Close the chat and leave, if the terminal is gone."""
        if self._watches and not os.isatty(self._descriptor):
            await self.part()

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
