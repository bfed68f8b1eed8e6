"""A gateway that may hold only 256 files open, and more comers than that: who is in does not notice."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tui_tapback.domain.errors import GatewayRefused, GatewayUnreachable, LinkDown
from tui_tapback.gateway.main.files import KEPT, room_for_connections
from tui_tapback.testing.client import wait_for
from tui_tapback.testing.gateway import GatewayProcess, RawClient, RunningServer

FILES = 256
REFUSED = (LinkDown, GatewayRefused, GatewayUnreachable)


@pytest.fixture
async def narrow(home: Path) -> AsyncIterator[GatewayProcess]:
    process = await GatewayProcess(home, environ={"OPENAI_MODEL": "companion"}, files=FILES).start()
    yield process
    await process.close()


@pytest.fixture
def crowd(home: Path) -> Iterator[_Crowd]:
    """Connections that say nothing, as many as the test wants."""
    with ExitStack() as stack:
        yield _Crowd(home / "run" / "gateway.sock", stack)


class _Crowd(list[socket.socket]):
    def __init__(self, path: Path, stack: ExitStack) -> None:
        super().__init__()
        self._path, self._stack = path, stack

    def grow(self, count: int) -> None:
        for _ in range(count):
            comer = self._stack.enter_context(socket.socket(socket.AF_UNIX))
            # It waits for its place in the queue; a timeout of Python's would not.
            comer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 10, 0))
            comer.connect(str(self._path))
            self.append(comer)


def _cpu_seconds(process: GatewayProcess) -> float:
    fields = Path(f"/proc/{process.running.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _open_files(process: GatewayProcess) -> int:
    return sum(1 for _ in Path(f"/proc/{process.running.pid}/fd").iterdir())


@pytest.mark.slow
async def test_a_crowd_at_the_door_neither_kills_nor_spins_it(narrow: GatewayProcess, crowd: _Crowd) -> None:
    chatting = await narrow.client()
    session_id = (await chatting.call("session.create"))["session_id"]
    used, began = _cpu_seconds(narrow), time.monotonic()
    for _ in range(3):
        await asyncio.to_thread(crowd.grow, 150)
        # Who is in goes on as before: also what needs the store.
        sent = await chatting.call("prompt.submit", session_id=session_id, text="hello")
        target = {"session_id": session_id, "row_id": sent["user_row_id"]}
        await chatting.call("reaction.set", **target, emoji="👍", op_id=str(len(crowd)))
        # One who says what it wants comes in between the silent ones, and by then they have been let in or
        # put out: what is left is enough for the store, the log and hooks.
        comer = await narrow.client()
        await comer.call("session.resume", session_id=session_id)
        assert _open_files(narrow) < FILES - KEPT // 2
        await asyncio.sleep(0.5)  # a loop that spins shows it
    assert _cpu_seconds(narrow) - used < 0.5 * (time.monotonic() - began)
    assert narrow.log.count("No further connection") <= 1
    assert "ERROR" not in narrow.log
    assert await narrow.terminate() == (0, "")


@pytest.mark.slow
async def test_when_all_places_are_taken_a_comer_is_refused_until_one_leaves(
    narrow: GatewayProcess,
) -> None:
    inside: list[RawClient] = []
    first = await narrow.client()
    path = narrow.home / "run" / "gateway.sock"
    with pytest.raises(REFUSED):
        for _ in range(FILES):
            inside.append(await RawClient.connect(path))
            await inside[-1].read()
    assert len(inside) >= FILES - KEPT - 1
    assert await first.call("ping") == {"pong": True}
    for client in inside[:3]:
        await client.close()
    await narrow.client()
    for client in inside[3:]:
        assert await client.call("ping") == {"pong": True}
        await client.close()
    assert await narrow.terminate() == (0, "")
    assert "ERROR" not in narrow.log


async def test_the_room_is_what_the_system_gives_without_what_the_store_needs() -> None:
    assert room_for_connections() >= 16


async def test_with_all_places_taken_the_silent_leave_first(tmp_path: Path) -> None:
    async with RunningServer(tmp_path, room=4) as running:
        clients = [await running.client() for _ in range(3)]
        reader, writer = await asyncio.open_unix_connection(str(running.path))
        await wait_for(lambda: not reader.at_eof())
        clients.append(await running.client())
        async with asyncio.timeout(10):
            assert await reader.read() == b""
        with pytest.raises(REFUSED):
            await (await RawClient.connect(running.path)).read()
        for client in clients:
            assert await client.call("ping") == {"pong": True}
        writer.close()
