"""The door of ``tui-tapback web``: who has the token gets a cookie, nobody else sees a page or a socket."""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.variables import WEB_TOKEN_VARIABLE as TOKEN_VARIABLE
from tui_tapback.words import _, mark

LEAST: Final = 16
"""Characters that a token of one's own must have."""
_REFUSED: Final = mark(
    "tui_tapback: This address needs the token of the gateway's owner.\n"
    "Open the address that tui-tapback web has printed; it holds the token.\n"
)
_HEADERS: Final[Mapping[str, str]] = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
    ),
}


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine reaches ``host``."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def token_for(host: str, environ: Mapping[str, str]) -> str:
    """The token of the environment, or on loopback a fresh one. Raises SettingsError where there is none."""
    token = environ.get(TOKEN_VARIABLE, "")
    if token and not re.fullmatch(r"[A-Za-z0-9._~-]+", token):
        raise SettingsError(
            _("The token in {token_variable} holds characters that an address cannot carry.").format(
                token_variable=TOKEN_VARIABLE
            ),
            hint=_("Use letters, digits, and - . _ ~ only."),
        )
    if token and len(token) < LEAST:
        raise SettingsError(
            _("The token in {token_variable} is too short to keep anybody out.").format(
                token_variable=TOKEN_VARIABLE
            ),
            hint=_("Use {least} characters or more.").format(least=LEAST),
        )
    if not token and not is_loopback(host):
        raise SettingsError(
            _("The chat is not served on {host} without a token: others could reach it.").format(
                host=clean_line(host, 60)
            ),
            hint=_("Set {token_variable}, or leave out --host and use an SSH tunnel.").format(
                token_variable=TOKEN_VARIABLE
            ),
        )
    return token or secrets.token_urlsafe(24)


class Gate:
    """Lets a request through that has the cookie; ``?token=`` on the page earns it and leaves the address."""

    def __init__(self, token: str, *, name: str) -> None:
        self._token = token.encode()
        self._cookie = f"tui_tapback_{name}"

    def _right(self, given: str | None) -> bool:
        return given is not None and hmac.compare_digest(given.encode("utf-8", "replace"), self._token)

    def middleware(self) -> Middleware:
        """For ``web.Application``: refuses with 403, adds the headers that keep the page to itself."""

        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            response = await self._answer(request, handler)
            if not response.prepared:
                response.headers.update(_HEADERS)
            return response

        return guard

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path == "/" and self._right(request.query.get("token")):
            found = web.Response(status=303, headers={"Location": "/"})
            found.set_cookie(self._cookie, self._token.decode(), httponly=True, samesite="Strict", path="/")
            return found
        if not self._right(request.cookies.get(self._cookie)) or not same_origin(request):
            return web.Response(status=403, text=_(_REFUSED))
        return await handler(request)


def same_origin(request: web.Request) -> bool:
    """Whether a socket is opened by our own page; browsers send cookies along for any page's sockets."""
    if request.headers.get("Upgrade", "").lower() != "websocket":
        return True
    return urlsplit(request.headers.get("Origin", "")).netloc == request.host
