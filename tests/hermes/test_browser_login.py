"""A Hermes gateway with an identity provider: in through a browser, renewed, told when it has run out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_tapback.client.account import Account, Tokens
from tui_tapback.client.keyring_store import kept_logins
from tui_tapback.client.login import InMemory, LoginConnector
from tui_tapback.client.signing import SignIn
from tui_tapback.client.state import Phase
from tui_tapback.domain.errors import GatewayUnreachable, InvalidInput, LoginNeeded
from tui_tapback.testing.client import running_client, texts, until
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import turn
from tui_tapback.testing.identity_provider import CLIENT, FacelessBrowser, IdentityProvider

PUBLIC = "https://chat.example.test"
PASSWORD = "correct horse battery staple"

pytestmark = [pytest.mark.hermes, pytest.mark.slow]


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProvider]:
    with IdentityProvider() as provider:
        yield provider


@pytest.fixture(scope="module")
def gated(provider: IdentityProvider) -> Iterator[HermesGateway]:
    settings = {
        "public_url": PUBLIC,
        "oauth": {"self_hosted": {"issuer": provider.issuer, "client_id": CLIENT, "id_token_leeway": 0}},
        "basic_auth": {"username": "me", "password": PASSWORD},
    }
    with HermesGateway(config={"dashboard": settings}) as gateway:
        yield gateway


def browser_for(gateway: HermesGateway, *, stops_at: str = "") -> FacelessBrowser:
    return FacelessBrowser({PUBLIC: f"http://127.0.0.1:{gateway.port}"}, stops_at=stops_at)


def until_refused(account: Account, tokens: Tokens) -> None:
    """Wait until the gateway no longer takes them."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            account.ticket(tokens)
        except LoginNeeded:
            return
        time.sleep(0.1)
    raise AssertionError("the tokens never ran out")


async def logged_in(gateway: HermesGateway, sign_in: SignIn, kind: str = "self-hosted") -> None:
    way = next(way for way in await sign_in.ways() if way.name == kind)
    async with sign_in.browser(way) as login:
        secret = {"username": "me", "password": PASSWORD} if way.supports_password else {}
        await asyncio.to_thread(browser_for(gateway).open, login.address, **secret)
        await sign_in.finish(login, 20)


@pytest.mark.parametrize("kind", ["self-hosted", "basic"])
async def test_through_a_browser_and_a_chat_goes_on_through_a_reconnect(
    gated: HermesGateway, tmp_path: Path, kind: str
) -> None:
    account, keeper = Account(gated.url), kept_logins(tmp_path / "logins")
    await logged_in(gated, SignIn(account, keeper), kind)
    again = kept_logins(tmp_path / "logins")  # as the next start of the program finds it
    async with running_client(LoginConnector(account, gated.url, again), new=True) as client:
        await turn(client, "through the browser")
        await client._engine.link().close()  # pyright: ignore[reportPrivateUsage]
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        state = await turn(client, "with a new ticket")
        assert texts(state)[-2:] == ["with a new ticket", "echo: with a new ticket"]
    assert await SignIn(account, again).log_out()
    with pytest.raises(LoginNeeded, match="wants a login"):
        await LoginConnector(account, gated.url, again)()


async def test_the_browser_of_another_machine_ends_at_an_address_that_is_pasted(gated: HermesGateway) -> None:
    sign_in = SignIn(Account(gated.url), InMemory())
    way = next(way for way in await sign_in.ways() if way.name == "self-hosted")
    async with sign_in.browser(way) as login:
        stopped = await asyncio.to_thread(browser_for(gated, stops_at="/callback").open, login.address)
        for wrong in ("", "hello", stopped.replace("state=", "state=x"), "http://127.0.0.1/callback?code=x"):
            with pytest.raises(InvalidInput, match="not the address"):
                login.paste(wrong)
        login.paste(f"  {stopped}\n")
        await sign_in.finish(login, 20)
    assert await sign_in.known()


async def test_a_token_that_has_run_out_is_renewed_and_an_ended_login_is_told(
    gated: HermesGateway, provider: IdentityProvider
) -> None:
    account, keeper = Account(gated.url), InMemory()
    provider.lifetime = 1
    try:
        await logged_in(gated, SignIn(account, keeper))
        first = keeper.load(account.base, "")
        assert first is not None
        await asyncio.to_thread(until_refused, account, first)
        await (await LoginConnector(account, gated.url, keeper)()).close()
        renewed = keeper.load(account.base, "")
        assert renewed is not None
        assert renewed.refresh_token != first.refresh_token
        assert provider.grants[-1] == "refresh_token"
        provider.revoked = True
        await asyncio.to_thread(until_refused, account, renewed)
        async with running_client(LoginConnector(account, gated.url, keeper), new=True) as client:
            state = await until(client, lambda s: s.connection.phase is Phase.REFUSED)
            assert state.connection.wants_login
            assert "has run out" in state.connection.detail
            assert keeper.load(account.base, "") is None
            provider.revoked, provider.lifetime = False, 3600
            await logged_in(gated, SignIn(account, keeper))
            client.reconnect_now()
            await until(client, lambda s: s.connection.phase is Phase.ONLINE)
    finally:
        provider.revoked, provider.lifetime = False, 3600


async def test_who_says_no_is_told_and_nobody_coming_back_ends_in_time(
    gated: HermesGateway, provider: IdentityProvider
) -> None:
    sign_in = SignIn(Account(gated.url), InMemory())
    way = next(way for way in await sign_in.ways() if way.name == "self-hosted")
    provider.denies = True
    try:
        async with sign_in.browser(way) as login:
            await asyncio.to_thread(browser_for(gated).open, login.address)
            with pytest.raises(GatewayUnreachable, match="Nobody came back"):
                await sign_in.finish(login, 0.2)  # Hermes keeps the denial to itself
    finally:
        provider.denies = False
    assert not await sign_in.known()
