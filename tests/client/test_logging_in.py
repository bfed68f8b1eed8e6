"""Logins over real sockets: kept, renewed once, ended, refused; nothing of them where others can read."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tui_tapback.client.account import Account, Tokens
from tui_tapback.client.login import InMemory, LoginConnector, PasswordLogin
from tui_tapback.client.logins import Logins, PrivateFiles
from tui_tapback.client.signing import SignIn
from tui_tapback.client.state import Phase
from tui_tapback.domain.errors import (
    GatewayRefused,
    GatewayUnreachable,
    IncompatibleGateway,
    LinkDown,
    LoginNeeded,
    NotSupported,
    SettingsError,
)
from tui_tapback.testing.client import opened, running_client, until
from tui_tapback.testing.gated import Answered, Gated
from tui_tapback.testing.gateway import RunningServer

PASSWORD = "CANARY-pass-7f3a"


@asynccontextmanager
async def gated(folder: Path) -> AsyncGenerator[Gated]:
    async with RunningServer(folder / "gateway") as server:

        async def inner() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            return await asyncio.open_unix_connection(server.path)

        async with Gated(inner, username="ada", password=PASSWORD) as gate:
            yield gate


@pytest.fixture
async def gate(tmp_path: Path) -> AsyncGenerator[Gated]:
    (tmp_path / "gateway").mkdir()
    async with gated(tmp_path) as gate:
        yield gate


def logins(folder: Path) -> Logins:
    return Logins(lambda: (PrivateFiles(folder),), folder)


def files_with(folder: Path, secrets: tuple[str, ...]) -> list[Path]:
    """The files below that hold any of them."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if any(secret.encode() in path.read_bytes() for secret in secrets)]


async def sign_in(gate: Gated, keeper: Logins | InMemory) -> Account:
    account = Account(gate.url)
    signing = SignIn(account, keeper)
    (way,) = await signing.ways()
    await signing.with_password(way, "ada", PASSWORD)
    return account


async def test_a_login_outlives_the_program_and_every_connection_has_a_ticket_of_its_own(
    gate: Gated, tmp_path: Path
) -> None:
    account = await sign_in(gate, logins(tmp_path / "logins"))
    async with running_client(LoginConnector(account, gate.url, logins(tmp_path / "logins"))) as client:
        await opened(client)
        gate.drop()
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        await opened(client)
    assert gate.tickets == 2
    assert gate.seen.count("/auth/password-login") == 1


async def test_a_stale_token_is_renewed_and_kept(gate: Gated, tmp_path: Path) -> None:
    keeper = logins(tmp_path / "logins")
    account = await sign_in(gate, keeper)
    before = keeper.load(account.base, "")
    gate.expire()
    await (await LoginConnector(account, gate.url, keeper)()).close()
    after = keeper.load(account.base, "")
    assert before is not None
    assert after is not None
    assert before.refresh_token != after.refresh_token
    gate.expire()
    await (await LoginConnector(account, gate.url, logins(tmp_path / "logins"))()).close()
    assert "/auth/password-login" not in gate.seen[gate.seen.index("/auth/native/refresh") :]


async def test_two_programs_renew_a_login_once(gate: Gated, tmp_path: Path) -> None:
    """The gate ends a login whose old tokens are shown a second time, as real providers do."""
    account = await sign_in(gate, logins(tmp_path / "logins"))
    gate.expire()
    links = await asyncio.gather(
        *(LoginConnector(account, gate.url, logins(tmp_path / "logins"))() for _ in range(6))
    )
    for link in links:
        await link.close()
    assert gate.seen.count("/auth/native/refresh") == 1


async def test_an_ended_login_is_told_with_what_to_do_and_not_tried_again(gate: Gated) -> None:
    keeper = InMemory()
    account = await sign_in(gate, keeper)
    async with running_client(LoginConnector(account, gate.url, keeper)) as client:
        await opened(client)
        gate.end()
        gate.drop()
        state = await until(client, lambda s: s.connection.phase is Phase.REFUSED)
        assert "has run out" in state.connection.detail
        assert "/login" in state.connection.detail
        assert state.connection.wants_login
        asked = len(gate.seen)
        await asyncio.sleep(0.2)  # nothing happens: the policy of tests would try within milliseconds
        assert len(gate.seen) == asked
        await sign_in(gate, keeper)
        client.reconnect_now()
        await opened(client)


