"""The composition root: from arguments and environment to settings, connector and client."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from tui_tapback.client.ports import Connector
from tui_tapback.client.session import ChatClient
from tui_tapback.config.paths import Paths
from tui_tapback.config.settings import Settings, load_settings

from .parser import TOKEN_VARIABLE

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

    def client(self, options: argparse.Namespace) -> ChatClient:
        """A client for ``--connect``, else for the embedded gateway."""
        return ChatClient(self.connector(getattr(options, "connect", None)))
