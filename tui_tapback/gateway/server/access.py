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


@dataclass(frozen=True, slots=True)
class Access:
    """The rule of one listener. ``token`` None: the file system guards the way in (a Unix socket)."""

    token: Secret | None = None

    def refusal(self, target: str, headers: Mapping[str, str]) -> HTTPStatus | None:
        """The HTTP status with which a request for ``target`` (path and query) is refused, or None.

        The token may come as ``?token=``, as a bearer token or in the header that Hermes uses. A page of
        another origin is refused whatever it knows; no origin, ``file://`` and our own are welcome.
        """
        path, _, query = target.partition("?")
        if path not in PATHS:
            return HTTPStatus.NOT_FOUND
        if self.token is None:
            return None
        if not _own_origin(headers.get("Origin"), headers.get("Host", "")):
            return HTTPStatus.FORBIDDEN
        expected = _bytes(self.token.reveal())
        if any(hmac.compare_digest(_bytes(given), expected) for given in _tokens(query, headers)):
            return None
        return HTTPStatus.FORBIDDEN


def _bytes(text: str) -> bytes:
    # Bytes of a header that are no ASCII arrive as lone surrogates.
    return text.encode("utf-8", "surrogateescape")


def _own_origin(origin: str | None, host: str) -> bool:
    if origin is None or origin == "file://":
        return True
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and rest.lower() == host.lower()


def _tokens(query: str, headers: Mapping[str, str]) -> list[str]:
    given = parse_qs(query).get("token", [])[:1]
    scheme, _, bearer = headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        given.append(bearer.strip())
    given.append(headers.get(TOKEN_HEADER, ""))
    return [token for token in given if token]
