"""Doubles for hooks: one that keeps what it is given, and a reaction as the gateway tells it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tui_tapback.gateway.hooks.command import Outcome, Question
from tui_tapback.gateway.hooks.events import HookEvent


class KeepingHook:
    """Keeps events; ``gate`` holds it up, ``failure`` is its outcome or raised, each of
    ``questions`` is asked by one run."""

    def __init__(self, name: str = "keeping", wanted: Callable[[str], bool] = lambda name: True) -> None:
        self.name = name
        self.events: list[HookEvent] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.failure: str | Exception = ""
        self.questions: list[Question] = []
        self._wanted = wanted

    def wants(self, event: str) -> bool:
        """As it was told."""
        return self._wanted(event)

    async def run(self, event: HookEvent) -> Outcome:
        """Keep the event."""
        self.events.append(event)
        await self.gate.wait()
        if isinstance(self.failure, Exception):
            raise self.failure
        return Outcome(self.failure, self.questions.pop(0) if self.questions else None)

    @property
    def names(self) -> list[str]:
        """The names of the events so far."""
        return [event.name for event in self.events]


def reaction(
    row_id: int = 4, *, emoji: str | None = "👍", before: str | None = None, author: str = "user"
) -> dict[str, Any]:
    """A ``message.reaction`` as the gateway tells it."""
    reactions = [] if emoji is None else [{"emoji": emoji, "author": author, "at": 5.0}]
    change = {"author": author, "emoji": emoji, "before": before}
    payload = {"row_id": row_id, "reactions": reactions, "role": "assistant", "change": change}
    return {"type": "message.reaction", "session_id": "s1", "seq": 1, "payload": payload}