async def test_a_password_that_is_known_logs_in_again_by_itself(gate: Gated) -> None:
    async with running_client(PasswordLogin(gate.url, "ada", PASSWORD)) as client:
        await opened(client)
        gate.end()
        gate.drop()
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        await opened(client)
    assert gate.seen.count("/auth/password-login") == 2


async def test_a_gateway_that_cannot_say_just_now_keeps_the_login(gate: Gated) -> None:
    keeper = InMemory()
    account = await sign_in(gate, keeper)
    gate.expire()
    gate.instead["/auth/native/refresh"] = Answered(503)
    with pytest.raises(GatewayUnreachable, match="no login just now"):
        await LoginConnector(account, gate.url, keeper)()
    assert keeper.load(account.base, "") is not None
    del gate.instead["/auth/native/refresh"]
    await (await LoginConnector(account, gate.url, keeper)()).close()


@pytest.mark.parametrize("token", [None, "the-token-of-the-process"])
async def test_who_is_not_logged_in_hears_that_a_login_is_wanted(gate: Gated, token: str | None) -> None:
    connector = LoginConnector(Account(gate.url), gate.url, InMemory(), token=token)
    with pytest.raises(LoginNeeded, match="takes a login" if token else "wants a login") as caught:
        await connector()
    assert "tui-tapback login" in caught.value.hint
    assert "the-token-of" not in caught.value.sentence()


async def test_where_there_is_no_login_a_refusal_is_about_the_token(gate: Gated) -> None:
    gate.instead["/api/auth/providers"] = Answered(404)
    with pytest.raises(GatewayRefused, match="refused the connection") as caught:
        await LoginConnector(Account(gate.url), gate.url, InMemory(), token="x")()
    assert not isinstance(caught.value, LoginNeeded)
    with pytest.raises(NotSupported, match="has no login"):
        await SignIn(Account(gate.url), InMemory()).ways()


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (Answered(401), GatewayRefused, "refused the name or the password"),
        (Answered(429), GatewayUnreachable, "no login just now"),
        (Answered(500), GatewayUnreachable, "no login just now"),
        (Answered(302, headers={"Location": "https://evil.example/"}), IncompatibleGateway, "does not know"),
        (Answered(200, b"<html>hello</html>"), IncompatibleGateway, "does not know"),
        (Answered(200, b'{"ok": true}'), IncompatibleGateway, "does not know"),
        (Answered(200, b"\xff\xfe[" * 999), IncompatibleGateway, "does not know"),
        (Answered(200, b"[" * 200_000), IncompatibleGateway, "does not know"),
        (Answered(200, b'{"a":' * 50_000), IncompatibleGateway, "does not know"),
        (Answered(204), IncompatibleGateway, "does not know"),
    ],
)
async def test_strange_answers_to_a_login_are_sentences_without_the_password(
    gate: Gated, answer: Answered, error: type[LinkDown], words: str
) -> None:
    gate.instead["/auth/password-login"] = answer
    signing = SignIn(Account(gate.url), InMemory())
    (way,) = await signing.ways()
    with pytest.raises(error, match=words) as caught:
        await signing.with_password(way, "ada", PASSWORD)
    assert PASSWORD not in f"{caught.value.sentence()}{caught.value.__cause__!r}{caught.value.__context__!r}"
    assert not await signing.known()


@pytest.mark.parametrize("token", ["CANARY-token\r\nX-Evil: 1", "CANARY-token\u20ac"])
def test_a_token_that_fits_no_header_is_neither_sent_nor_shown(token: str) -> None:
    account = Account("ws://127.0.0.1:9")
    for asked in (account.ticket, account.log_out):
        with pytest.raises(IncompatibleGateway, match="does not know") as caught:
            asked(Tokens(token, token))
        assert "CANARY" not in f"{caught.value.sentence()}{caught.value.__cause__!r}"


