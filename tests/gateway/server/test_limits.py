"""Each limit has its code: open requests, sessions; large requests make their sender wait."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tui_tapback.domain.errors import TooManySessions
from tui_tapback.gateway.server.connection import Limits
from tui_tapback.gateway.server.dispatcher import Dispatcher
from tui_tapback.gateway.server.faults import fault_of
from tui_tapback.gateway.server.handlers import HANDLERS
from tui_tapback.gateway.server.inbox import Inbox
from tui_tapback.gateway.service import sessions
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.frames import Frame
from tui_tapback.wire.methods import Pong


async def test_too_many_open_requests_are_refused_and_the_others_answered(tmp_path: Path) -> None:
    gate, begun = asyncio.Event(), asyncio.Event()

    async def slow(c: object, p: object) -> Pong:
        begun.set()
        await gate.wait()
        return Pong()

    limits = Limits(waiting_requests=5)
    dispatcher = Dispatcher({**HANDLERS, "ping": slow})
    async with RunningServer(tmp_path, limits=limits, dispatcher=dispatcher) as running:
        client, other = await running.client(), await running.client()
        for number in range(10):
            await client.transport.send(json.dumps({"id": number, "method": "ping"}))
            await begun.wait()  # the first is being carried out, the others wait
        refused = [await client.read() for _ in range(4)]
        assert [frame["error"]["code"] for frame in refused] == [4805] * 4
        assert "tapback" in await other.call("gateway.capabilities")
        gate.set()
        answered = [await client.read() for _ in range(6)]
        assert [frame["id"] for frame in answered] == list(range(6))
        assert [frame["id"] for frame in refused] == [6, 7, 8, 9]


async def test_large_requests_wait_at_the_door_until_there_is_room() -> None:
    inbox = Inbox(number=100, size=1000)
    frames = [Frame(id=number, method="ping") for number in range(4)]
    assert await inbox.put(frames[0], 900)
    assert await inbox.put(frames[1], 900)  # what has come in is kept; the next one waits
    third = asyncio.create_task(inbox.put(frames[2], 10))
    await asyncio.sleep(0)
    assert not third.done()
    assert await inbox.next() is frames[0]
    assert await third
    assert [await inbox.next(), await inbox.next()] == frames[1:3]


def test_the_number_of_sessions_is_bounded(tmp_path: Path) -> None:
    bench = ServiceBench(tmp_path / "data.db")
    existing = bench.service.create_session(title="first").session_id
    record = bench.store.sessions.get(existing)
    assert record is not None
    with bench.store.transaction():
        for number in range(sessions.MOST_SESSIONS - 1):
            bench.store.sessions.insert(replace(record, id=f"20260101_000000_{number:06x}"))
    with pytest.raises(TooManySessions, match="10,000 sessions") as caught:
        bench.service.create_session()
    assert fault_of(caught.value).code == 4090
    bench.service.delete_session(existing)
    bench.service.create_session()
