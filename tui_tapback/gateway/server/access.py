"""Who may open a WebSocket: the right path, the right token, no foreign web page."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qs

from tui_tapback.config.secret import Secret

PATHS = frozenset({"/", "/api/ws"})
TOKEN_HEADER = "X-Hermes-Session-Token"
PROTOCOL = "hermes-gateway-v1"
"""Subprotocol of the wire; only this one is ever named in an answer."""
TOKEN_PROTOCOL = "hermes-gateway-ticket."
"""In front of the token where it comes as a second subprotocol, which is all that a web page can send."""

_LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True, slots=True)
class Access:
    """The rule of one listener. ``token`` None: the file system guards the way in (a Unix socket).

    ``loopback``: a page counts as our own only where it was loaded from this machine by its usual names, so
    that a foreign name that leads to this machine does not.
    """

    token: Secret | None = None
    loopback: bool = True

    def refusal(self, target: str, headers: Mapping[str, str]) -> HTTPStatus | None:
        """The HTTP status with which a request for ``target`` (path and query) is refused, or None.

        The token may come as a bearer token, in the header that Hermes uses, as a subprotocol, and (for the
        clients of a Hermes gateway) as ``?token=``. A page of another origin is refused whatever it knows; no
        origin, ``file://`` and our own are welcome.
        """
        path, _, query = target.partition("?")
        if path not in PATHS:
            return HTTPStatus.NOT_FOUND
        if self.token is None:
            return None
        if not _own_origin(headers.get("Origin"), headers.get("Host", ""), loopback=self.loopback):
            return HTTPStatus.FORBIDDEN
        expected = _bytes(self.token.reveal())
        if any(hmac.compare_digest(_bytes(given), expected) for given in _tokens(query, headers)):
            return None
        return HTTPStatus.FORBIDDEN


def _bytes(text: str) -> bytes:
    # Bytes of a header that are no ASCII arrive as lone surrogates.
    return text.encode("utf-8", "surrogateescape")


def _own_origin(origin: str | None, host: str, *, loopback: bool) -> bool:
    if origin is None or origin == "file://":
        return True
    scheme, _, rest = origin.partition("://")
    if scheme not in ("http", "https") or rest.lower() != host.lower():
        return False
    return not loopback or _name(rest) in _LOCAL


def _name(host: str) -> str:
    """The host without its port."""
    name, _, port = host.lower().rpartition(":")
    return name if port.isdecimal() else host.lower()


def _tokens(query: str, headers: Mapping[str, str]) -> list[str]:
    given = parse_qs(query).get("token", [])[:1]
    scheme, _, bearer = headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        given.append(bearer.strip())
    given.append(headers.get(TOKEN_HEADER, ""))
    offered = (protocol.strip() for protocol in headers.get("Sec-WebSocket-Protocol", "").split(","))
    given += [name.removeprefix(TOKEN_PROTOCOL) for name in offered if name.startswith(TOKEN_PROTOCOL)][:1]
    return [token for token in given if token]
