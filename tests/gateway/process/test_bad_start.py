"""A gateway that cannot start says why in one sentence, on standard error and as the last line of its log."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tui_tapback.testing.gateway import GatewayProcess

pytestmark = pytest.mark.slow
Spawn = Callable[..., GatewayProcess]


async def _fails(process: GatewayProcess, status: int) -> str:
    """Start it, and return the sentence with which it ends."""
    await process.start()
    code, stderr = await process.ended()
    assert code == status, stderr
    lines = stderr.splitlines()
    assert len(lines) == 1, stderr
    sentence = lines[0].removeprefix("tui-tapback: ")
    assert "Traceback" not in process.log
    if process.log:
        assert process.log.splitlines()[-1].endswith(sentence)
    return sentence


async def test_a_file_that_is_no_database(gateway: Spawn, home: Path) -> None:
    (home / "data").mkdir()
    (home / "data" / "tapback.db").write_bytes(b"this is not a database, by far" * 100)
    assert "not a sound database" in await _fails(gateway(), 3)
    assert (home / "data" / "tapback.db").read_bytes().startswith(b"this is not")


async def test_a_database_of_a_newer_version(gateway: Spawn, home: Path) -> None:
    first = await gateway().start()
    await first.client()
    await first.terminate()
    database = sqlite3.connect(home / "data" / "tapback.db")
    database.execute("PRAGMA user_version = 9999")
    database.close()
    assert "newer" in await _fails(gateway(), 3)


async def test_a_data_file_that_another_program_holds(gateway: Spawn, home: Path) -> None:
    (home / "data").mkdir()
    database = sqlite3.connect(home / "data" / "tapback.db", isolation_level=None)
    database.execute("BEGIN EXCLUSIVE")
    try:
        assert "Another program is using the data file" in await _fails(gateway(), 3)
    finally:
        database.close()


async def test_a_data_file_in_the_way(gateway: Spawn, home: Path) -> None:
    (home / "data").write_text("")
    assert "something else stands there" in await _fails(gateway(), 2)


@pytest.fixture
def read_only(home: Path) -> Iterator[None]:
    home.chmod(0o500)
    yield
    home.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
@pytest.mark.usefixtures("read_only")
async def test_a_read_only_home(gateway: Spawn) -> None:
    assert "cannot be created" in await _fails(gateway(), 2)


async def test_wrong_settings_are_named_with_their_line(gateway: Spawn, home: Path) -> None:
    (home / "settings.toml").write_text('\n[gateway]\nidle_exit = "soon"\n', "utf-8")
    sentence = await _fails(gateway(), 2)
    assert "line 3: the setting gateway.idle_exit must be a number, 0 or more, not text" in sentence


async def test_a_key_that_is_not_there(gateway: Spawn, home: Path) -> None:
    (home / "settings.toml").write_text(
        '[model]\nbase_url = "http://127.0.0.1:9/v1"\napi_key_env = "NO_SUCH_KEY"\n', "utf-8"
    )
    assert "NO_SUCH_KEY" in await _fails(gateway(environ={"OPENAI_MODEL": ""}), 2)


async def test_an_address_beyond_loopback(gateway: Spawn) -> None:
    assert "loopback only" in await _fails(gateway("--host", "0.0.0.0", "--port", "0"), 2)


async def test_a_port_that_is_taken(gateway: Spawn) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}" in await _fails(gateway("--port", str(port)), 2)


async def test_a_file_in_place_of_the_socket_is_left_alone(gateway: Spawn, home: Path) -> None:
    (home / "notes.txt").write_text("precious")
    sentence = await _fails(gateway("--socket", str(home / "notes.txt")), 2)
    assert "is in the way" in sentence
    assert (home / "notes.txt").read_text() == "precious"


async def test_a_socket_path_that_is_too_long(gateway: Spawn, home: Path) -> None:
    assert "too long" in await _fails(gateway("--socket", str(home / ("x" * 120))), 2)


async def test_the_socket_of_another_program_is_left_alone(gateway: Spawn, home: Path) -> None:
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(home / "other.sock"))
        other.listen()
        sentence = await _fails(gateway("--socket", str(home / "other.sock")), 2)
        assert "already listens" in sentence
        assert (home / "other.sock").exists()


async def test_a_second_gateway_with_another_socket_says_where_the_first_is(
    gateway: Spawn, home: Path
) -> None:
    await (await gateway().start()).client()
    sentence = await _fails(gateway("--socket", str(home / "two.sock")), 3)
    assert "gateway.sock" in sentence
    assert "holds the data folder" in sentence
