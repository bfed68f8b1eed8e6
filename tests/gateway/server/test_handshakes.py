"""Connections that come in and do not say what for."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tui_tapback.gateway.server.transport import MOST_HANDSHAKES
from tui_tapback.testing.gateway import RawClient, RunningServer

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _silent(path: Path, count: int) -> list[Streams]:
    return [await asyncio.open_unix_connection(str(path)) for _ in range(count)]


async def test_those_who_say_nothing_keep_nobody_out(running: RunningServer) -> None:
    """Each of them holds a file of ours for ten seconds; without a bound they would take them all."""
    chatting = await running.client()
    silent = await _silent(running.path, MOST_HANDSHAKES + 20)
    async with asyncio.timeout(10):
        for reader, _ in silent[:20]:  # who has been silent longest is put out
            assert await reader.read() == b""
    comer = await RawClient.connect(running.path)
    assert await comer.call("ping") == {"pong": True}
    await comer.close()
    assert await chatting.call("ping") == {"pong": True}
    assert not silent[-1][0].at_eof()
    for _, writer in silent:
        writer.close()


async def test_who_has_come_in_is_not_put_out(running: RunningServer) -> None:
    clients = [await running.client() for _ in range(20)]
    silent = await _silent(running.path, MOST_HANDSHAKES - 10)
    comer = await RawClient.connect(running.path)  # by then all of them have been let in
    for client in (*clients, comer):
        assert await client.call("ping") == {"pong": True}
    assert not silent[0][0].at_eof()
    await comer.close()
    for _, writer in silent:
        writer.close()
