"""A network between clients and a scripted gateway that moves a frame only when the test says so."""

from __future__ import annotations

import asyncio
import json
from collections import deque

from tui_tapback.client.ports import Transport
from tui_tapback.domain.errors import GatewayUnreachable, LinkDown

from .scripted_gateway import ScriptedGateway


class LaggingLink:
    """One connection. Requests, answers and events lie in queues of their own until they are moved.

    Answers keep their order among themselves, and so do events; between the two there is none.
    """

    def __init__(self, inner: Transport) -> None:
        self._inner = inner
        self._requests: deque[str] = deque()
        self._answers: deque[str] = deque()
        self._events: deque[str] = deque()
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._reader = asyncio.ensure_future(self._read())
        self.open = True

    async def send(self, text: str) -> None:
        """From the client."""
        if not self.open:
            raise LinkDown("The link to the gateway broke.")
        self._requests.append(text)

    async def receive(self) -> str:
        """To the client."""
        text = await self._inbox.get()
        if text is None:
            raise LinkDown("The gateway closed the link.")
        return text

    async def close(self) -> None:
        """Close; what is under way is lost."""
        self.cut()
        await self._inner.close()
        await asyncio.gather(self._reader, return_exceptions=True)

    @property
    def waiting(self) -> int:
        """Frames that lie in the queues."""
        return len(self._requests) + len(self._answers) + len(self._events)

    async def move_request(self) -> None:
        """Let the oldest request reach the gateway."""
        if self._requests and self.open:
            try:
                await self._inner.send(self._requests.popleft())
            except LinkDown:
                self.cut()

    def move_answer(self) -> None:
        """Let the oldest answer reach the client."""
        if self._answers:
            self._inbox.put_nowait(self._answers.popleft())

    def move_event(self, *, times: int = 1) -> bool:
        """Let the oldest event reach the client, once or oftener; False where there is none."""
        if not self._events:
            return False
        event = self._events.popleft()
        for _ in range(times):
            self._inbox.put_nowait(event)
        return True

    def lose_event(self) -> None:
        """Drop the oldest numbered event on the way."""
        if self._events and "seq" in json.loads(self._events[0])["params"]:
            self._events.popleft()

    def cut(self) -> None:
        """Break the link; everything under way is lost."""
        if self.open:
            self.open = False
            self._requests.clear()
            self._answers.clear()
            self._events.clear()
            self._inbox.put_nowait(None)
            self._reader.cancel()

    async def _read(self) -> None:
        while True:
            try:
                text = await self._inner.receive()
            except LinkDown:
                self.cut()
                return
            (self._events if "method" in json.loads(text) else self._answers).append(text)


class LaggingNetwork:
    """A Connector for one device. ``up`` False: connecting fails."""

    def __init__(self, gateway: ScriptedGateway) -> None:
        self._gateway = gateway
        self.up = True
        self.link: LaggingLink | None = None

    async def __call__(self) -> Transport:
        """Connect."""
        if not self.up:
            raise GatewayUnreachable("There is no network.")
        self.link = LaggingLink(await self._gateway())
        return self.link

    def cut(self) -> None:
        """Break the present link."""
        if self.link is not None:
            self.link.cut()

    async def flush(self) -> bool:
        """Move everything that lies in the queues; False where nothing did."""
        link = self.link
        if link is None or not link.waiting:
            return False
        await link.move_request()
        link.move_event()
        link.move_answer()
        return True
