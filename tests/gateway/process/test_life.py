"""The gateway process: one per data folder, gone when nobody is left, nothing lost when killed."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.asyncio.client import unix_connect
from websockets.exceptions import ConnectionClosed

from tui_tapback.client.transport import url_connector
from tui_tapback.config.paths import Paths
from tui_tapback.domain.errors import GatewayRefused, LinkDown
from tui_tapback.testing.gateway import GatewayProcess, RawClient
from tui_tapback.testing.model_server import ModelServer, said

pytestmark = pytest.mark.slow
Spawn = Callable[..., GatewayProcess]


def _open_to_others(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if stat.S_IMODE(path.lstat().st_mode) & 0o077]


async def _talk(client: RawClient, text: str = "hello") -> tuple[str, int, int]:
    """A new session with one whole turn: its id, the user's row and the answer's row."""
    session_id = (await client.call("session.create", source="desktop"))["session_id"]
    await client.call("prompt.submit", session_id=session_id, text=text)
    rows = (await client.event("message.complete"))["payload"]["persisted_turn"]
    return session_id, rows["user_row_id"], rows["final_assistant_row_id"]


async def test_files_and_socket_are_closed_to_others(gateway: Spawn, home: Path) -> None:
    await (await gateway().start()).client()
    assert stat.S_IMODE((home / "run" / "gateway.sock").lstat().st_mode) == 0o600
    assert not _open_to_others(home)


async def test_a_socket_whose_file_was_removed_is_bound_again(gateway: Spawn, home: Path) -> None:
    """Cleaners of temporary folders remove it under a living gateway, with the folder even."""
    process = await gateway().start()
    first = await process.client()
    session_id, user_row, _ = await _talk(first)
    shutil.rmtree(home / "run")
    second = await process.client()
    await second.call("session.resume", session_id=session_id)
    await first.call("reaction.set", session_id=session_id, row_id=user_row, emoji="👍", op_id="one")
    assert (await second.event("message.reaction"))["payload"]["row_id"] == user_row
    assert await process.terminate() == (0, "")
    assert not (home / "run" / "gateway.sock").exists()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGINT"])
async def test_a_signal_ends_it_in_good_order(gateway: Spawn, home: Path, name: str) -> None:
    process = await gateway().start()
    client = await process.client()
    session_id = (await client.call("session.create"))["session_id"]
    await client.call("prompt.submit", session_id=session_id, text="tell me a long story")
    await client.event("message.delta")
    process.running.send_signal(signal.Signals[name])
    process.running.send_signal(signal.Signals[name])  # somebody who is impatient makes nothing worse
    assert await process.ended() == (0, "")
    assert not (home / "run" / "gateway.sock").exists()
    assert not (home / "data" / "tapback.db-wal").exists()
    assert f"Leaving: {name}." in process.log
    assert "ERROR" not in process.log
    with pytest.raises(LinkDown):
        while True:
            await client.read()
    ends = [event["payload"]["status"] for event in client.events if event["type"] == "message.complete"]
    assert ends == ["interrupted"]
    again = await (await gateway().start()).client()
    rows = (await again.call("session.resume", session_id=session_id))["messages"]
    assert rows[-1]["display_metadata"]["interrupted"] is True
    assert rows[-1]["text"]


async def test_a_connection_that_says_nothing_does_not_keep_it_from_ending(
    gateway: Spawn, home: Path
) -> None:
    """The next gateway waits for this one, and a chat for the next gateway."""
    process = await gateway().start()
    client = await process.client()
    with socket.socket(socket.AF_UNIX) as silent:
        silent.connect(str(home / "run" / "gateway.sock"))
        await client.call("ping")
        began = time.monotonic()
        assert await process.terminate() == (0, "")
        assert time.monotonic() - began < 5.0
    assert "ERROR" not in process.log


async def test_kill_in_mid_answer_loses_nothing_that_was_acknowledged(gateway: Spawn) -> None:
    process = await gateway().start()
    client = await process.client()
    session_id, user_row, answer_row = await _talk(client)
    await client.call("reaction.set", session_id=session_id, row_id=answer_row, emoji="❤️", op_id="1")
    sent = await client.call("prompt.submit", session_id=session_id, text="and now?", client_ref="ref")
    await client.event("message.delta", lambda payload: True)
    await client.call(
        "reaction.set", session_id=session_id, row_id=sent["user_row_id"], emoji="👍", op_id="2"
    )
    await process.kill()

    again = await (await gateway().start()).client()
    assert again.events[0]["payload"]["replay_epoch"] != client.events[0]["payload"]["replay_epoch"]
    snapshot = await again.call("session.resume", session_id=session_id)
    rows = {row["row_id"]: row for row in snapshot["messages"] if row.get("row_id")}
    assert rows[user_row]["text"] == "hello"
    assert [r["emoji"] for r in rows[answer_row]["display_metadata"]["reactions"]] == ["❤️"]
    assert rows[sent["user_row_id"]]["text"] == "and now?"
    assert "👍" in [r["emoji"] for r in rows[sent["user_row_id"]]["display_metadata"]["reactions"]]
    repeated = await again.call("prompt.submit", session_id=session_id, text="and now?", client_ref="ref")
    assert repeated["user_row_id"] == sent["user_row_id"]
    assert snapshot["running"] is False


async def test_of_many_that_start_at_once_one_stays(gateway: Spawn) -> None:
    processes = [gateway() for _ in range(4)]
    await asyncio.gather(*(process.start() for process in processes))
    client = await processes[0].client()
    losers = {asyncio.create_task(process.ended()): process for process in processes}
    finished: set[asyncio.Task[tuple[int, str]]] = set()
    async with asyncio.timeout(20):
        while len(finished) < 3:
            finished, _ = await asyncio.wait(losers, return_when=asyncio.FIRST_COMPLETED)
            await client.call("ping")
    assert [task.result() for task in finished] == [(0, "")] * 3
    assert await client.call("ping") == {"pong": True}
    assert processes[0].log.count("Ready;") == 1
    assert processes[0].log.count("A gateway is already running") == 3
    (winner,) = (process for task, process in losers.items() if task not in finished)
    await winner.terminate()


async def test_a_gateway_that_is_leaving_is_waited_for(gateway: Spawn) -> None:
    """No moment between one gateway's end and the next one's start in which a chat stands alone."""
    for _ in range(3):
        first = await gateway().start()
        await (await first.client()).close()
        leaving = asyncio.create_task(first.terminate())
        second = await gateway().start()
        await leaving
        client = await second.client()
        assert await client.call("ping") == {"pong": True}
        await second.terminate()


async def test_it_leaves_when_nobody_is_left(gateway: Spawn, home: Path) -> None:
    process = await gateway("--idle-exit", "0.4").start()
    client = await process.client()
    for _ in range(6):
        await asyncio.sleep(0.1)
        await client.call("gateway.ping")
    await client.close()
    gone = time.monotonic()
    assert await process.ended() == (0, "")
    assert time.monotonic() - gone >= 0.4
    assert "nobody is here any more" in process.log
    assert not (home / "run" / "gateway.sock").exists()


async def test_it_leaves_when_nobody_ever_came(gateway: Spawn) -> None:
    process = await gateway("--idle-exit", "0.2").start()
    assert (await process.ended())[0] == 0


async def test_a_running_turn_is_waited_for(gateway: Spawn) -> None:
    process = await gateway("--idle-exit", "0.05").start()
    client = await process.client()
    session_id = (await client.call("session.create"))["session_id"]
    await client.call("prompt.submit", session_id=session_id, text="What can you do? Explain it all.")
    await client.event("message.delta")
    await client.close()
    await process.ended()
    again = await (await gateway().start()).client()
    rows = (await again.call("session.resume", session_id=session_id))["messages"]
    assert rows[-1]["role"] == "assistant"
    assert "interrupted" not in rows[-1].get("display_metadata", {})


async def test_a_stale_socket_is_replaced(gateway: Spawn, home: Path) -> None:
    first = await gateway().start()
    await first.client()
    await first.kill()
    assert (home / "run" / "gateway.sock").exists()
    second = await gateway().start()
    assert await (await second.client()).call("ping") == {"pong": True}


async def test_a_long_home_gets_a_short_socket(gateway: Spawn, home: Path) -> None:
    deep = home / ("d" * 60) / ("e" * 60)
    process = await gateway(environ={"TUI_TAPBACK_HOME": str(deep), "XDG_RUNTIME_DIR": str(home)}).start()
    paths = Paths.from_environ(process.environ)
    assert paths.runtime.parent == home
    assert len(os.fsencode(paths.socket_path)) < 100
    assert await (await process.client(paths.socket_path)).call("ping") == {"pong": True}


async def test_two_homes_are_two_lives(gateway: Spawn, home: Path) -> None:
    one = await (await gateway(environ={"TUI_TAPBACK_HOME": str(home / "1")}).start()).client(
        home / "1" / "run" / "gateway.sock"
    )
    two = await (await gateway(environ={"TUI_TAPBACK_HOME": str(home / "2")}).start()).client(
        home / "2" / "run" / "gateway.sock"
    )
    await _talk(one)
    assert (await two.call("session.list"))["sessions"] == []


async def test_tcp_wants_the_token_and_shows_it_nowhere(gateway: Spawn, home: Path) -> None:
    token = "a-very-secret-word"
    process = await gateway("--port", "0", environ={"TUI_TAPBACK_TOKEN": token}).start()
    local = await process.client()
    endpoint = home / "run" / "gateway.json"
    assert stat.S_IMODE(endpoint.stat().st_mode) == 0o600
    url = re.search(r"ws://127\.0\.0\.1:\d+/api/ws", process.log)
    assert url is not None
    for wrong in (None, "", "wrong"):
        with pytest.raises(GatewayRefused):
            await url_connector(url[0], wrong)()
    remote = RawClient(await url_connector(url[0], token)())
    await remote.read()
    session_id, _, _ = await _talk(remote)
    assert (await local.call("session.most_recent"))["session_id"] == session_id
    await remote.request("session.resume", session_id=f"token={token}")
    await remote.close()
    await process.terminate()
    assert token not in process.log
    assert "***" in process.log
    assert not endpoint.exists()


async def test_memory_stays_bounded_under_giant_frames(gateway: Spawn) -> None:
    process = await gateway().start()
    client = await process.client()
    before = _peak_memory(process)
    for _ in range(3):
        hostile = await unix_connect(str(process.home / "run" / "gateway.sock"), uri="ws://x/api/ws")
        with pytest.raises(ConnectionClosed):
            await hostile.send("x" * (64 * 1024 * 1024))
            while True:
                await hostile.recv()
    await client.transport.send("[" * 100_000)
    assert (await client.read())["error"]["code"] in (-32700, -32600)
    assert await client.call("ping") == {"pong": True}
    assert _peak_memory(process) - before < 64 * 1024


def _peak_memory(process: GatewayProcess) -> int:
    """Kilobytes."""
    status = Path(f"/proc/{process.running.pid}/status").read_text("utf-8")
    found = re.search(r"VmHWM:\s+(\d+)", status)
    assert found is not None
    return int(found[1])


async def test_a_model_of_the_settings_answers_and_its_key_stays_secret(gateway: Spawn, home: Path) -> None:
    key = "sk-hidden-key-123"
    with ModelServer() as server:
        server.script(said("Hello from a model."))
        (home / "settings.toml").write_text(
            f'[model]\nbase_url = "{server.base_url}"\nmodel = "m-1"\napi_key = "{key}"\n', "utf-8"
        )
        process = await gateway(environ={"OPENAI_MODEL": ""}).start()
        client = await process.client()
        assert (await client.call("gateway.capabilities"))["tapback"].get("companion", False) is False
        session_id, _, _ = await _talk(client)
        rows = (await client.call("session.history", session_id=session_id))["messages"]
        assert rows[-1]["text"] == "Hello from a model."
        assert await process.terminate() == (0, "")
    assert key not in process.log


async def test_a_key_that_the_settings_name_is_masked_wherever_it_turns_up(
    gateway: Spawn, home: Path
) -> None:
    key = "an-unusual-hidden-word"
    (home / "settings.toml").write_text('[model]\napi_key_env = "MY_KEY"\n', "utf-8")
    process = await gateway(environ={"MY_KEY": key}).start()
    client = await process.client()
    refused = await client.request("session.resume", session_id=key)
    assert refused["error"]["code"] == 4007
    await process.terminate()
    assert key not in process.log
    assert "no session “***”" in process.log
