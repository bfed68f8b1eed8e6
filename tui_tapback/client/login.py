"""Connects to a gateway with whatever opens it: a kept login, name and password, or a token."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Generator
from typing import Protocol

from tui_tapback.domain.errors import (
    GatewayRefused,
    GatewayUnreachable,
    LinkDown,
    LoginNeeded,
    SecretStoreFailed,
    SettingsError,
)
from tui_tapback.words import _

from .account import LOG_IN, Account, Tokens
from .own_thread import own_thread
from .ports import Connector, Transport
from .transport import url_connector


class Keeper(Protocol):
    """Where logins are kept (``logins.Logins``, or in memory only)."""

    def load(self, base: str, username: str) -> Tokens | None:
        """The login, None for none."""
        ...

    def save(self, base: str, username: str, tokens: Tokens) -> None:
        """Keep it. Raises SecretStoreFailed."""
        ...

    def forget(self, base: str, username: str) -> None:
        """Remove it."""
        ...

    def alone(self) -> contextlib.AbstractContextManager[None]:
        """Nobody else renews a login meanwhile."""
        ...


class InMemory:
    """A Keeper that lives as long as the program."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Tokens] = {}

    def load(self, base: str, username: str) -> Tokens | None:
        """The login, None for none."""
        return self._kept.get((base, username))

    def save(self, base: str, username: str, tokens: Tokens) -> None:
        """Keep it."""
        self._kept[base, username] = tokens

    def forget(self, base: str, username: str) -> None:
        """Remove it."""
        self._kept.pop((base, username), None)

    @contextlib.contextmanager
    def alone(self) -> Generator[None]:
        """Nobody else knows of it."""
        yield


class LoginConnector:
    """A connector. A kept login comes first, then name and password, then the token, then nothing.

    A login is renewed when it has run out and made again where there is a password; every connection has a
    ticket of its own. A gateway that takes no token but a login is told apart: then LoginNeeded is raised.
    ``patience``: seconds for all that comes before the connection, also where answers only trickle in.
    Raises SettingsError for an address that is none.
    """

    def __init__(
        self,
        account: Account,
        url: str,
        keeper: Keeper,
        *,
        username: str = "",
        password: str = "",
        token: str | None = None,
        tls: ssl.SSLContext | None = None,
        patience: float = 60.0,
    ) -> None:
        self._account = account
        self._url = url
        self._plain = url_connector(url, token, tls=tls)
        self._keeper = keeper
        self._username = username
        self._password = password
        self._token = token
        self._tls = tls
        self._patience = patience

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._account.place!r})"

    @property
    def place(self) -> str:
        """Where it leads, for people."""
        return self._account.place

    async def __call__(self) -> Transport:
        """Raises GatewayUnreachable, GatewayRefused, LoginNeeded, IncompatibleGateway."""
        try:
            async with asyncio.timeout(self._patience):
                ticket = await self._ticket()
        except TimeoutError:
            raise GatewayUnreachable(
                _("The gateway at {place} did not answer in time.").format(place=self.place)
            ) from None
        if ticket is not None:
            return await self._connector(ticket)()
        try:
            return await self._plain()
        except GatewayRefused as refused:
            raise await own_thread(self._explained, refused) from None

    def _connector(self, ticket: str) -> Connector:
        return url_connector(self._url, ticket, parameter="ticket", tls=self._tls)

    async def _ticket(self) -> str | None:
        """None where nobody is logged in and there is no password."""
        kept = await own_thread(self._load)
        if kept is not None:
            try:
                return await own_thread(self._account.ticket, kept)
            except LoginNeeded:
                pass  # it has run out, which is what renewing is for
            try:
                # The end of the program waits for this: halfway, the old login is over and the new one lost.
                newer = await asyncio.to_thread(self._renewed, kept)
                return await own_thread(self._account.ticket, newer)
            except LoginNeeded:
                await own_thread(self._keeper.forget, self._account.base, self._username)
                if not self._password:
                    raise
        if not self._password:
            return None
        return await own_thread(self._account.ticket, await own_thread(self._with_password))

    def _load(self) -> Tokens | None:
        return self._keeper.load(self._account.base, self._username)

    def _renewed(self, old: Tokens) -> Tokens:
        """Many gateways end a whole login when tokens that were renewed already are shown again; so only one
        program renews, and the others take what it has kept."""
        with self._keeper.alone():
            present = self._load()
            if present is not None and present != old:
                return present
            return self._keep(self._account.renew(old))

    def _with_password(self) -> Tokens:
        way = next((way for way in self._account.ways() if way.supports_password), None)
        if way is None:
            raise GatewayRefused(
                _("The gateway at {place} takes no name and password.").format(place=self._account.place),
                hint=_("Use its login through a browser, or an SSH tunnel with the token of the process."),
            )
        return self._keep(self._account.with_password(way, self._username, self._password))

    def _keep(self, tokens: Tokens) -> Tokens:
        # Where it cannot be kept it still opens this connection; the next one asks again and says so then.
        with contextlib.suppress(SecretStoreFailed):
            self._keeper.save(self._account.base, self._username, tokens)
        return tokens

    def _explained(self, refused: GatewayRefused) -> GatewayRefused:
        """Whether a login is what is missing."""
        try:
            ways = self._account.ways()
        except LinkDown:
            return refused
        if not ways:
            return refused
        if self._token:
            told = _("The gateway at {place} takes a login, not the token of its process.")
        else:
            told = _("The gateway at {place} wants a login.")
        return LoginNeeded(told.format(place=self._account.place), hint=_(LOG_IN))


class PasswordLogin(LoginConnector):
    """A connector with name and password; the login lives as long as this object.

    ``url`` as for ``url_connector``. Raises SettingsError for an address over which a password would travel
    in the clear.
    """

    def __init__(self, url: str, username: str, password: str) -> None:
        if not password:
            raise SettingsError(_("A login by name needs a password."))
        url = url if "://" in url else f"wss://{url}"
        super().__init__(Account(url), url, InMemory(), username=username, password=password)
