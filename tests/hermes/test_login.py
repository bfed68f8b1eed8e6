"""A Hermes gateway beyond loopback: the token of its process is refused, name and password are asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tui_tapback.client.login import PasswordLogin
from tui_tapback.client.state import Phase
from tui_tapback.client.transport import url_connector
from tui_tapback.domain.errors import GatewayRefused, SettingsError
from tui_tapback.testing.client import running_client, texts, until
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import turn

PASSWORD = "correct horse battery staple"


@pytest.fixture(scope="module")
def gated() -> Iterator[HermesGateway]:
    login = {"basic_auth": {"username": "me", "password": PASSWORD}}
    with HermesGateway(config={"dashboard": {"public_url": "https://chat.example.test"} | login}) as gateway:
        yield gateway


@pytest.mark.hermes
@pytest.mark.slow
async def test_with_name_and_password_a_chat_goes_on_through_a_reconnect(gated: HermesGateway) -> None:
    async with running_client(PasswordLogin(gated.url, "me", PASSWORD), new=True) as client:
        await turn(client, "through the gate")
        await client._engine.link().close()  # pyright: ignore[reportPrivateUsage]
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        state = await turn(client, "with a new ticket")
        assert texts(state)[-2:] == ["with a new ticket", "echo: with a new ticket"]


@pytest.mark.hermes
@pytest.mark.slow
async def test_a_wrong_password_and_a_process_token_are_refused_once_and_said(gated: HermesGateway) -> None:
    async with running_client(PasswordLogin(gated.url, "me", "wrong"), new=True) as client:
        state = await until(client, lambda s: s.connection.phase is Phase.REFUSED)
        assert "refused the name or the password" in state.connection.detail
        assert "wrong" not in state.connection.detail
    with pytest.raises(GatewayRefused):
        await url_connector(gated.url, gated.token)()


def test_a_password_never_travels_in_the_clear() -> None:
    with pytest.raises(SettingsError, match="unencrypted"):
        PasswordLogin("ws://chat.example.test", "me", PASSWORD)
    assert PASSWORD not in repr(PasswordLogin("wss://chat.example.test", "me", PASSWORD))
