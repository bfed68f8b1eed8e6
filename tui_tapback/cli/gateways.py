"""The gateways that a person can name: our own, those of the settings, and one given as an address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tui_tapback.client.ports import Connector
from tui_tapback.config.connections import ConnectionSettings
from tui_tapback.config.secret import Secret, secret_from_environ, secret_from_file
from tui_tapback.domain.errors import SettingsError

from .parser import TOKEN_VARIABLE

if TYPE_CHECKING:
    from tui_tapback.app.belongings import Belongings
    from tui_tapback.app.connections import Gateway
    from tui_tapback.client.session import ChatClient


def named(target: str, connections: Mapping[str, ConnectionSettings]) -> ConnectionSettings:
    """The connection of that name, else the one at that address. Raises SettingsError for neither."""
    if target in connections:
        return connections[target]
    if not any(sign in target for sign in ":/."):
        names = ", ".join(sorted(connections)) or "none"
        raise SettingsError(
            f"There is no connection called {target!r} in the settings (there: {names}).",
            hint="Add [connections.NAME] with a url, or give an address such as ws://127.0.0.1:9119/api/ws.",
        )
    return ConnectionSettings(url=target)


def connector_of(wanted: ConnectionSettings, environ: Mapping[str, str]) -> Connector:
    """The way to that gateway; secrets come from the environment or a file. Raises SettingsError."""
    if wanted.username:
        from tui_tapback.client.login import PasswordLogin

        password = _secret(wanted.password_env, wanted.password_file, environ)
        if not password:
            raise SettingsError(
                "A connection with a username needs a password.", hint="Set password_env or password_file."
            )
        return PasswordLogin(wanted.url, wanted.username, password.reveal())
    from tui_tapback.client.transport import url_connector

    token = _secret(wanted.token_env, wanted.token_file, environ)
    return url_connector(wanted.url, token.reveal() or environ.get(TOKEN_VARIABLE) or None)


def _secret(variable: str, file: str, environ: Mapping[str, str]) -> Secret:
    if variable:
        return secret_from_environ(variable, environ)
    return secret_from_file(Path(file)) if file else Secret()


class Gateways:
    """Implements ``app.connections.Connections``. ``make`` gives a chat by name or address."""

    def __init__(
        self,
        current: str,
        connections: Mapping[str, ConnectionSettings],
        make: Callable[[str], tuple[ChatClient, Belongings]],
    ) -> None:
        self.current = current
        self._connections = connections
        self._make = make

    @property
    def known(self) -> tuple[Gateway, ...]:
        """Our own, those of the settings, and the one that was given as an address."""
        from tui_tapback.app.connections import HERE, Gateway

        found = [Gateway(HERE, ""), *(Gateway(name, c.url) for name, c in self._connections.items())]
        if all(gateway.name != self.current for gateway in found):
            found.append(Gateway(self.current, ""))
        return tuple(found)

    def open(self, name: str) -> tuple[ChatClient, Belongings]:
        """A chat that has not begun. Raises SettingsError."""
        return self._make(name)
