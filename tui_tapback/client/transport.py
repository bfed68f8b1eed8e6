"""The links: WebSocket over a Unix socket or TCP, their failures turned into our sentences."""

from __future__ import annotations

import errno
import logging
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
    InvalidURI,
    WebSocketException,
)

from tui_tapback.domain.errors import (
    GatewayRefused,
    GatewayUnreachable,
    IncompatibleGateway,
    LinkDown,
    SettingsError,
)
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.domain.variables import TOKEN_VARIABLE
from tui_tapback.words import _

from .ports import Connector, Transport
from .tls import refused_certificate

_PATH = "/api/ws"
_OPEN_TIMEOUT = 15.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_FOR_NOW = frozenset({408, 425, 429, *range(500, 600)} - {501, 505})
"""A gateway that is just leaving, or one behind a proxy that starts or is busy: worth another attempt."""
_ELSEWHERE = frozenset({301, 302, 303, 307, 308})
_NOBODY = frozenset({errno.ENOENT, errno.ECONNREFUSED})


class NobodyListens(GatewayUnreachable):
    """There is no socket, or nobody accepts on it: a gateway may be started there."""


class WebSocketTransport:
    """A WebSocket as a Transport. It sends text frames only: a binary one ends a Hermes connection."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, text: str) -> None:
        """Send one frame. Raises LinkDown."""
        try:
            await self._connection.send(text)
        except (ConnectionClosed, OSError) as error:
            raise LinkDown(_("The link to the gateway broke.")) from error

    async def receive(self) -> str:
        """The next frame. Raises LinkDown."""
        try:
            return await self._connection.recv(decode=True)
        except (ConnectionClosed, OSError) as error:
            raise LinkDown(_("The gateway closed the link.")) from error

    async def close(self) -> None:
        """Close the link, without waiting long for the other side's goodbye."""
        try:
            await self._connection.close()
        except (OSError, AttributeError):
            # The second is a fault of asyncio: its transport forgets its loop when the last of a full buffer
            # went out while closing, and then stumbles over that. Either way the link is closed.
            return


class _Straight(connect):
    """Goes nowhere else: the address was chosen by the person, and a redirect may carry its token along."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Never."""
        return exc


def _options(*, local: bool) -> dict[str, Any]:
    return {
        # A resume of 5,000 messages is one frame of 2 MB; the limit of the library is 1 MiB.
        "max_size": None,
        "max_queue": 256,
        "compression": None if local else "deflate",
        # Our own heartbeat asks the gateway itself, not only its socket.
        "ping_interval": None,
        "open_timeout": _OPEN_TIMEOUT,
        "close_timeout": 1.0,
        # The library would log the address, and with it the token, at debug level.
        "logger": logging.Logger("tui_tapback.websocket", logging.WARNING),
        # Never through a proxy of the environment: the address was chosen by the person.
        "proxy": None,
    }


def _refused(place: str, *, token_given: bool) -> GatewayRefused:
    hint = (
        _("Check the token: it must be the one that gateway was started with.")
        if token_given
        else _(
            "No token was given. Put it into the variable {variable}, or name in the settings of the "
            "connection the variable or the file that holds it."
        ).format(variable=TOKEN_VARIABLE)
    )
    return GatewayRefused(_("The gateway at {place} refused the connection.").format(place=place), hint=hint)


