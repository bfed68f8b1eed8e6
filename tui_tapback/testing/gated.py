"""A gate before a gateway, as a remote Hermes has it: logins over HTTP, a ticket for every WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

Inner = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


@dataclass(slots=True)
class Answered:
    """What is said instead on a path: a status, headers and a body."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict[str, str])


class Gated:
    """From ``async with`` to the end of the block. ``inner`` opens a connection to the gateway behind it.

    ``username`` and ``password`` open it. A renewed login ends the one before. ``expire`` makes tokens stale,
    ``end`` makes logins as well. ``instead`` says something else on a path, ``seen`` are the paths asked for
    (without their queries) and ``tickets`` how many were used.
    """

    def __init__(
        self, inner: Inner, *, username: str, password: str, tls: ssl.SSLContext | None = None
    ) -> None:
        self._inner = inner
        self._secret = (username, password)
        self._tls = tls
        self._tokens: set[str] = set()
        self._renewing: set[str] = set()
        self._tickets: set[str] = set()
        self._links: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.instead: dict[str, Answered] = {}
        self.seen: list[str] = []
        self.tickets = 0
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drop()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    @property
    def url(self) -> str:
        """The address for a client."""
        return f"{'wss' if self._tls else 'ws'}://127.0.0.1:{self.port}/api/ws"

    def expire(self) -> None:
        """All tokens are stale; a login can still be renewed."""
        self._tokens.clear()

    def end(self) -> None:
        """All logins are over."""
        self.expire()
        self._renewing.clear()

    def drop(self) -> None:
        """Break all connections."""
        for writer in tuple(self._links):
            writer.transport.abort()

    # --- inside ----------------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._links.add(writer)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            method, target, *_rest = head.split(b"\r\n", 1)[0].decode().split(" ")
            lines = [line.partition(": ") for line in head.decode().split("\r\n")[1:]]
            headers = {name.lower(): value for name, _, value in lines}
            parts = urlsplit(target)
            self.seen.append(parts.path)
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            if parts.path in self.instead:
                await _reply(writer, self.instead[parts.path])
            elif parts.path == "/api/ws":
                await self._connect(head, parse_qs(parts.query), reader, writer)
            else:
                await _reply(writer, self._http(method, parts.path, headers, body))
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the other side has gone
        finally:
            self._links.discard(writer)
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def _http(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answered:
        asked: dict[str, Any] = json.loads(body or b"{}")
        match (method, path):
            case ("GET", "/api/auth/providers"):
                way = {"name": "basic", "display_name": "Name & password", "supports_password": True}
                return _json({"providers": [way]})
            case ("POST", "/auth/password-login"):
                if (asked["username"], asked["password"]) != self._secret:
                    return _json({"detail": "Invalid credentials"}, 401)
                login = self._login()
                cookies = f"hermes_session_at={login['access_token']}; Path=/; HttpOnly"
                more = f"hermes_session_rt={login['refresh_token']}; Path=/; HttpOnly"
                answer = _json({"ok": True})
                answer.headers["Set-Cookie"] = f"{cookies}\r\nSet-Cookie: {more}"
                return answer
            case ("POST", "/auth/native/refresh"):
                if asked["refresh_token"] not in self._renewing:
                    self.end()
                    return _json({"error": "session_expired"}, 401)
                self._renewing.discard(asked["refresh_token"])
                return _json(self._login())
            case ("POST", "/api/auth/ws-ticket"):
                if headers.get("authorization", "").removeprefix("Bearer ") not in self._tokens:
                    return _json({"error": "session_expired"}, 401)
                ticket = secrets.token_urlsafe(16)
                self._tickets.add(ticket)
                return _json({"ticket": ticket, "ttl_seconds": 30})
            case ("POST", "/auth/logout"):
                self.end()
                return Answered(302, headers={"Location": "/login"})
            case _:
                return _json({"detail": "Not Found"}, 404)

    def _login(self) -> dict[str, str]:
        login = {"access_token": secrets.token_urlsafe(16), "refresh_token": secrets.token_urlsafe(16)}
        self._tokens.add(login["access_token"])
        self._renewing.add(login["refresh_token"])
        return login

    async def _connect(
        self,
        head: bytes,
        query: dict[str, list[str]],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        ticket = query.get("ticket", [""])[0]
        if ticket not in self._tickets:
            await _reply(writer, Answered(403))
            return
        self._tickets.discard(ticket)
        self.tickets += 1
        inner_reader, inner_writer = await self._inner()
        self._links.add(inner_writer)
        try:
            inner_writer.write(head)
            await asyncio.gather(_pump(reader, inner_writer), _pump(inner_reader, writer))
        finally:
            self._links.discard(inner_writer)
            inner_writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()


def _json(body: dict[str, Any], status: int = 200) -> Answered:
    return Answered(status, json.dumps(body).encode(), {"Content-Type": "application/json"})


async def _reply(writer: asyncio.StreamWriter, answer: Answered) -> None:
    headers = answer.headers | {"Content-Length": str(len(answer.body)), "Connection": "close"}
    lines = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join([*lines, "", ""]).encode() + answer.body)
    await writer.drain()
