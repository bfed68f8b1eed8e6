"""Gateways for tests: a client of raw frames, a server in this process, and a real gateway process."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tui_tapback.client.ports import Transport
from tui_tapback.client.transport import unix_connector
from tui_tapback.domain.errors import GatewayUnreachable, RpcError
from tui_tapback.gateway.main.listeners import UnixListener
from tui_tapback.gateway.server.access import Access
from tui_tapback.gateway.server.connection import Limits
from tui_tapback.gateway.server.context import Facts
from tui_tapback.gateway.server.dispatcher import Dispatcher
from tui_tapback.gateway.server.server import GatewayServer
from tui_tapback.gateway.server.transport import Hall, listen

from .service import ServiceBench

DEADLINE = 10.0


class RawClient:
    """Sends requests and sorts what comes: answers by id, events in order, and ``frames`` as they came."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.frames: list[dict[str, Any]] = []
        self._ids = itertools.count(1)

    @classmethod
    async def connect(cls, path: Path) -> RawClient:
        """Connect to a Unix socket."""
        return cls(await unix_connector(path)())

    @property
    def events(self) -> list[dict[str, Any]]:
        """``params`` of the events so far."""
        return [frame["params"] for frame in self.frames if frame.get("method") == "event"]

    async def read(self) -> dict[str, Any]:
        """The next frame. Raises LinkDown, TimeoutError."""
        async with asyncio.timeout(DEADLINE):
            frame = json.loads(await self.transport.receive())
        self.frames.append(frame)
        return frame

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and return the whole frame of its answer."""
        number = next(self._ids)
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        await self.transport.send(json.dumps(request))
        while True:
            frame = await self.read()
            if frame.get("id") == number and "method" not in frame:
                return frame

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and return its result. Raises RpcError."""
        frame = await self.request(method, **params)
        if "error" in frame:
            error = frame["error"]
            raise RpcError(error["code"], error["message"], error.get("data"))
        return frame["result"]

    async def event(
        self, kind: str, matches: Callable[[dict[str, Any]], bool] = lambda payload: True
    ) -> dict[str, Any]:
        """The first event of that type (also of those that came already) whose payload matches."""
        looked = 0
        while True:
            events = self.events
            for params in events[looked:]:
                if params["type"] == kind and matches(params.get("payload", {})):
                    return params
            looked = len(events)
            await self.read()

    async def close(self) -> None:
        """Disconnect."""
        await self.transport.close()


class RunningServer:
    """A server on a Unix socket in this process, over a service with a scripted agent.

    ``bench``: another service than the usual one. ``room``: connections that there are files for. Further
    arguments go to the server.
    """

    def __init__(
        self,
        folder: Path,
        *,
        bench: ServiceBench | None = None,
        limits: Limits | None = None,
        dispatcher: Dispatcher | None = None,
        max_connections: int = 200,
        room: int | None = None,
    ) -> None:
        self._room = room
        self.bench = bench or ServiceBench(folder / "data.db")
        self.path = folder / "gateway.sock"
        self.server = GatewayServer(
            self.bench.service,
            Facts("test"),
            limits=limits,
            dispatcher=dispatcher,
            max_connections=max_connections,
        )
        self._listener = UnixListener.bind(self.path)
        self._clients: list[RawClient] = []

    async def __aenter__(self) -> Self:
        self._websockets = await listen(
            self._listener.sock, Access(), self.server.serve_link, hall=Hall(self._room)
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            await client.close()
        self._listener.remove()
        self._websockets.close(close_connections=False)
        await self.server.close()
        await self._websockets.wait_closed()
        self._listener.close()

    async def client(self) -> RawClient:
        """One more client, which has read the first frame."""
        client = await RawClient.connect(self.path)
        self._clients.append(client)
        await client.read()
        return client


class GatewayProcess:
    """A real gateway process in a home of its own; ``log`` is what its log says. ``files``: how many it may
    hold open."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        environ: Mapping[str, str] | None = None,
        files: int | None = None,
    ) -> None:
        self.home = home
        self._shell = () if files is None else ("sh", "-c", f'ulimit -n {files:d}; exec "$@"', "sh")
        self.arguments = arguments
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(home), "TUI_TAPBACK_HOME": str(home)}
        self.environ |= environ or {}
        self._clients: list[RawClient] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._errors = home / f"stderr-{id(self)}"

    @property
    def log(self) -> str:
        """The log so far."""
        path = self.home / "logs" / "gateway.log"
        return path.read_text("utf-8") if path.exists() else ""

    @property
    def running(self) -> subprocess.Popen[bytes]:
        """The process. Raises AssertionError before ``start``."""
        if self._process is None:
            raise AssertionError("the gateway was not started")
        return self._process

    async def start(self) -> Self:
        """Start it; it may take a moment until it answers."""
        self._spawn()
        return self

    def _spawn(self) -> None:
        with os.fdopen(os.open(self._errors, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as errors:
            self._process = subprocess.Popen(
                [*self._shell, sys.executable, "-m", "tui_tapback.gateway.main", *self.arguments],
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    async def client(self, path: Path | None = None) -> RawClient:
        """A client, as soon as the gateway answers. Raises GatewayUnreachable after a while."""
        deadline = time.monotonic() + DEADLINE
        while True:
            try:
                client = await RawClient.connect(path or self.home / "run" / "gateway.sock")
            except GatewayUnreachable:
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.02)
            else:
                self._clients.append(client)
                await client.read()
                return client

    async def ended(self) -> tuple[int, str]:
        """Exit status and standard error, once it has ended. Raises subprocess.TimeoutExpired."""
        status = await asyncio.to_thread(self.running.wait, 2 * DEADLINE)
        return status, self._errors.read_text("utf-8", "replace")

    async def kill(self) -> None:
        """``kill -9``."""
        self.running.kill()
        await self.ended()

    async def terminate(self) -> tuple[int, str]:
        """Ask it to end, and wait until it has."""
        self.running.send_signal(signal.SIGTERM)
        return await self.ended()

    async def close(self) -> None:
        """Let go of all clients, and end it if it runs."""
        for client in self._clients:
            await client.close()
        if self._process is not None:
            await self.kill()
