"""Two hundred clients on one session, fifty reactions a second: who misses an event, how late, what memory.

    python benchmarks/gateway_load.py --minutes 10 [--clients 200] [--rate 50] [--json FILE]

A real gateway process on a Unix socket with the offline companion. Every client checks that the numbers of
the events it hears have no gap; ten more react in turn on the messages of the session. Fan-out is the time
from the moment the gateway took the reaction (its ``at``) until a client has read the event, over all
clients and events. The clients are one process, with a reader of WebSocket frames of their own, so that
little but the gateway is measured. Ends with status 1 where a client missed an event.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from array import array
from pathlib import Path

from tui_tapback.testing.gateway import GatewayProcess, RawClient

SEQ = re.compile(rb'"seq":(\d+)')
AT = re.compile(rb'"at":([\d.]+)')
EMOJI = ("👍", "❤️", "😂", "‼️")
REACTING = 10
BINS = 4000
"""Counters of a quarter of a millisecond each; the last takes what is later."""
BIN_MS = 0.25


class Delays:
    """A histogram, so that ten minutes take no more memory than one."""

    def __init__(self) -> None:
        self.counts = array("Q", [0] * BINS)
        self.total = 0
        self.worst = 0.0

    def add(self, milliseconds: float) -> None:
        self.counts[min(BINS - 1, max(0, int(milliseconds / BIN_MS)))] += 1
        self.total += 1
        self.worst = max(self.worst, milliseconds)

    def quantile(self, part: float) -> float:
        left = self.total * part
        for number, count in enumerate(self.counts):
            left -= count
            if left <= 0:
                return (number + 1) * BIN_MS
        return self.worst


class Listener(asyncio.Protocol):
    """One client, which checks the numbers of what it hears."""

    def __init__(self, session_id: str, delays: Delays) -> None:
        self._session_id = session_id
        self._delays = delays
        self._buffer = bytearray()
        self._open = False
        self.attached = asyncio.get_running_loop().create_future()
        self.gone: str = ""
        self.last = 0
        self.heard = 0
        self.gaps = 0
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(
            b"GET /api/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )

    def send(self, frame: dict[str, object]) -> None:
        """One text frame; its mask of zeros leaves the bytes as they are."""
        assert self._transport is not None
        data = json.dumps(frame).encode()
        size = bytes([128 | len(data)]) if len(data) < 126 else bytes([254]) + len(data).to_bytes(2, "big")
        self._transport.write(b"\x81" + size + b"\0\0\0\0" + data)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert head.startswith(b"HTTP/1.1 101"), bytes(head)
            self._open, self._buffer = True, bytearray(rest)
            self.send(
                {"id": 1, "method": "session.resume", "params": {"session_id": self._session_id, "limit": 0}}
            )
        while (frame := self._next()) is not None:
            self._take(frame)

    def _next(self) -> bytes | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size, start = buffer[1], 2
        if size == 126:
            size, start = int.from_bytes(buffer[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(buffer[2:10], "big"), 10
        if len(buffer) < start + size:
            return None
        frame = bytes(buffer[start : start + size])
        if buffer[0] & 15 == 8:
            self.gone = frame[2:].decode("utf-8", "replace") or "closed"
        del buffer[: start + size]
        return frame

    def _take(self, frame: bytes) -> None:
        found = SEQ.findall(frame)
        if not found:
            return
        number = int(found[-1])
        if b'"id":1,' in frame[:40]:
            self.last = number
            self.attached.set_result(None)
            return
        if self.last and number != self.last + 1:
            self.gaps += 1
        self.last = number
        self.heard += 1
        if b'"message.reaction"' in frame:
            self._delays.add((time.time() - max(map(float, AT.findall(frame)))) * 1000)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone = self.gone or str(exc or "closed")

    def close(self) -> None:
        assert self._transport is not None
        self._transport.close()


async def react(
    clients: list[RawClient], session_id: str, rows: list[int], rate: float, until: float, answers: Delays
) -> int:
    """Let the clients react in turn, ``rate`` times a second in all; returns how many reactions were set."""
    count, begun = 0, time.monotonic()
    running: set[asyncio.Task[None]] = set()
    locks = [asyncio.Lock() for _ in clients]

    async def one(number: int) -> None:
        async with locks[number % len(clients)]:
            client, sent = clients[number % len(clients)], time.monotonic()
            emoji = EMOJI[(number // len(rows)) % len(EMOJI)]
            await client.call(
                "reaction.set",
                session_id=session_id,
                row_id=rows[number % len(rows)],
                emoji=emoji,
                op_id=f"o{number}",
            )
            client.frames.clear()
            answers.add((time.monotonic() - sent) * 1000)

    while time.monotonic() < until:
        await asyncio.sleep(max(0.0, begun + count / rate - time.monotonic()))
        task = asyncio.create_task(one(count))
        running.add(task)
        task.add_done_callback(running.discard)
        count += 1
    await asyncio.gather(*running)
    return count


def resident(pid: int) -> float:
    """Megabytes of memory of a process."""
    return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) / 1024


async def watch(pid: int, samples: list[float]) -> None:
    while True:
        samples.append(resident(pid))
        await asyncio.sleep(5)


async def play(home: Path, options: argparse.Namespace) -> dict[str, object]:
    process = await GatewayProcess(home, environ={"OPENAI_MODEL": "companion"}).start()
    try:
        clients = [await process.client() for _ in range(REACTING)]
        session_id = (await clients[0].call("session.create", title="load"))["session_id"]
        rows: list[int] = []
        for number in range(4):
            sent = await clients[0].call("prompt.submit", session_id=session_id, text=f"message {number}")
            rows.append(sent["user_row_id"])
            await clients[0].event("session.info", lambda payload: payload.get("running") is False)
            clients[0].frames.clear()
        delays, answers = Delays(), Delays()
        path = str(home / "run" / "gateway.sock")
        loop = asyncio.get_running_loop()
        listeners: list[Listener] = []
        for _ in range(options.clients):
            _, listener = await loop.create_unix_connection(lambda: Listener(session_id, delays), path)
            await listener.attached
            listeners.append(listener)
        pid, samples = process.running.pid, list[float]()
        watching = asyncio.create_task(watch(pid, samples))
        begun, cpu = time.monotonic(), cpu_seconds(pid)
        count = await react(clients, session_id, rows, options.rate, begun + options.minutes * 60, answers)
        seconds = time.monotonic() - begun
        latest = (await clients[0].call("session.resume", session_id=session_id, limit=0))["seq"]
        until = time.monotonic() + 30
        while time.monotonic() < until and any(one.last < latest and not one.gone for one in listeners):
            await clients[0].call("ping")
        watching.cancel()
        missed = [n for n, one in enumerate(listeners) if one.gaps or one.gone or one.last != latest]
        third = max(1, len(samples) // 3)
        return {
            "clients": len(listeners),
            "minutes": round(seconds / 60, 2),
            "reactions": count,
            "reactions a second": round(count / seconds, 1),
            "events heard": sum(listener.heard for listener in listeners),
            "clients that missed an event": len(missed),
            "fan-out ms": {
                "p50": delays.quantile(0.5),
                "p99": delays.quantile(0.99),
                "max": round(delays.worst, 1),
            },
            "answer ms": {
                "p50": answers.quantile(0.5),
                "p99": answers.quantile(0.99),
                "max": round(answers.worst, 1),
            },
            "gateway CPU %": round((cpu_seconds(pid) - cpu) / seconds * 100, 1),
            "memory MB": {
                "first third": round(sum(samples[:third]) / third, 1),
                "last third": round(sum(samples[-third:]) / third, 1),
                "largest": round(max(samples), 1),
            },
        }
    finally:
        await process.close()


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--rate", type=float, default=50.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="load-") as name:
        figures = asyncio.run(play(Path(name), options))
    text = json.dumps(figures, indent=2, ensure_ascii=False)
    print(text)
    if options.json is not None:
        options.json.write_text(text + "\n", "utf-8")
    return 1 if figures["clients that missed an event"] else 0


if __name__ == "__main__":
    sys.exit(main())
