"""Waits until a Textual app under test has nothing left to do."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot


async def settle(pilot: Pilot[Any]) -> None:
    """Return when all messages sent so far, and those they led to, are handled and painted.

    Deterministic: it waits for the message queues, not for a time. A few rounds, because a handled message
    may have sent another one to a widget that was already done.
    """
    for _ in range(4):
        await pilot.pause()