def _translated(error: Exception, place: str, *, token_given: bool = True) -> LinkDown:
    """Our error for what went wrong while opening; never mentions the token itself."""
    match error:
        case InvalidStatus() if error.response.status_code in (401, 403):
            return _refused(place, token_given=token_given)
        case InvalidStatus() if error.response.status_code in _FOR_NOW:
            status = error.response.status_code
            return GatewayUnreachable(
                _("The gateway at {place} takes nobody just now (status {status}).").format(
                    place=place, status=status
                )
            )
        case InvalidStatus() if error.response.status_code in _ELSEWHERE:
            return IncompatibleGateway(
                _("What answers at {place} is a web site that leads elsewhere, no chat gateway.").format(
                    place=place
                ),
                hint=_("Check the address; some gateways stand behind a path, as in wss://host/path/api/ws."),
            )
        case InvalidStatus():
            status = error.response.status_code
            return IncompatibleGateway(
                _("What answers at {place} is no chat gateway (status {status}).").format(
                    place=place, status=status
                ),
                hint=_("Check the address and its path."),
            )
        case ssl.SSLError():
            return refused_certificate(error, place)
        case InvalidMessage() if isinstance(error.__cause__, EOFError):
            return GatewayUnreachable(
                _("The gateway at {place} hung up while connecting.").format(place=place)
            )
        case InvalidHandshake():
            return IncompatibleGateway(
                _("What answers at {place} does not speak the WebSocket protocol.").format(place=place),
                hint=_("Check the address."),
            )
        case TimeoutError():
            return GatewayUnreachable(_("The gateway at {place} did not answer in time.").format(place=place))
        case OSError() if error.errno in _NOBODY or isinstance(error, ConnectionRefusedError):
            return NobodyListens(
                _("No gateway listens at {place}.").format(place=place),
                hint=_("Start it, or check the address."),
            )
        case OSError():
            why = error.strerror or clean_line(str(error), 200) or _("the network failed")
            return GatewayUnreachable(
                _("The gateway at {place} cannot be reached: {why}.").format(place=place, why=why)
            )
        case _:
            return GatewayUnreachable(
                _("The gateway at {place} broke off while connecting.").format(place=place)
            )


@value
class _UnixConnector:
    path: Path

    async def __call__(self) -> Transport:
        try:
            connection = await unix_connect(
                str(self.path), uri=f"ws://localhost{_PATH}", **_options(local=True)
            )
        except (OSError, WebSocketException) as error:
            raise _translated(error, str(self.path)) from error
        return WebSocketTransport(connection)


class _UrlConnector:
    """Holds the whole address; ``place`` is what may be shown of it."""

    def __init__(
        self, url: str, place: str, *, local: bool, tls: ssl.SSLContext | None, token_given: bool
    ) -> None:
        self._url = url
        self._token_given = token_given
        self._tls: dict[str, Any] = {"ssl": tls} if tls is not None and url.startswith("wss:") else {}
        self._local = local
        self.place = place

    def __repr__(self) -> str:
        return f"url_connector({self.place!r})"

    async def __call__(self) -> Transport:
        try:
            connection = await _Straight(self._url, **_options(local=self._local), **self._tls)
        except (OSError, WebSocketException) as error:
            # The cause of an InvalidURI would hold the token.
            cause = None if isinstance(error, InvalidURI) else error
            raise _translated(error, self.place, token_given=self._token_given) from cause
        return WebSocketTransport(connection)


def unix_connector(path: Path) -> Connector:
    """Connects to a gateway on a Unix socket."""
    return _UnixConnector(path)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its very name."""
    return host in _LOOPBACK or host.startswith("127.")


def url_connector(
    url: str,
    token: str | None = None,
    *,
    parameter: str = "token",
    tls: ssl.SSLContext | None = None,
) -> Connector:
    """Connects to ``ws://``, ``wss://``, ``http://`` or ``https://`` addresses.

    A path may be left out; a ``token`` in the address is accepted too, and never shown. ``tls`` is for
    certificates that the system does not know. Raises SettingsError for an address that cannot be one.
    """
    try:
        parts = urlsplit(url if "://" in url else f"ws://{url}")
        port = parts.port
        (parts.hostname or "").encode("idna")  # as the system does it when it looks for the host
    except ValueError as error:
        raise SettingsError(_("The address of the gateway is not a valid URL.")) from error
    scheme = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}.get(parts.scheme)
    host = parts.hostname
    if scheme is None or not host:
        raise SettingsError(
            _("The address of the gateway must begin with ws:// or wss:// and name a host."),
            hint=_("Example: ws://127.0.0.1:9119"),
        )
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    if token is not None:
        query[parameter] = token
    shown_host = f"[{host}]" if ":" in host else host
    authority = f"{shown_host}:{port}" if port else shown_host
    path = quote(parts.path, safe="/%") if parts.path not in ("", "/") else _PATH
    whole = urlunsplit((scheme, authority, path, urlencode(query), ""))
    local = is_loopback(host)
    given = any(query.get(name) for name in ("token", parameter))
    return _UrlConnector(whole, f"{scheme}://{authority}", local=local, tls=tls, token_given=given)
