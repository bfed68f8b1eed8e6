"""Frames and clients that mean no good: bounded, answered or cut off, without harm to the others."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.exceptions import ConnectionClosed

from tui_tapback.gateway.server.connection import Limits
from tui_tapback.gateway.server.dispatcher import Dispatcher
from tui_tapback.gateway.server.handlers import HANDLERS
from tui_tapback.testing.agents import Say
from tui_tapback.testing.gateway import RawClient, RunningServer
from tui_tapback.wire.methods import Pong


async def _raw(path: Path, **options: Any) -> ClientConnection:
    connection = await unix_connect(str(path), uri="ws://localhost/api/ws", compression=None, **options)
    await connection.recv()
    return connection


def _ends_turn_of(row_id: int, payload: dict[str, Any]) -> bool:
    return payload["persisted_turn"]["user_row_id"] == row_id


async def _close_code(connection: ClientConnection) -> int | None:
    async with asyncio.timeout(10):
        with pytest.raises(ConnectionClosed):
            while True:
                await connection.recv()
    return connection.close_code


async def test_a_binary_frame_ends_the_connection(running: RunningServer) -> None:
    connection = await _raw(running.path)
    await connection.send(b'{"id":1,"method":"ping"}')
    assert await _close_code(connection) == 1003


async def test_text_that_is_not_utf8_ends_the_connection(running: RunningServer) -> None:
    connection = await _raw(running.path)
    await connection.send(b'{"id":"\xff"}', text=True)
    assert await _close_code(connection) == 1007


@pytest.mark.slow
async def test_a_giant_frame_ends_its_connection_and_no_other(running: RunningServer) -> None:
    """Case B055; memory is watched in the tests of the process."""
    other = await running.client()
    connection = await _raw(running.path)

    async def flood() -> None:
        await connection.send("x" * (64 * 1024 * 1024))

    sending = asyncio.create_task(flood())
    assert await _close_code(connection) == 1009
    await asyncio.gather(sending, return_exceptions=True)
    assert await other.call("ping") == {"pong": True}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", -32700),
        ("{", -32700),
        ("nonsense", -32700),
        ("[" * 10_000 + "]" * 10_000, -32600),
        ('{"params":' + '{"a":' * 10_000 + "1" + "}" * 10_001, -32700),
        ('{"id":1,"method":"\\ud800"}', -32700),
        ("[]", -32600),
        ('[{"id":1,"method":"ping"}]', -32600),
        ("3", -32600),
        ("null", -32600),
        ('"ping"', -32600),
        ("{}", -32600),
        ('{"id":1}', -32600),
        ('{"id":{"a":1},"method":"ping"}', -32600),
        ('{"id":1.5,"method":"ping"}', -32600),
        ('{"id":1,"method":["ping"]}', -32600),
    ],
)
async def test_what_is_no_request_is_answered_and_the_connection_lives(
    running: RunningServer, frame: str, code: int
) -> None:
    client = await running.client()
    await client.transport.send(frame)
    answer = await client.read()
    assert answer["error"]["code"] == code
    assert answer["id"] == (1 if frame == '{"id":1}' else None)
    assert len(answer["error"]["message"]) <= 600
    assert await client.call("ping") == {"pong": True}


async def test_a_request_without_id_is_carried_out_and_answered_with_null(running: RunningServer) -> None:
    client = await running.client()
    await client.transport.send('{"method":"ping"}')
    assert await client.read() == {"jsonrpc": "2.0", "id": None, "result": {"pong": True}}


async def test_answers_to_questions_nobody_asked_are_passed_over(running: RunningServer) -> None:
    client = await running.client()
    await client.transport.send('{"id":"srq-1","result":{"choice":"once"}}')
    await client.transport.send('{"id":"srq-2","error":{"code":4404}}')
    assert await client.call("ping") == {"pong": True}
    assert len(client.frames) == 2


async def test_answers_keep_the_order_of_the_requests(running: RunningServer) -> None:
    client = await running.client()
    for number in range(300):
        await client.transport.send(json.dumps({"id": number, "method": "session.list"}))
    assert [(await client.read())["id"] for _ in range(300)] == list(range(300))


async def test_the_heartbeat_is_answered_while_a_request_takes_its_time(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def slow(c: object, p: object) -> Pong:
        await gate.wait()
        return Pong()

    async with RunningServer(tmp_path, dispatcher=Dispatcher({**HANDLERS, "ping": slow})) as running:
        client = await running.client()
        await client.transport.send('{"id":"slow","method":"ping"}')
        assert await client.call("gateway.ping") == {"ok": True}
        gate.set()
        assert (await client.read())["id"] == "slow"


async def test_a_request_that_has_begun_is_finished_when_its_client_goes(tmp_path: Path) -> None:
    gate, begun, finished = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(c: object, p: object) -> Pong:
        begun.set()
        await gate.wait()
        finished.set()
        return Pong()

    async with RunningServer(tmp_path, dispatcher=Dispatcher({**HANDLERS, "ping": slow})) as running:
        client = await running.client()
        await client.transport.send('{"id":1,"method":"ping"}')
        await begun.wait()
        await client.close()
        gate.set()
        await running.server.presence.gone()
        assert finished.is_set()


async def test_a_client_that_writes_too_fast_is_told_when_to_come_back(tmp_path: Path) -> None:
    limits = Limits(writes_per_second=0.001, write_burst=3)
    async with RunningServer(tmp_path, limits=limits) as running:
        client, other = await running.client(), await running.client()
        for _ in range(3):
            await client.call("session.create")
        frame = await client.request("session.create")
        assert frame["error"]["code"] == 4804
        assert frame["error"]["data"]["retry_after"] > 0
        assert (await client.call("session.list"))["sessions"] == []
        await other.call("session.create")


@pytest.mark.slow
async def test_a_client_that_stops_reading_is_cut_off_and_the_others_are_not(tmp_path: Path) -> None:
    limits = Limits(outbox_bytes=2 * 1024 * 1024, farewell=0.2)
    async with RunningServer(tmp_path, limits=limits) as running:
        reader = await running.client()
        session_id = (await reader.call("session.create"))["session_id"]
        sleeper = await _raw(running.path, max_queue=1)
        await sleeper.send(
            json.dumps({"id": 1, "method": "session.resume", "params": {"session_id": session_id}})
        )
        await sleeper.recv()
        for number in range(1, 9):
            running.bench.agent.expect(Say(*["0123456789" * 400] * 100))
            sent = await reader.call("prompt.submit", session_id=session_id, text=f"much {number}")
            row_id = sent["user_row_id"]
            ended = await reader.event("message.complete", partial(_ends_turn_of, row_id))
            assert len(ended["payload"]["text"]) == 400_000
        async with asyncio.timeout(10):
            while running.server.presence.count > 1:
                await reader.call("ping")
        assert await _close_code(sleeper) in (1013, 1006)
        assert await reader.call("ping") == {"pong": True}


@pytest.mark.slow
async def test_a_slow_client_gets_a_long_history_whole(tmp_path: Path) -> None:
    """Case B058. Five megabytes in one answer, read late, with a heartbeat behind it: nothing is cut."""
    async with RunningServer(tmp_path, limits=Limits(outbox_bytes=1024 * 1024)) as running:
        writer = await running.client()
        session_id = (await writer.call("session.create"))["session_id"]
        for _ in range(25):
            sent = await writer.call("prompt.submit", session_id=session_id, text="z" * 199_000)
            await writer.event("message.complete", partial(_ends_turn_of, sent["user_row_id"]))
        slow = await _raw(running.path, max_queue=1, max_size=None)
        for number in range(3):
            await slow.send(
                json.dumps({"id": number, "method": "session.history", "params": {"session_id": session_id}})
            )
        await slow.send('{"id":"beat","method":"gateway.ping"}')
        for _ in range(50):
            await writer.call("ping")  # time goes by in which the slow one reads nothing
        answers = [json.loads(await slow.recv()) for _ in range(4)]
        assert {answer["id"] for answer in answers} == {0, 1, 2, "beat"}
        assert all(
            sum(len(row["text"]) for row in answer["result"]["messages"]) > 4_900_000
            for answer in answers
            if answer["id"] != "beat"
        )
        await slow.close()


async def test_too_many_clients_are_turned_away(tmp_path: Path) -> None:
    async with RunningServer(tmp_path, max_connections=2) as running:
        clients = [await running.client(), await running.client()]
        connection = await unix_connect(str(running.path), uri="ws://localhost/api/ws")
        assert await _close_code(connection) == 1013
        await clients[0].close()
        async with asyncio.timeout(10):
            while running.server.presence.count > 1:
                await clients[1].call("ping")
        third: RawClient = await running.client()
        assert await third.call("ping") == {"pong": True}


async def test_the_gateways_end_is_told_after_the_turn_is_put_in_order(tmp_path: Path) -> None:
    async with RunningServer(tmp_path) as running:
        connection = await _raw(running.path)
        await running.server.close()
        assert await _close_code(connection) == 1001
        assert connection.close_reason == "The gateway is leaving."
