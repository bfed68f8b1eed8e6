"""Named connections in the settings: what is read, and what is told of a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_tapback.cli.gateways import connector_of, named
from tui_tapback.client.login import InMemory
from tui_tapback.config.connections import ConnectionSettings
from tui_tapback.config.settings import parse_settings
from tui_tapback.domain.errors import SettingsError

TEXT = """
[connections.work]
url = "wss://chat.example/api/ws"
token_env = "WORK_TOKEN"

[connections.lab]
url = "ws://127.0.0.1:9119/api/ws"
tokn_file = "x"
"""


def test_connections_are_read_and_a_slip_is_told_with_its_line() -> None:
    told: list[str] = []
    settings = parse_settings(TEXT, "settings.toml", warn=told.append)
    assert settings.connections["work"] == ConnectionSettings(
        url="wss://chat.example/api/ws", token_env="WORK_TOKEN"
    )
    assert len(told) == 1
    assert "line 8" in told[0]
    assert "connections.lab.token_file" in told[0]


def test_a_name_an_address_and_neither() -> None:
    known = parse_settings(TEXT, "settings.toml", warn=lambda _: None).connections
    assert named("work", known).url == "wss://chat.example/api/ws"
    assert named("ws://other:1/api/ws", known).url == "ws://other:1/api/ws"
    with pytest.raises(SettingsError, match=r"no connection called 'home'.*lab, work"):
        named("home", known)


def test_secrets_come_from_the_environment_or_a_private_file_only(tmp_path: Path) -> None:
    work = ConnectionSettings(url="ws://127.0.0.1:9/api/ws", token_env="WORK_TOKEN")
    with pytest.raises(SettingsError, match="WORK_TOKEN"):
        connector_of(work, {}, InMemory())
    assert "s3cret" not in repr(connector_of(work, {"WORK_TOKEN": "s3cret"}, InMemory()))
    file = tmp_path / "token"
    file.write_text("s3cret\n")
    file.chmod(0o644)
    with pytest.raises(SettingsError, match="read by other users"):
        connector_of(ConnectionSettings(url=work.url, token_file=str(file)), {}, InMemory())
    login = ConnectionSettings(url="ws://chat.example/api/ws", username="ada")
    with pytest.raises(SettingsError, match="unencrypted"):
        connector_of(login, {}, InMemory())
