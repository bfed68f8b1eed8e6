"""Logs in at a Hermes gateway beyond loopback: name and password, then a ticket for every connection."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import msgspec

from tui_tapback.domain.errors import (
    GatewayRefused,
    GatewayUnreachable,
    IncompatibleGateway,
    LinkDown,
    SettingsError,
)
from tui_tapback.domain.text import clean_line

from .ports import Transport
from .transport import is_loopback, url_connector

T = TypeVar("T", bound=msgspec.Struct)
_TIMEOUT = 15.0
_LARGEST = 65_536


class _Provider(msgspec.Struct):
    name: str
    supports_password: bool = False


class _Providers(msgspec.Struct):
    providers: list[_Provider] = []


class _Anything(msgspec.Struct):
    """The answer to a login says nothing that is needed; its cookies do."""


class _Ticket(msgspec.Struct):
    ticket: str


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A login that leads elsewhere would carry the password there."""

    def redirect_request(  # noqa: PLR0917  # the base class names them
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        """Never."""


class PasswordLogin:
    """A connector. The login is kept in memory and made again when the gateway no longer knows it.

    ``url`` as for ``url_connector``. Raises SettingsError for an address over which a password would travel
    in the clear.
    """

    def __init__(self, url: str, username: str, password: str) -> None:
        parts = urlsplit(url if "://" in url else f"wss://{url}")
        secure = parts.scheme in ("wss", "https")
        if not secure and not is_loopback(parts.hostname or ""):
            raise SettingsError(
                "A password is not sent over an unencrypted connection.",
                hint="Use an address that begins with wss://, or an SSH tunnel.",
            )
        self._url = urlunsplit(parts)
        self._base = urlunsplit(("https" if secure else "http", parts.netloc, "", "", ""))
        self._username = username
        self._password = password
        self._place = parts.hostname or ""
        self._known = False
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar()), _NoRedirect()
        )

    def __repr__(self) -> str:
        return f"PasswordLogin({self._place!r})"

    async def __call__(self) -> Transport:
        """Get a ticket, logging in where needed, and connect with it.

        Raises GatewayUnreachable, GatewayRefused (name or password), IncompatibleGateway.
        """
        ticket = await asyncio.to_thread(self._ticket)
        return await url_connector(self._url, ticket, parameter="ticket")()

    def _ticket(self) -> str:
        if not self._known:
            self._log_in()
        try:
            return self._ask("POST", "/api/auth/ws-ticket", {}, _Ticket).ticket
        except GatewayRefused:
            self._log_in()  # the login has run out
            return self._ask("POST", "/api/auth/ws-ticket", {}, _Ticket).ticket

    def _log_in(self) -> None:
        self._known = False
        offered = self._ask("GET", "/api/auth/providers", None, _Providers).providers
        provider = next((p.name for p in offered if p.supports_password), None)
        if provider is None:
            raise GatewayRefused(
                f"The gateway at {self._place} takes no name and password.",
                hint="Use an SSH tunnel with the token of the process.",
            )
        body = {"provider": provider, "username": self._username, "password": self._password}
        self._ask("POST", "/auth/password-login", body, _Anything)
        self._known = True

    def _ask(self, method: str, path: str, body: object, kind: type[T]) -> T:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._base + path, data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=_TIMEOUT) as answer:
                return msgspec.json.decode(answer.read(_LARGEST), type=kind)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error.code) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise GatewayUnreachable(
                f"The gateway at {self._place} cannot be reached: {clean_line(str(reason), 200)}."
            ) from None
        except msgspec.DecodeError as error:
            raise IncompatibleGateway(
                f"What answers at {self._place} does not know this login.", hint="Check the address."
            ) from error

    def _refused(self, status: int) -> LinkDown:
        if status in (401, 403):
            return GatewayRefused(
                f"The gateway at {self._place} refused the name or the password.", hint="Check both."
            )
        if status == 429 or status >= 500:
            return GatewayUnreachable(f"The gateway at {self._place} takes no login just now ({status}).")
        return IncompatibleGateway(
            f"What answers at {self._place} does not know this login (status {status}).",
            hint="Check the address.",
        )
