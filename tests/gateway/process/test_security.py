"""Who gets in from outside, over what, and that no secret is left lying about."""

from __future__ import annotations

import json
import os
import re
import shutil
import ssl
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidMessage, InvalidStatus
from websockets.typing import Subprotocol

from tui_tapback.domain.errors import SettingsError
from tui_tapback.gateway.main.listeners import bind_tcp, is_loopback, tls_context, url_of
from tui_tapback.testing.gateway import GatewayProcess

Spawn = Callable[..., GatewayProcess]
TOKEN = "canary-token-8d1f"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, ssl.SSLContext]:
    """Certificate and key of 127.0.0.1, and the context of a client that trusts their maker."""
    maker = trustme.CA()
    issued = maker.issue_cert("127.0.0.1")
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    for blob in issued.cert_chain_pems:
        chain.write_bytes(blob.bytes())
    key.touch(mode=0o600)
    key.write_bytes(issued.private_key_pem.bytes())
    trusting = ssl.create_default_context()
    trusting.load_verify_locations(cadata=maker.cert_pem.bytes().decode())
    return chain, key, trusting


def _url(process: GatewayProcess) -> str:
    found = re.search(r"wss?://127\.0\.0\.1:\d+/api/ws", process.log)
    assert found is not None
    return found[0]


def _command_line(pid: int) -> str:
    path = Path(f"/proc/{pid}/cmdline")
    return path.read_text() if path.exists() else ""


def _with_canaries(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and b"canary" in path.read_bytes()]


async def _ping(connection: ClientConnection) -> object:
    await connection.recv()
    await connection.send('{"id": 1, "method": "ping"}')
    return json.loads(await connection.recv())["result"]


@pytest.mark.slow
async def test_tls_with_a_certificate_of_ones_own(
    gateway: Spawn, files: tuple[Path, Path, ssl.SSLContext]
) -> None:
    chain, key, trusting = files
    arguments = ("--port", "0", "--tls-cert", str(chain), "--tls-key", str(key))
    process = await gateway(*arguments, environ={"TUI_TAPBACK_TOKEN": TOKEN}).start()
    await process.client()
    url = _url(process)
    assert url.startswith("wss://")
    endpoint = json.loads((process.home / "run" / "gateway.json").read_text())
    assert endpoint["url"] == url
    header = {"Authorization": f"Bearer {TOKEN}"}
    async with connect(url, ssl=trusting, additional_headers=header) as connection:
        assert await _ping(connection) == {"pong": True}
    with pytest.raises(InvalidStatus):
        await connect(url, ssl=trusting)
    with pytest.raises(ssl.SSLCertVerificationError):
        await connect(url, additional_headers=header)  # a client that does not know the maker
    with pytest.raises((InvalidHandshake, InvalidMessage, OSError, EOFError)):
        await connect(url.replace("wss", "ws"), additional_headers=header)


@pytest.mark.slow
async def test_the_token_may_come_in_a_header_or_a_subprotocol_and_is_never_said_back(gateway: Spawn) -> None:
    process = await gateway("--port", "0", environ={"TUI_TAPBACK_TOKEN": TOKEN}).start()
    await process.client()
    url = _url(process)
    for header in ({"Authorization": f"Bearer {TOKEN}"}, {"X-Hermes-Session-Token": TOKEN}):
        async with connect(url, additional_headers=header) as connection:
            assert await _ping(connection) == {"pong": True}
    offered = [Subprotocol("hermes-gateway-v1"), Subprotocol(f"hermes-gateway-ticket.{TOKEN}")]
    async with connect(url, subprotocols=offered) as connection:
        assert connection.subprotocol == "hermes-gateway-v1"
        assert connection.response is not None
        assert TOKEN not in str(connection.response.headers)
        assert await _ping(connection) == {"pong": True}


@pytest.mark.slow
async def test_canaries_turn_up_nowhere(gateway: Spawn, home: Path) -> None:
    """B180: tokens and keys, right and wrong, in every place where they may be sent."""
    key = "canary-key-77aa"
    environ = {"TUI_TAPBACK_TOKEN": TOKEN, "OPENAI_API_KEY": key, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    process = await gateway("--port", "0", environ={**environ, "OPENAI_MODEL": "m"}).start()
    local = await process.client()
    url = _url(process)
    for wrong in ("canary-wrong-1", f"{TOKEN}x"):
        for attempt in (
            {"additional_headers": {"Authorization": f"Bearer {wrong}"}},
            {"origin": f"http://{wrong}"},
        ):
            with pytest.raises(InvalidStatus) as refused:
                await connect(f"{url}?token={wrong}", **attempt)  # pyright: ignore[reportArgumentType]
            assert b"canary" not in refused.value.response.serialize()
    async with connect(f"{url}?token={TOKEN}") as connection:
        assert await _ping(connection) == {"pong": True}
    session_id = (await local.call("session.create"))["session_id"]
    await local.call("prompt.submit", session_id=session_id, text="hello")
    failed = await local.event("message.complete")
    assert failed["payload"]["status"] == "error"
    for method in ("config.get", "session.resume", "no.such"):
        await local.request(method, key="full", session_id=f"?token={TOKEN}")
    assert "canary" not in json.dumps(
        [frame for frame in local.frames if "canary" not in str(frame.get("id"))]
    )
    assert "canary" not in _command_line(process.running.pid)
    await process.terminate()
    assert _with_canaries(home) == []


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts open files in /proc")
async def test_binding_again_leaves_no_socket_open(gateway: Spawn, home: Path) -> None:
    process = await gateway().start()
    first = await process.client()

    def sockets() -> int:
        folder = f"/proc/{process.running.pid}/fd"
        links = [os.readlink(f"{folder}/{name}") for name in os.listdir(folder)]  # noqa: PTH208, PTH115
        return sum(link.startswith("socket:") for link in links)

    before = sockets()
    for came in range(1, 4):
        shutil.rmtree(home / "run")
        await (await process.client()).call("ping")
        assert sockets() == before + came  # one more client each, and no old listener
    assert await first.call("ping") == {"pong": True}
    assert await process.terminate() == (0, "")


def test_nothing_travels_open_beyond_this_machine(files: tuple[Path, Path, ssl.SSLContext]) -> None:
    with pytest.raises(SettingsError, match="without TLS") as caught:
        bind_tcp("0.0.0.0", 0)
    assert "--tls-cert" in caught.value.hint
    with bind_tcp("0.0.0.0", 0, encrypted=True) as sock:  # bound, never listening
        assert url_of(sock, encrypted=True).startswith("wss://0.0.0.0:")
    assert is_loopback("localhost")
    assert not is_loopback("192.0.2.1")
    with pytest.raises(SettingsError, match="no address"):
        is_loopback("chat.example")


def test_tls_files_that_cannot_be_used_are_refused_with_a_sentence(
    files: tuple[Path, Path, ssl.SSLContext], tmp_path: Path
) -> None:
    chain, key, _ = files
    tls_context(chain, key)
    empty = tmp_path / "empty.pem"
    empty.touch(mode=0o600)
    for certificate, secret in ((empty, key), (chain, empty), (key, chain), (tmp_path / "none.pem", key)):
        with pytest.raises(SettingsError, match=r"cannot be used|can be read by other users"):
            tls_context(certificate, secret)
    if os.name == "posix":
        key.chmod(0o644)
        with pytest.raises(SettingsError, match="can be read by other users"):
            tls_context(chain, key)
