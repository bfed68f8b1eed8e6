"""The composition root: from arguments and environment to settings, connector and client."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui_tapback.client.outbox import Outbox
from tui_tapback.client.ports import Connector
from tui_tapback.client.session import ChatClient
from tui_tapback.config.paths import Paths
from tui_tapback.config.settings import Settings, load_settings

from .parser import TOKEN_VARIABLE

if TYPE_CHECKING:
    from tui_tapback.app.belongings import Belongings

ROWS = 200
"""Messages of a chat that are read before its end is shown; the others come when they are wanted."""
GATEWAY_MODULE = "tui_tapback.gateway.main"


@dataclass(frozen=True, slots=True)
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
        return cls(paths, settings, environ, tuple(warnings))

    def connector(self, url: str | None) -> Connector:
        """The way to the gateway at ``url``, or with None to this user's embedded one."""
        if url:
            from tui_tapback.client.transport import url_connector

            return url_connector(url, self.environ.get(TOKEN_VARIABLE) or None)
        from tui_tapback.client.embedded import EmbeddedGateway

        command = (sys.executable, "-m", GATEWAY_MODULE)
        return EmbeddedGateway(self.paths.socket_path, command, self.paths.gateway_log)

    def chat(self, options: argparse.Namespace) -> tuple[ChatClient, Belongings]:
        """A client for the screen, which reads a long chat in parts and keeps on disk what is not delivered,
        and what this machine keeps of that gateway."""
        from tui_tapback.app.belongings import Belongings

        url = getattr(options, "connect", None) or ""
        outbox = Outbox(self.paths.outbox, url)
        client = ChatClient(self.connector(url), outbox=outbox, rows=ROWS)
        return client, Belongings.within(self.paths.data, self.paths.drafts, url)

    def client(self, options: argparse.Namespace) -> ChatClient:
        """A client for ``--connect``, else for the embedded gateway."""
        return ChatClient(self.connector(getattr(options, "connect", None)))
