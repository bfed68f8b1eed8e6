"""A gateway service over a real data file, for tests: pinned times and ids, restarts, crashes."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store

from .agents import ScriptedAgent

DEADLINE = 10.0


class SteppingClock:
    """Goes on by ``step`` seconds with every look at it."""

    def __init__(self, start: float = 1_800_000_000.0, step: float = 0.01) -> None:
        self.now = start
        self.step = step

    def __call__(self) -> float:
        """The time."""
        self.now = round(self.now + self.step, 6)
        return self.now


class CountingIds:
    """Ids in order."""

    def __init__(self) -> None:
        self._sessions = itertools.count(1)
        self._epochs = itertools.count(1)

    def session(self, now: float) -> str:
        """The next session id."""
        return f"20270115_080000_{next(self._sessions):06x}"

    def epoch(self) -> str:
        """The next epoch."""
        return f"{next(self._epochs):032x}"


class RecordingSink:
    """A connection that keeps what it was told."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    def deliver(self, params: dict[str, Any]) -> None:
        """Keep an event."""
        self.events.append(params)
        self._news.set()

    def types(self) -> list[str]:
        """The names of the events so far."""
        return [event["type"] for event in self.events]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The payloads of the events of one name."""
        return [event.get("payload", {}) for event in self.events if event["type"] == kind]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until ``condition`` holds, looking after every event. Raises TimeoutError."""
        async with asyncio.timeout(DEADLINE):
            while not condition():
                self._news.clear()
                await self._news.wait()


class ServiceBench:
    """A service that can be ended, killed and started again on the same file, with a scripted agent."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock = SteppingClock()
        self.ids = CountingIds()
        self.agent = ScriptedAgent()
        self.store: Store
        self.service: GatewayService
        self.start()

    def start(self) -> None:
        """Open the file and build the service on it."""
        self.store = Store(self.path)
        self.service = GatewayService(self.store, self.agent, clock=self.clock, ids=self.ids)

    async def restart(self) -> None:
        """End the service in good order and start it again."""
        await self.service.close()
        self.start()

    async def crash(self) -> None:
        """Let the file go as it is, in mid-turn too, and start again on it."""
        self.store.close()
        await self.service.close()
        self.start()

    def new_session(self) -> tuple[str, RecordingSink]:
        """A session and a connection attached to it."""
        session_id = self.service.create_session("tui_tapback").session_id
        return session_id, self.attach(session_id)

    def attach(self, session_id: str) -> RecordingSink:
        """One more connection."""
        sink = RecordingSink()
        self.service.attach(session_id, sink)
        return sink

    async def say(self, session_id: str, text: str) -> int:
        """Send a message and wait until all is quiet; returns the user's row id."""
        submitted = await self.service.submit(session_id, text)
        await self.quiet(session_id)
        if submitted.user_row_id is None:
            raise AssertionError("our gateway always answers with the row")
        return submitted.user_row_id

    async def quiet(self, session_id: str) -> None:
        """Wait until no turn runs, no summary is made and no prompt waits."""
        sink = self.attach(session_id)
        await sink.until(lambda: self.service.resume(session_id, omit_messages=True).status == "idle")
        self.service.detach(sink)

    def last_user_content(self) -> str:
        """The last message of the newest request, as the model reads it."""
        return json.loads(self.agent.requests[-1].messages[-1])["content"]
