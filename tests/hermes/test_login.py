"""A Hermes gateway beyond loopback: the token of its process is refused, name and password are asked for."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_tapback.client.login import PasswordLogin
from tui_tapback.client.state import Phase
from tui_tapback.client.transport import url_connector
from tui_tapback.domain.errors import GatewayRefused, SettingsError
from tui_tapback.testing.client import running_client, texts, until
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import turn
from tui_tapback.testing.home import Home

PASSWORD = "CANARY-correct-horse-7"


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


def on_disk(folder: Path, secrets: tuple[bytes, ...]) -> list[Path]:
    """The files below that hold any of the secrets."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if any(secret in path.read_bytes() for secret in secrets)]


def in_arguments(secrets: tuple[bytes, ...]) -> list[Path]:
    """The processes of this machine that were started with any of them."""
    found: list[Path] = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes()
        except OSError:
            continue  # it has ended meanwhile
        if any(secret in words for secret in secrets):
            found.append(file)
    return found


@pytest.mark.hermes
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_the_program_lets_no_secret_out(gated: HermesGateway, tmp_path: Path) -> None:
    """Typed into the real program, refused, accepted, used; then everything that it has left is searched."""
    home = Home(tmp_path)
    try:
        chat = home.chat("--connect", gated.url)
        chat.wait_for("wants a login")
        chat.press("/login\r")
        chat.wait_for("it is not shown")
        chat.press("me\rCANARY-wrong-1\r")
        chat.wait_for("refused the name or the password")
        chat.press(PASSWORD)
        chat.wait_for("•••")
        folder = tmp_path / "tapback" / "data" / "logins"
        secrets = (PASSWORD.encode(), b"CANARY-wrong-1")
        assert not in_arguments(secrets)
        chat.press("\r")
        chat.wait_for("online")
        chat.press("hello\r")
        chat.wait_for("echo: hello", 90)
        kept = json.loads(next(folder.glob("*.json")).read_text())["tokens"]
        tokens = (kept["access_token"].encode(), kept["refresh_token"].encode())
        assert not in_arguments(secrets + tokens)
        chat.press("\x11")
        assert chat.wait_exit() == 0
        again = home.chat("--connect", gated.url)  # the kept login opens it, and nothing is asked
        again.wait_for("online")
        again.process.send_signal(signal.SIGABRT)  # as when it crashes
        again.process.wait(30)
        again.pump()
    finally:
        home.close()
    for sent in (chat.raw, again.raw):
        assert not any(secret in sent for secret in (*secrets, *tokens))
    assert not on_disk(tmp_path, secrets)
    assert [path.parent for path in on_disk(tmp_path, tokens)] == [folder]
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())


def test_a_password_never_travels_in_the_clear() -> None:
    with pytest.raises(SettingsError, match="unencrypted"):
        PasswordLogin("ws://chat.example.test", "me", PASSWORD)
    assert PASSWORD not in repr(PasswordLogin("wss://chat.example.test", "me", PASSWORD))
