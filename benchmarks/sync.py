"""How fast a client reacts and comes back into step, on our gateway and on a real Hermes one.

Run: ``python benchmarks/sync.py [--taps N] [--sizes 200 2000 5000] [--only ours|hermes]``. A tap counts from
the call to the confirmed badge. Coming back counts from the moment the network is there again until a tapback
that another client made meanwhile is on screen, and the bytes are those received for it. Prints JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from measuring import median_and_p99, tell

from tui_tapback.client.ports import Connector, Transport
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import Phase
from tui_tapback.client.transport import unix_connector, url_connector
from tui_tapback.config.folders import private_folder
from tui_tapback.domain.errors import GatewayUnreachable
from tui_tapback.gateway.store.records import NewMessage, SessionRecord
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.client import opened, until
from tui_tapback.testing.gateway import GatewayProcess, RawClient
from tui_tapback.testing.hermes import HermesGateway

WORDS = "some words that a message of the usual length in a chat between two might well contain, no more"


class CountingTransport:
    """Passes everything on and counts what comes in."""

    def __init__(self, inner: Transport, owner: Network) -> None:
        self.inner = inner
        self._owner = owner

    async def send(self, text: str) -> None:
        await self.inner.send(text)

    async def receive(self) -> str:
        text = await self.inner.receive()
        self._owner.received += len(text.encode())
        return text

    async def close(self) -> None:
        await self.inner.close()


class Network:
    """A connector whose network can be taken away."""

    def __init__(self, connect: Connector) -> None:
        self._connect = connect
        self.up = True
        self.received = 0
        self.link: CountingTransport | None = None

    async def __call__(self) -> Transport:
        if not self.up:
            raise GatewayUnreachable("There is no network.")
        self.link = CountingTransport(await self._connect(), self)
        return self.link

    async def cut(self) -> None:
        self.up = False
        if self.link is not None:
            await self.link.close()


class Side(Protocol):
    """A gateway under test."""

    name: str

    def connector(self) -> Connector: ...

    async def seed(self, count: int) -> str: ...

    async def react(self, raw: RawClient, session_id: str, row_id: int, emoji: str) -> None: ...

    async def restart(self) -> None: ...

    def pid(self) -> int: ...


def seeded_id(size: int) -> str:
    return f"20260101_00{size:04d}_abcdef"


class Ours:
    name = "ours"

    def __init__(self, home: Path, sizes: list[int]) -> None:
        self._home = home
        private_folder(home / "data")
        store = Store(home / "data" / "tapback.db")
        with store.group():
            for size in sizes:
                record = SessionRecord(seeded_id(size), "bench", "tui", "", "", time.time(), time.time())
                store.sessions.insert(record)
                for number in range(size):
                    role = ("user", "assistant")[number % 2]
                    text = f"{number} {WORDS}"
                    new = NewMessage(session_id=record.id, role=role, text=text, at=1.0 + number)
                    store.messages.insert(new)
        store.close()
        self._process = GatewayProcess(home)

    def connector(self) -> Connector:
        return unix_connector(self._home / "run" / "gateway.sock")

    async def start(self) -> None:
        await self._process.start()
        await self._process.client()

    async def seed(self, count: int) -> str:
        return seeded_id(count)

    async def react(self, raw: RawClient, session_id: str, row_id: int, emoji: str) -> None:
        await raw.call(
            "reaction.set", session_id=session_id, row_id=row_id, emoji=emoji, op_id=str(time.time_ns())
        )

    async def restart(self) -> None:
        await self._process.kill()
        await self.start()

    async def close(self) -> None:
        await self._process.close()

    def pid(self) -> int:
        return self._process.running.pid


class Hermes:
    name = "hermes"

    def __init__(self, gateway: HermesGateway) -> None:
        self._gateway = gateway

    def connector(self) -> Connector:
        return url_connector(self._gateway.url, self._gateway.token)

    async def seed(self, count: int) -> str:
        raw = RawClient(await self.connector()())
        rows = [{"role": ("user", "assistant")[n % 2], "content": f"{n} {WORDS}"} for n in range(count)]
        made = await raw.call("session.create", source="desktop", messages=rows)
        await raw.close()
        return str(made["stored_session_id"])

    async def react(self, raw: RawClient, session_id: str, row_id: int, emoji: str) -> None:
        found = await raw.call("session.resume", session_id=session_id, omit_messages=True)
        await raw.call("message.react", session_id=found["session_id"], row_id=row_id, emoji=emoji)

    async def restart(self) -> None:
        await asyncio.to_thread(lambda: self._gateway.restart(kill=True))

    def pid(self) -> int:
        return self._gateway.pid


def memory_mb(pid: int | str) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return round(int(status.split("VmRSS:")[1].split()[0]) / 1024, 1)


async def taps(client: ChatClient, count: int) -> dict[str, float]:
    key = client.state.messages[-1].key
    taken: list[float] = []
    for number in range(count):
        emoji = "👍❤"[number % 2]
        start = time.perf_counter()
        client.set_reaction(key, emoji)
        await until(client, lambda s: s.waiting == 0 and all(r.confirmed for r in s.messages[-1].reactions))
        taken.append((time.perf_counter() - start) * 1e3)
    median, p99 = median_and_p99(sorted(taken))
    return {"p50_ms": round(median, 2), "p99_ms": round(p99, 2)}


async def comes_back(
    side: Side, network: Network, client: ChatClient, emoji: str, restart: bool
) -> dict[str, float]:
    """Cut the line, change something, give the network back; seconds and bytes until it is seen."""
    target = client.state.messages[-3]
    session_id = client.state.session_id or ""
    await network.cut()
    await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
    if restart:
        await side.restart()
    raw = RawClient(await side.connector()())
    await side.react(raw, session_id, target.row_id or 0, emoji)
    await raw.close()
    network.received = 0
    network.up = True
    start = time.perf_counter()
    client.reconnect_now()
    seen: Callable[[Any], bool] = lambda s: emoji in [r.emoji for r in s.messages[-3].reactions]  # noqa: E731
    await until(client, seen, 60)
    return {"ms": round((time.perf_counter() - start) * 1e3, 1), "kB": round(network.received / 1e3, 1)}


async def measure(side: Side, sizes: list[int], count: int) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for size in sizes:
        session_id = await side.seed(size)
        network = Network(side.connector())
        before = memory_mb("self")
        client = ChatClient(network, rows=200)
        await client.start(session_id=session_id)
        start = time.perf_counter()
        await opened(client)
        figures[f"{size} messages"] = {
            "open": {
                "ms": round((time.perf_counter() - start) * 1e3, 1),
                "kB": round(network.received / 1e3, 1),
            },
            "tap": await taps(client, count),
            "after a drop": await comes_back(side, network, client, "🎉", restart=False),
            "after a restart of the gateway": await comes_back(side, network, client, "😂", restart=True),
            "memory_mb": {
                "client grew by": round(memory_mb("self") - before, 1),
                "gateway": memory_mb(side.pid()),
            },
        }
        await client.close()
    return figures


async def run(only: str | None, sizes: list[int], count: int) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    if only in (None, "ours"):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            ours = Ours(Path(folder), sizes)
            await ours.start()
            try:
                figures["ours"] = await measure(ours, sizes, count)
            finally:
                await ours.close()
    if only in (None, "hermes"):
        with HermesGateway() as gateway:
            figures["hermes"] = await measure(Hermes(gateway), sizes, count)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--taps", type=int, default=200)
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 2000, 5000])
    parser.add_argument("--only", choices=["ours", "hermes"])
    options = parser.parse_args()
    tell(asyncio.run(run(options.only, options.sizes, options.taps)), None)


if __name__ == "__main__":
    main()
