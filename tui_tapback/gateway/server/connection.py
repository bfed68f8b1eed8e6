"""One client: reads its requests, carries them out in order, and writes answers and events in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tui_tapback.domain.errors import LinkDown
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.wire.errors import Code
from tui_tapback.wire.frames import Frame, RpcFault

from .answers import EventEncoder, error_frame, question_frame
from .context import Context, Facts
from .dispatcher import Dispatcher
from .faults import fault
from .inbox import Inbox
from .outbox import Outbox
from .ports import Link
from .rate import Bucket
from .reception import receive

ASIDE = frozenset({"session.compress"})
"""Requests that wait for a model: the others of the connection do not wait for them."""
_log = logging.getLogger(__name__)

NORMAL, GOING_AWAY, UNSUPPORTED, TRY_LATER = 1000, 1001, 1003, 1013
"""WebSocket close codes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one client may take.

    Bytes that wait to be sent, requests and their bytes that wait to be carried out; writes a second, and at
    once. ``farewell``: seconds that a leaving client
    has to read the rest, ``patience``: seconds for the request that is being carried out.
    """

    outbox_bytes: int = 16 * 1024 * 1024
    waiting_requests: int = 1024
    waiting_bytes: int = 8 * 1024 * 1024
    writes_per_second: float = 100.0
    write_burst: int = 500
    farewell: float = 2.0
    patience: float = 10.0


class Connection:
    """Implements ``EventSink``: the service hands it events, whose order among the answers is kept."""

    def __init__(
        self,
        link: Link,
        service: GatewayService,
        facts: Facts,
        *,
        dispatcher: Dispatcher,
        limits: Limits,
        clock: Callable[[], float],
        encoder: EventEncoder,
    ) -> None:
        self._link = link
        self._encoder = encoder
        self._service = service
        self._context = Context(service, facts, self)
        self._dispatcher = dispatcher
        self._limits = limits
        self._outbox = Outbox(limits.outbox_bytes)
        self._inbox = Inbox(limits.waiting_requests, limits.waiting_bytes)
        self._bucket = Bucket(limits.writes_per_second, limits.write_burst, clock)
        self._farewell: tuple[int, str] | None = None
        self._stopped = False
        self._aside: set[asyncio.Task[None]] = set()
        self._leaving = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    def deliver(self, params: dict[str, Any]) -> None:
        """Queue an event; a client that has fallen too far behind is disconnected instead."""
        self._queue(self._encoder.frame(params))

    def _queue(self, frame: bytes) -> None:
        if not self._outbox.put_event(frame):
            self._outbox.drop()
            _log.warning("A client reads too slowly and is disconnected.")
            self.leave(TRY_LATER, "This client reads too slowly; connect again.")

    def ask(self, frame: dict[str, Any]) -> None:
        """Queue a question of the gateway; it keeps its place among the events."""
        self._queue(question_frame(frame))

    def stop_work(self) -> None:
        """Carry out no further request; events still go out. Clients repeat what was not answered."""
        self._stopped = True

    def leave(self, code: int, reason: str) -> None:
        """Ask the connection to end; what waits is still sent to a client that reads. The first call wins."""
        if self._farewell is None:
            self._farewell = (code, reason)
            self._leaving.set()

    async def run(self) -> None:
        """Serve the client until it leaves or is sent away; never raises but for cancellation."""
        ready = {"heartbeat": True, "change_events": True, "replay_epoch": self._service.replay_epoch}
        self.deliver({"type": "gateway.ready", "session_id": "", "payload": ready})
        self._service.join(self)
        reader = asyncio.create_task(self._read(), name="reader")
        worker = asyncio.create_task(self._work(), name="worker")
        writer = asyncio.create_task(self._write(), name="writer")
        leaving = asyncio.create_task(self._leaving.wait(), name="leaving")
        try:
            await asyncio.wait({reader, worker, writer, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.leave(NORMAL, "")
            self._service.detach(self)
            await self._wind_up(worker, writer, (reader, leaving))
            await self._link.close(*(self._farewell or (NORMAL, "")))

    async def _wind_up(
        self, worker: asyncio.Task[None], writer: asyncio.Task[None], others: tuple[asyncio.Task[Any], ...]
    ) -> None:
        """Finish the request that has begun, send what waits if the client reads it, then end all tasks."""
        for task in others:
            task.cancel()
        idle = asyncio.create_task(self._idle.wait(), name="idle")
        await asyncio.wait({idle}, timeout=self._limits.patience)
        self._outbox.close()
        await asyncio.wait({writer}, timeout=self._limits.farewell)
        aside = tuple(self._aside)
        for task in (idle, worker, writer, *aside):
            task.cancel()
        results = await asyncio.gather(*others, idle, worker, writer, *aside, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                _log.error("A connection ended by a fault of the gateway.", exc_info=result)

    async def _read(self) -> None:
        while True:
            try:
                data = await self._link.receive()
            except LinkDown:
                return
            if isinstance(data, bytes):
                self.leave(UNSUPPORTED, "This gateway speaks text frames only.")
                return
            received = receive(data)
            if isinstance(received, bytes):
                await self._reply(received)
            elif received.method is None:
                self._service.questions.answered(self, received.id, received.result)
            elif not await self._inbox.put(received, len(data)):
                await self._reply(error_frame(received.id, _too_many(self._limits.waiting_requests)))

    async def _reply(self, frame: bytes) -> None:
        """Answer from the reader. A client that does not read is not read from either."""
        await self._outbox.calm()
        self._outbox.put_answer(frame)

    async def _work(self) -> None:
        """Carry out requests until the connection ends; one that has begun is finished."""
        while not self._leaving.is_set():
            frame = await self._inbox.next()
            if self._stopped or self._leaving.is_set():
                continue
            if frame.method in ASIDE:
                task = asyncio.create_task(self._answer(frame), name=f"aside {frame.method}")
                self._aside.add(task)
                task.add_done_callback(self._aside.discard)
                continue
            self._idle.clear()
            try:
                await self._answer(frame)
            finally:
                self._idle.set()
            await self._outbox.calm()

    async def _answer(self, frame: Frame) -> None:
        self._outbox.put_answer(await self._dispatcher.answer(self._context, self._bucket, frame))

    async def _write(self) -> None:
        try:
            while (frame := await self._outbox.next()) is not None:
                await self._link.send(frame)
        except LinkDown:
            return


def _too_many(limit: int) -> RpcFault:
    return fault(
        Code.TOO_MANY_REQUESTS,
        f"This client has {limit:,} requests open already. Wait for answers before asking more.",
    )
