"""Waits until a Textual app under test has nothing left to do."""

from __future__ import annotations

import asyncio
from typing import Any

from textual.pilot import Pilot

ROUNDS = 5


async def settle(pilot: Pilot[Any]) -> None:
    """Return when all messages sent so far, and those they led to, are handled and laid out.

    It waits for the message queues of all widgets, not for a time (``pilot.pause()`` sleeps until the
    process is idle). A few rounds, because a handled message may have sent another one to a widget that
    was already done, and layout happens when a queue has run dry.
    """
    for _ in range(ROUNDS):
        await pilot.press()  # presses nothing and waits for every queue of the screen
        await asyncio.sleep(0)
