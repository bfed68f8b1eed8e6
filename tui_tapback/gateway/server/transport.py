"""The WebSocket server on a bound socket, Unix or TCP: the gateway's only file that knows websockets."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from tui_tapback.domain.errors import LinkDown
from tui_tapback.gateway.hooks.origin import PEER_SESSION, peer_session

from .access import PROTOCOL, Access
from .ports import Link

__all__ = ["MAX_FRAME", "MOST_HANDSHAKES", "Hall", "Server", "WebSocketLink", "listen"]

MAX_FRAME = 8 * 1024 * 1024
"""Largest frame that a client may send, in bytes; a larger one ends its connection with 1009."""

MOST_HANDSHAKES = 256
"""Connections that have not yet asked for a WebSocket: who says nothing costs a file."""

_CLOSE_SECONDS = 1.0
_OPEN_SECONDS = 10.0

Serve = Callable[[Link], Awaitable[None]]


class WebSocketLink:
    """A connection of the library as a ``Link``."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    async def send(self, frame: bytes) -> None:
        """Send one text frame. Raises LinkDown."""
        try:
            await self._connection.send(frame, text=True)
        except (ConnectionClosed, OSError) as error:
            raise LinkDown("The client is gone.") from error

    async def receive(self) -> str | bytes:
        """The next frame. Raises LinkDown."""
        try:
            return await self._connection.recv()
        except (ConnectionClosed, OSError) as error:
            raise LinkDown("The client is gone.") from error

    async def close(self, code: int, reason: str) -> None:
        """Close; a client that does not read is cut off after two seconds."""
        try:
            # The library's own limit counts from when the goodbye has been written, which may never be.
            async with asyncio.timeout(2 * _CLOSE_SECONDS):
                await self._connection.close(code, reason)
        except TimeoutError:
            self._connection.transport.abort()


class Hall:
    """Who has come in, and who of them has not yet said what for; one for all doors of a gateway.

    Where the silent become too many, or all together more than there are files for (``room``), the one that
    has been silent longest is put out: whoever means it has said it by then. Where nobody is silent, the one
    that comes is not let in.
    """

    def __init__(self, room: int | None = None) -> None:
        self._room = room
        self._waiting: dict[ServerConnection, None] = {}
        self._all: set[ServerConnection] = set()

    def came(self, connection: ServerConnection) -> None:
        """One more; somebody may have to leave for it."""
        self._waiting[connection] = None
        self._all.add(connection)
        if len(self._waiting) > MOST_HANDSHAKES or (self._room is not None and len(self._all) > self._room):
            oldest = next(iter(self._waiting))
            self.left(oldest)
            oldest.transport.abort()

    def entered(self, connection: ServerConnection) -> None:
        """It has said what it wants."""
        self._waiting.pop(connection, None)

    def left(self, connection: ServerConnection) -> None:
        """It is gone."""
        self._waiting.pop(connection, None)
        self._all.discard(connection)


async def listen(
    listener: socket.socket,
    access: Access,
    serve_link: Serve,
    *,
    hall: Hall,
    tls: ssl.SSLContext | None = None,
) -> Server:
    """Serve WebSockets on a bound socket (Unix or TCP); ``serve_link`` is called for each connection.

    The answer is the library's server: ``close()`` and ``wait_closed()`` end it.
    """

    class Guest(ServerConnection):
        """A connection that stands in the hall until its handshake is done."""

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            hall.came(self)

        def connection_lost(self, exc: Exception | None) -> None:
            hall.left(self)
            super().connection_lost(exc)

    async def handle(connection: ServerConnection) -> None:
        hall.entered(connection)
        sock = connection.transport.get_extra_info("socket")
        if sock is not None and sock.family != getattr(socket, "AF_UNIX", None):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        PEER_SESSION.set(peer_session(sock))  # for the tasks of this connection
        await serve_link(WebSocketLink(connection))

    def check(connection: ServerConnection, request: Request) -> Response | None:
        del connection
        status = access.refusal(request.path, _single(request.headers))
        return None if status is None else _empty(status)

    return await serve(
        handle,
        sock=listener,
        ssl=tls,
        create_connection=Guest,
        process_request=check,
        select_subprotocol=_subprotocol,
        max_size=MAX_FRAME,
        max_queue=4,
        compression=None,
        # The heartbeat is the client's (gateway.ping): a ping that waits behind a long answer on a slow line
        # would cut a sound link.
        ping_interval=None,
        open_timeout=_OPEN_SECONDS,
        close_timeout=_CLOSE_SECONDS,
        server_header=None,
        # The library logs addresses with their token at debug level, and handshakes of strangers as errors.
        logger=_silent(),
    )


def _subprotocol(connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Ours, where it was offered; the one that holds a token is never said back."""
    del connection
    return Subprotocol(PROTOCOL) if PROTOCOL in offered else None


def _silent() -> logging.Logger:
    logger = logging.Logger("tui_tapback.websocket", logging.CRITICAL)
    logger.addHandler(logging.NullHandler())
    return logger


def _single(headers: Headers) -> dict[str, str]:
    """The headers by their usual names; one that is given twice counts as not given."""
    names = ("Origin", "Host", "Authorization", "X-Hermes-Session-Token", "Sec-WebSocket-Protocol")
    found: dict[str, Any] = {name: headers.get_all(name) for name in names}
    return {name: values[0] for name, values in found.items() if len(values) == 1}


def _empty(status: HTTPStatus) -> Response:
    return Response(
        status.value, status.phrase, Headers([("Connection", "close"), ("Content-Length", "0")]), b""
    )
