"""The composition root: from arguments and environment to settings, connector and client."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tui_tapback.client.browser import seen_browser
from tui_tapback.client.outbox import Outbox
from tui_tapback.client.ports import Connector
from tui_tapback.client.session import ChatClient
from tui_tapback.config.connections import ConnectionSettings
from tui_tapback.config.paths import Paths
from tui_tapback.config.settings import Settings, load_settings
from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.values import value
from tui_tapback.words import choose, use

from .gateways import Gateways, SavedConnector
from .late import LateConnector

if TYPE_CHECKING:
    import argparse

    from tui_tapback.app.belongings import Belongings
    from tui_tapback.client.logins import Logins

ROWS = 200
"""Messages of a chat that are read before its end is shown; the others come when they are wanted."""
GATEWAY_MODULE = "tui_tapback.gateway.main"


@value
class Program:
    """What every command stands on. ``warnings`` are sentences about the settings."""

    paths: Paths
    settings: Settings
    environ: Mapping[str, str]
    warnings: tuple[str, ...] = ()

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Program:
        """Raises SettingsError for settings or folders that cannot be used."""
        paths = Paths.from_environ(environ).prepare()
        warnings: list[str] = []
        settings = load_settings(paths.settings_file, warn=warnings.append)
        use(choose(settings.language, environ))
        return cls(paths, settings, environ, tuple(warnings))

    def connections(self) -> Mapping[str, ConnectionSettings]:
        """The named ones as the settings file has them now: they can be changed from within the chat."""
        try:
            return load_settings(self.paths.settings_file).connections
        except SettingsError:
            return self.settings.connections  # as they were when the file could be read

    @property
    def logins(self) -> Logins:
        """Where logins are kept; nothing is looked for before one is needed."""
        from tui_tapback.client.keyring_store import kept_logins

        return kept_logins(self.paths.data / "logins")

    def connector(self, url: str | None) -> Connector:
        """The way to the gateway at ``url``, or with None to this user's embedded one."""
        if url:
            return SavedConnector(url, self.connections, self.environ, self.logins)
        from tui_tapback.client.embedded import EmbeddedGateway

        command = (sys.executable, "-m", GATEWAY_MODULE)
        return EmbeddedGateway(self.paths.socket_path, command, self.paths.gateway_log)

    def late_connector(self, url: str | None) -> LateConnector:
        """The same, but it waits for ``release`` and imports nothing before that."""
        return LateConnector(lambda: self.connector(url), "" if url else "embedded")

    def chat(self, options: argparse.Namespace) -> tuple[ChatClient, Belongings, LateConnector]:
        """A client for the screen, which reads a long chat in parts and keeps on disk what is not delivered,
        what this machine keeps of that gateway, and the connector, which waits to be released."""
        from tui_tapback.app.belongings import Belongings

        url = getattr(options, "connect", None) or ""
        outbox = Outbox(self.paths.outbox, url)
        connector = self.late_connector(url)
        client = ChatClient(connector, outbox=outbox, rows=ROWS)
        return client, Belongings.within(self.paths.data, self.paths.drafts, url), connector

    def gateways(self, options: argparse.Namespace) -> Gateways:
        """The gateways that can be gone to from the chat."""
        from tui_tapback.app.belongings import Belongings

        def make(name: str) -> tuple[ChatClient, Belongings]:
            client = ChatClient(self.connector(name), outbox=Outbox(self.paths.outbox, name), rows=ROWS)
            return client, Belongings.within(self.paths.data, self.paths.drafts, name)

        return Gateways(
            getattr(options, "connect", None) or "",
            connections=self.connections,
            make=make,
            keeper=lambda: self.logins,  # finding them imports a tenth of a second
            file=self.paths.settings_file,
            browser=seen_browser(self.environ),
        )

    def client(self, options: argparse.Namespace) -> ChatClient:
        """A client for ``--connect``, else for the embedded gateway."""
        return ChatClient(self.connector(getattr(options, "connect", None)))
