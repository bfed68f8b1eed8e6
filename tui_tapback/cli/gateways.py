"""The gateways that a person can name: our own, those of the settings, and one given as an address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tui_tapback.client.ports import Connector, Transport
from tui_tapback.config.connections import ConnectionSettings
from tui_tapback.config.secret import Secret, secret_from_environ, secret_from_file
from tui_tapback.domain.errors import NotSupported, SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.variables import TOKEN_VARIABLE
from tui_tapback.words import _

if TYPE_CHECKING:
    from tui_tapback.app.belongings import Belongings
    from tui_tapback.app.connections import Gateway
    from tui_tapback.client.account import Account
    from tui_tapback.client.login import Keeper
    from tui_tapback.client.session import ChatClient
    from tui_tapback.client.signing import SignIn


def named(target: str, connections: Mapping[str, ConnectionSettings]) -> ConnectionSettings:
    """The connection of that name, else the one at that address. Raises SettingsError for neither."""
    if target in connections:
        return connections[target]
    if not any(sign in target for sign in ":/."):
        names = ", ".join(sorted(connections)) or "none"
        raise SettingsError(
            _("There is no connection called {target!r} in the settings (there: {names}).").format(
                target=target, names=names
            ),
            hint=_(
                "Add [connections.NAME] with a url, or give an address such as ws://127.0.0.1:9119/api/ws."
            ),
        )
    return ConnectionSettings(url=target)


def connector_of(wanted: ConnectionSettings, environ: Mapping[str, str], keeper: Keeper) -> Connector:
    """The way to that gateway; secrets come from the environment, a file or a kept login.

    Raises SettingsError.
    """
    from tui_tapback.client.transport import url_connector

    token = _secret(wanted.token_env, wanted.token_file, environ).reveal() or environ.get(TOKEN_VARIABLE)
    account = _account(wanted.url)
    if account is None:
        if wanted.username:
            raise _in_the_clear()
        return url_connector(wanted.url, token or None)
    from tui_tapback.client.login import LoginConnector

    return LoginConnector(
        account,
        wanted.url,
        keeper,
        username=wanted.username,
        password=_secret(wanted.password_env, wanted.password_file, environ).reveal(),
        token=token or None,
    )


class SavedConnector:
    """The way to ``target`` as the settings have it at each attempt, so that what is changed counts without a
    new start. Another address does so only until somebody was reached: the chat is that gateway's.

    Raises SettingsError, also when it is called.
    """

    def __init__(
        self,
        target: str,
        connections: Callable[[], Mapping[str, ConnectionSettings]],
        environ: Mapping[str, str],
        keeper: Keeper,
    ) -> None:
        self._target, self._connections = target, connections
        self._environ, self._keeper = environ, keeper
        self._entry = named(target, connections())
        self._way = connector_of(self._entry, environ, keeper)
        self._reached = False

    async def __call__(self) -> Transport:
        """As the connector of the present settings, with its errors."""
        now = self._connections().get(self._target, self._entry)
        if now != self._entry and (now.url == self._entry.url or not self._reached):
            self._way, self._entry = connector_of(now, self._environ, self._keeper), now
        transport = await self._way()
        self._reached = True
        return transport


def sign_in_at(wanted: ConnectionSettings, keeper: Keeper) -> SignIn:
    """Logging in and out there. Raises SettingsError where a password would travel in the clear."""
    from tui_tapback.client.signing import SignIn

    account = _account(wanted.url)
    if account is None:
        raise _in_the_clear()
    return SignIn(account, keeper, username=wanted.username)


def _account(url: str) -> Account | None:
    """None for an address over which no password may travel. Raises SettingsError for one that is none."""
    from tui_tapback.client.account import Account
    from tui_tapback.client.transport import url_connector

    url_connector(url)
    try:
        return Account(url if "://" in url else f"ws://{url}")
    except SettingsError:
        return None


def _in_the_clear() -> SettingsError:
    return SettingsError(
        _("A password is not sent over an unencrypted connection."),
        hint=_("Use an address that begins with wss://, or an SSH tunnel."),
    )


def _secret(variable: str, file: str, environ: Mapping[str, str]) -> Secret:
    if variable:
        return secret_from_environ(variable, environ)
    return secret_from_file(Path(file)) if file else Secret()


class Gateways:
    """Implements ``app.connections.Connections``. ``make`` gives a chat by name or address, ``connections``
    those of the settings file as it is now."""

    def __init__(
        self,
        current: str,
        *,
        connections: Callable[[], Mapping[str, ConnectionSettings]],
        make: Callable[[str], tuple[ChatClient, Belongings]],
        keeper: Callable[[], Keeper],
        file: Path,
        browser: Callable[[str], bool] | None,
    ) -> None:
        self.current = current
        self.browser = browser
        self._connections = connections
        self._make = make
        self._keeper = keeper
        self._file = file

    @property
    def known(self) -> tuple[Gateway, ...]:
        """Our own, those of the settings, and the one that was given as an address."""
        from tui_tapback.app.connections import HERE, Gateway

        mine = (Gateway(name, c.url, named=True) for name, c in self._connections().items())
        found = [Gateway(HERE, ""), *mine]
        if all(gateway.name != self.current for gateway in found):
            found.append(Gateway(self.current, ""))
        return tuple(found)

    def open(self, name: str) -> tuple[ChatClient, Belongings]:
        """A chat that has not begun. Raises SettingsError."""
        return self._make(name)

    def sign_in(self, name: str) -> SignIn:
        """Raises NotSupported for our own gateway, SettingsError."""
        if not name:
            raise NotSupported(_("The gateway of this machine needs no login."))
        return sign_in_at(named(name, self._connections()), self._keeper())

    def entry(self, name: str) -> ConnectionSettings | None:
        """What the settings say of it."""
        return self._connections().get(name)

    def save(self, name: str, entry: ConnectionSettings, *, instead_of: str | None = None) -> None:
        """Write it to the settings, also under another name. Raises SettingsError, and nothing is written."""
        from tui_tapback.config.values import join_key
        from tui_tapback.config.writing import SettingsFile

        name = name.strip()
        present = self._connections()
        if not name or not clean_line(name, 40) == name or any(sign in name for sign in ":/"):
            raise SettingsError(
                _("A connection needs a short name without : and /."), hint=_("For example: work")
            )
        if name != instead_of and name in present:
            raise SettingsError(_("There is a connection called {name} already.").format(name=name))
        connector_of(entry, {**dict.fromkeys((entry.token_env, entry.password_env), "-")}, self._keeper())
        old = present.get(instead_of or "")
        changes: dict[str, str | None] = {}
        for field, value in msgspec.structs.asdict(entry).items():
            if value or (old is not None and instead_of == name and getattr(old, field)):
                changes[join_key(("connections", name, field))] = value or None
        if instead_of is not None and instead_of != name and instead_of in present:
            changes[join_key(("connections", instead_of))] = None
        SettingsFile(self._file).change(changes)

    def remove(self, name: str) -> None:
        """Take it out of the settings; a kept login goes too. Raises SettingsError."""
        from tui_tapback.config.values import join_key
        from tui_tapback.config.writing import SettingsFile

        entry = self._connections().get(name)
        if entry is None:
            return
        SettingsFile(self._file).change({join_key(("connections", name)): None})
        account = _account(entry.url)
        if account is not None:
            self._keeper().forget(account.base, entry.username)