def test_leaving_does_not_wait_for_a_gateway_that_says_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:

        async def begin_and_leave() -> None:
            connect = PasswordLogin(f"ws://127.0.0.1:{silent.getsockname()[1]}", "ada", PASSWORD)
            connecting = asyncio.ensure_future(connect())
            connection = (await asyncio.to_thread(silent.accept))[0]
            connections.append(connection)
            connecting.cancel()
            await asyncio.wait([connecting])

        connections: list[socket.socket] = []
        program = threading.Thread(target=lambda: asyncio.run(begin_and_leave()), daemon=True)
        program.start()
        program.join(10)
        left = not program.is_alive()
        for connection in connections:
            connection.close()
    assert left, "the request would have been waited for"


async def test_a_login_whose_answer_trickles_without_end_is_given_up() -> None:
    """Each byte comes in time, so that no single wait is too long."""

    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            while not gone.is_set():
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.01)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        ended.set()

    gone, ended = asyncio.Event(), asyncio.Event()
    server = await asyncio.start_server(trickle, "127.0.0.1", 0)
    url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    connect = LoginConnector(Account(url), url, InMemory(), username="ada", password=PASSWORD, patience=0.2)
    async with server:
        try:
            with pytest.raises(GatewayUnreachable, match="did not answer in time"):
                await connect()
        finally:
            gone.set()
            await ended.wait()


async def test_logging_out_forgets_here_and_there_even_where_nobody_answers(gate: Gated) -> None:
    keeper = InMemory()
    account = await sign_in(gate, keeper)
    assert await SignIn(account, keeper).log_out()
    assert "/auth/logout" in gate.seen
    assert not await SignIn(account, keeper).log_out()
    await sign_in(gate, keeper)
    gate.instead["/auth/logout"] = Answered(500)
    assert await SignIn(account, keeper).log_out()
    assert not await SignIn(account, keeper).known()


async def test_a_login_belongs_to_its_host_and_name_and_travels_nowhere_else(
    gate: Gated, tmp_path: Path
) -> None:
    keeper = logins(tmp_path / "logins")
    account = await sign_in(gate, keeper)
    assert keeper.load(account.base, "") is not None
    assert keeper.load(account.base, "bob") is None
    for other in (
        "https://127.0.0.1:1",
        account.base + "/other",
        account.base.replace("127.0.0.1", "localhost"),
    ):
        assert keeper.load(other, "") is None
    with pytest.raises(SettingsError, match="unencrypted"):
        Account("ws://chat.example")


def test_a_gateway_behind_a_path_is_asked_behind_that_path() -> None:
    assert Account("wss://host/hermes/api/ws").base == "https://host/hermes"
    assert Account("wss://ada:secret@host:8443/").base == "https://host:8443"
    assert "secret" not in Account("wss://ada:secret@host:8443/").place


async def test_no_file_but_the_private_one_and_no_log_holds_a_secret(
    gate: Gated, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    folder = tmp_path / "logins"
    keeper = logins(folder)
    account = await sign_in(gate, keeper)
    tokens = keeper.load(account.base, "")
    assert tokens is not None
    connector = LoginConnector(account, gate.url, keeper, username="ada", password=PASSWORD)
    await (await connector()).close()
    secrets = (PASSWORD, tokens.access_token, tokens.refresh_token)
    for told in (caplog.text, repr(connector), repr(account), repr(tokens), str(tokens)):
        assert not any(secret in told for secret in secrets)
    holding = await asyncio.to_thread(files_with, tmp_path, secrets)
    assert [path.parent for path in holding] == [folder]
    assert holding[0].stat().st_mode & 0o777 == 0o600
    assert PASSWORD.encode() not in holding[0].read_bytes()
    assert folder.stat().st_mode & 0o777 == 0o700
