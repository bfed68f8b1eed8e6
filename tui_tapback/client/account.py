"""The login of a Hermes gateway over HTTP: its ways in, the tokens, a ticket for each connection."""

from __future__ import annotations

import http.client
import json
import ssl
import urllib.error
import urllib.request
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit, urlunsplit

import msgspec

from tui_tapback.domain.errors import (
    GatewayRefused,
    GatewayUnreachable,
    IncompatibleGateway,
    LinkDown,
    LoginNeeded,
    SettingsError,
)
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _, mark

from .tls import refused_certificate
from .transport import is_loopback

T = TypeVar("T", bound=msgspec.Struct)
_TIMEOUT = 15.0
_LARGEST = 262_144
_COOKIES = {"hermes_session_at": "access_token", "hermes_session_rt": "refresh_token"}
_PROVIDER_COOKIE = "hermes_session_provider"
LOG_IN = mark("Log in with /login, or in a shell with tui-tapback login.")


class Tokens(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a login gives. ``expires_at`` is Unix seconds, 0 where it is not known. Never shown."""

    access_token: str
    refresh_token: str = ""
    provider: str = ""
    expires_at: int = 0

    def __repr__(self) -> str:
        return "Tokens(***)"


class Way(msgspec.Struct, frozen=True):
    """One way to log in. Name and password where ``supports_password``, else through a browser."""

    name: str
    display_name: str = ""
    supports_password: bool = False

    @property
    def shown(self) -> str:
        """For people."""
        return clean_line(self.display_name or self.name, 60)


class _Ways(msgspec.Struct):
    providers: list[Way] = []


class _Anything(msgspec.Struct):
    """An answer of which only that it came is needed."""


class _Ticket(msgspec.Struct):
    ticket: str


class CredentialsRefused(GatewayRefused):
    """The gateway itself has looked at name, password, code or token, and said no."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A login that leads elsewhere would carry the secret there."""

    def redirect_request(  # noqa: PLR0917  # the base class names them
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        """Never."""


class Account:
    """The login of the gateway at ``url`` (as for ``url_connector``). Each method blocks up to 15 seconds.

    All raise GatewayUnreachable (worth another attempt), GatewayRefused, LoginNeeded or IncompatibleGateway.
    ``tls`` is for certificates that the system does not know. Raises SettingsError for an address over which
    a secret would travel in the clear.
    """

    def __init__(self, url: str, *, tls: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(url if "://" in url else f"wss://{url}")
        secure = parts.scheme in ("wss", "https")
        if not secure and not is_loopback(parts.hostname or ""):
            raise SettingsError(
                _("A password is not sent over an unencrypted connection."),
                hint=_("Use an address that begins with wss://, or an SSH tunnel."),
            )
        path = parts.path.rstrip("/").removesuffix("/api/ws")
        authority = parts.netloc.rpartition("@")[2]
        self.base = urlunsplit(("https" if secure else "http", authority, path, "", ""))
        """Scheme, host, port and path before ``/api``: what a login belongs to."""
        self.place = authority
        handlers = [urllib.request.HTTPSHandler(context=tls)] if tls is not None else []
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect(), *handlers)

    def __repr__(self) -> str:
        return f"Account({self.place!r})"

    def ways(self) -> tuple[Way, ...]:
        """How one can log in there; none where the gateway has no login."""
        try:
            return tuple(self._ask("GET", "/api/auth/providers", None, _Ways).providers)
        except IncompatibleGateway:
            return ()

    def with_password(self, way: Way, username: str, password: str) -> Tokens:
        """Log in with name and password."""
        body = {"provider": way.name, "username": username, "password": password}
        cookies: dict[str, str] = {}
        self._ask("POST", "/auth/password-login", body, _Anything, cookies=cookies)
        if not cookies.get("access_token"):
            raise self._strange()
        return Tokens(cookies["access_token"], cookies.get("refresh_token", ""), cookies.get("provider", ""))

    def authorize_url(self, way: Way, *, challenge: str, redirect_uri: str, state: str) -> str:
        """Where a browser begins to log in; nothing in it is secret."""
        query = {
            "provider": way.name,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "redirect_uri": redirect_uri,
            "state": state,
        }
        return f"{self.base}/auth/native/authorize?{urlencode(query)}"

    def redeem(self, code: str, verifier: str) -> Tokens:
        """Tokens for the code with which a browser came back."""
        return self._ask("POST", "/auth/native/token", {"code": code, "code_verifier": verifier}, Tokens)

    def renew(self, tokens: Tokens) -> Tokens:
        """Newer tokens, the old ones end. Raises LoginNeeded where the login has run out."""
        if not tokens.refresh_token:
            raise self._run_out()
        body = {"refresh_token": tokens.refresh_token, "provider": tokens.provider}
        try:
            return self._ask("POST", "/auth/native/refresh", body, Tokens)
        except CredentialsRefused:
            raise self._run_out() from None

    def ticket(self, tokens: Tokens) -> str:
        """A ticket that opens one connection within half a minute. Raises LoginNeeded."""
        try:
            return self._ask("POST", "/api/auth/ws-ticket", {}, _Ticket, bearer=tokens.access_token).ticket
        except CredentialsRefused:
            raise self._run_out() from None

    def log_out(self, tokens: Tokens) -> None:
        """Have the gateway forget the login where it can."""
        cookies = f"hermes_session_at={tokens.access_token}; hermes_session_rt={tokens.refresh_token}"
        request = self._request("POST", "/auth/logout", {}, {"Cookie": cookies})
        try:
            with self._opener.open(request, timeout=_TIMEOUT):
                return
        except urllib.error.HTTPError as error:
            with error:
                if error.code not in (302, 303, 307):  # to the page of the login: it is done
                    raise self._refused(error.code) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from None
        except ValueError:
            raise self._strange() from None  # its text would show the tokens, which fit no header

    def _run_out(self) -> LoginNeeded:
        return LoginNeeded(_("The login at {place} has run out.").format(place=self.place), hint=_(LOG_IN))

    def _strange(self) -> IncompatibleGateway:
        return IncompatibleGateway(
            _("What answers at {place} does not know this login.").format(place=self.place),
            hint=_("Check the address."),
        )

    def _request(
        self, method: str, path: str, body: object, headers: dict[str, str]
    ) -> urllib.request.Request:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"} | headers
        return urllib.request.Request(self.base + path, data=data, headers=headers, method=method)

    def _ask(
        self,
        method: str,
        path: str,
        body: object,
        kind: type[T],
        *,
        bearer: str = "",
        cookies: dict[str, str] | None = None,
    ) -> T:
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        try:
            with self._opener.open(self._request(method, path, body, headers), timeout=_TIMEOUT) as answer:
                if cookies is not None:
                    cookies.update(_session_of(answer.headers.get_all("Set-Cookie") or []))
                return msgspec.json.decode(answer.read(_LARGEST), type=kind)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error.code) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from None
        except (ValueError, RecursionError):
            raise self._strange() from None  # the cause would show what was answered, or a token as a header

    def _unreachable(self, error: Exception) -> LinkDown:
        reason = getattr(error, "reason", None) or error
        if isinstance(reason, ssl.SSLError):
            return refused_certificate(reason, self.place)
        if isinstance(reason, TimeoutError):
            return GatewayUnreachable(
                _("The gateway at {place} did not answer in time.").format(place=self.place)
            )
        if isinstance(error, http.client.HTTPException):
            return self._strange()
        why = getattr(reason, "strerror", None) or str(reason)
        return GatewayUnreachable(
            _("The gateway at {place} cannot be reached: {reason}.").format(
                place=self.place, reason=clean_line(str(why), 200)
            )
        )

    def _refused(self, status: int) -> LinkDown:
        if status in (400, 401, 403):
            return CredentialsRefused(
                _("The gateway at {place} refused the name or the password.").format(place=self.place),
                hint=_("Check both."),
            )
        if status == 429 or status >= 500:
            return GatewayUnreachable(
                _("The gateway at {place} takes no login just now (status {status}).").format(
                    place=self.place, status=status
                )
            )
        return self._strange()


def _session_of(lines: list[str]) -> dict[str, str]:
    """The tokens in ``Set-Cookie`` lines, whatever prefix their names carry."""
    found: dict[str, str] = {}
    for line in lines:
        try:
            jar = SimpleCookie(line)
        except CookieError:
            continue
        for name, morsel in jar.items():
            bare = name.removeprefix("__Host-").removeprefix("__Secure-")
            field = "provider" if bare == _PROVIDER_COOKIE else _COOKIES.get(bare)
            if field and morsel.value:
                found[field] = morsel.value
    return found
