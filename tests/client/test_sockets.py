"""The client over real sockets, against the real server and against peers that misbehave."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from tui_tapback.client.embedded import EmbeddedGateway
from tui_tapback.client.state import Phase
from tui_tapback.client.transport import NobodyListens, unix_connector, url_connector
from tui_tapback.domain.errors import (
    GatewayRefused,
    GatewayUnreachable,
    IncompatibleGateway,
    LinkDown,
    SettingsError,
)
from tui_tapback.testing.client import emojis, opened, quiet, running_client, texts, until
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.scripted_gateway import ScriptedGateway

SECRET = "s3cret-t0ken"


async def test_a_chat_with_the_real_server_over_its_socket(tmp_path: Path) -> None:
    async with RunningServer(tmp_path) as server, running_client(unix_connector(server.path)) as client:
        key = client.send("hello")
        state = await until(client, lambda s: len(s.messages) >= 2 and not s.running and not s.waiting)
        assert state.messages[0].key == key
        assert state.max_message_chars > 0
        client.set_reaction(state.messages[1].key, "👍")
        state = await quiet(client)
        assert emojis(state.messages[1]) == ["user 👍"]
        assert len(await client.pending_notes()) == 1
        async with running_client(unix_connector(server.path), prefix="other") as second:
            seen = await opened(second)
            assert [(m.text, emojis(m)) for m in seen.messages] == [
                (m.text, emojis(m)) for m in state.messages
            ]
            second.set_reaction(seen.messages[1].key, "❤️")
            state = await until(client, lambda s: emojis(s.messages[1]) == ["user ❤️"])
            await second.set_title("A better name")
            await until(client, lambda s: s.title == "A better name")
            assert [s.title for s in await client.list_sessions()] == ["A better name"]


@pytest.mark.parametrize("size", [1_100_000, 3_000_000])
async def test_a_history_above_one_mebibyte_is_read(tmp_path: Path, size: int) -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("user", "x" * size))

    async def bridge(connection: ServerConnection) -> None:
        inner = await gateway()

        async def down() -> None:
            while True:
                await connection.send(await inner.receive())

        task = asyncio.create_task(down())
        async for frame in connection:
            assert isinstance(frame, str), "a binary frame ends a Hermes connection"
            await inner.send(frame)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async with serve(bridge, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with running_client(url_connector(f"http://127.0.0.1:{port}"), session_id=session.id) as client:
            state = await opened(client)
            assert len(state.messages[0].text) == size


async def test_a_refused_token_is_a_sentence_and_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    def refuse(connection: ServerConnection, request: Request) -> Response:
        assert f"token={SECRET}" in request.path
        return connection.respond(403, "")

    async def never(connection: ServerConnection) -> None:
        raise AssertionError("it was let in")

    async with serve(
        never, "127.0.0.1", 0, process_request=refuse, logger=logging.Logger("server")
    ) as server:
        port = server.sockets[0].getsockname()[1]
        connect = url_connector(f"ws://127.0.0.1:{port}", SECRET)
        with pytest.raises(GatewayRefused, match="refused the connection") as caught:
            await connect()
        assert "token" in caught.value.hint
        assert SECRET not in repr(connect) + caught.value.sentence() + repr(caught.value.__cause__)
        async with running_client(connect) as client:
            state = await until(client, lambda s: s.connection.phase is Phase.REFUSED)
            assert SECRET not in state.connection.detail
    assert SECRET not in caplog.text


async def test_nobody_there_is_told_apart_from_a_refusal(tmp_path: Path) -> None:
    with pytest.raises(NobodyListens, match="No gateway listens"):
        await unix_connector(tmp_path / "none.sock")()
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(tmp_path / "dead.sock"))
    dead.close()
    with pytest.raises(NobodyListens):
        await unix_connector(tmp_path / "dead.sock")()
    free = socket.socket()
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    with pytest.raises(NobodyListens):
        await url_connector(f"ws://127.0.0.1:{port}")()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", IncompatibleGateway),
        (b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", GatewayUnreachable),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", IncompatibleGateway),
        (b"SSH-2.0-OpenSSH_9.6\r\n", IncompatibleGateway),
        (b"", GatewayUnreachable),
    ],
)
async def test_what_is_no_gateway_is_called_so(answer: bytes, error: type[LinkDown]) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(error) as caught:
            await url_connector(f"ws://127.0.0.1:{port}")()
        assert str(caught.value).endswith((".", ")."))


async def test_a_socket_path_that_is_too_long_is_called_so(tmp_path: Path) -> None:
    with pytest.raises(GatewayUnreachable, match="path too long"):
        await unix_connector(tmp_path / ("x" * 120))()


@pytest.mark.parametrize(
    "url",
    ["", "ftp://host", "ws://", "ws://host:port", "http://[::1", "://x", "ws://a..b", "ws://" + "x" * 64],
)
def test_an_address_that_is_none_is_refused_before_anything_is_tried(url: str) -> None:
    with pytest.raises(SettingsError, match="address of the gateway"):
        url_connector(url)


async def test_a_broken_socket_raises_link_down_on_both_ways() -> None:
    async def hang_up(connection: ServerConnection) -> None:
        await connection.close()

    async with serve(hang_up, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        transport = await url_connector(f"127.0.0.1:{port}")()
        with pytest.raises(LinkDown):
            await transport.receive()
        with pytest.raises(LinkDown):
            await transport.send("{}")
        await transport.close()
        await transport.close()


# --- the embedded gateway ------------------------------------------------------------------------------


def embedded(folder: Path, script: str, *, start_timeout: float = 15.0) -> EmbeddedGateway:
    command = (sys.executable, "-c", script)
    return EmbeddedGateway(folder / "g.sock", command, folder / "logs" / "g.log", start_timeout=start_timeout)


async def test_a_gateway_that_dies_at_start_is_explained_by_its_last_words(tmp_path: Path) -> None:
    script = "import sys; print('noise'); sys.exit('\\x1b[31mThe data folder\\x1b[0m is read-only.')"
    with pytest.raises(GatewayUnreachable) as caught:
        await embedded(tmp_path, script)()
    assert str(caught.value) == "The gateway could not start (status 1): The data folder is read-only."
    assert "g.log" in caught.value.hint
    assert (tmp_path / "logs" / "g.log").stat().st_mode & 0o777 == 0o600


async def test_why_the_gateway_cannot_start_is_told_at_the_first_attempt(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    script = f"import sys; open({str(starts)!r}, 'a').write('.'); sys.exit('The disk is full.')"
    async with running_client(embedded(tmp_path, script)) as client:
        state = await until(client, lambda s: s.connection.phase is Phase.OFFLINE)
        assert "The disk is full." in state.connection.detail
        assert starts.read_text() == "."


async def test_words_of_an_earlier_start_are_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "g.log").write_text("an old complaint\n")
    with pytest.raises(GatewayUnreachable) as caught:
        await embedded(tmp_path, "import sys; sys.exit(3)")()
    assert str(caught.value) == "The gateway could not start (status 3)."


async def test_a_gateway_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(GatewayUnreachable, match=r"did not answer within 0\.3 seconds"):
        await embedded(tmp_path, "pass", start_timeout=0.3)()  # ends with 0, as if another one were at work


async def test_a_gateway_that_found_another_which_then_left_is_started_again(tmp_path: Path) -> None:
    """The first process ends with 0, as beside another gateway; nobody is there; the second one serves."""
    script = f"""
import asyncio, pathlib
from websockets.asyncio.server import unix_serve

async def main():
    async with unix_serve(lambda link: link.wait_closed(), {str(tmp_path / "g.sock")!r}) as server:
        await asyncio.sleep(5)

mark = pathlib.Path({str(tmp_path / "second")!r})
if mark.exists():
    asyncio.run(main())
mark.touch()
"""
    await (await embedded(tmp_path, script)()).close()


async def test_a_gateway_that_starts_slowly_is_not_helped_by_dozens_of_others(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    script = f"open({str(starts)!r}, 'a').write('x')"  # ends with 0: another one is at work
    with pytest.raises(GatewayUnreachable):
        await embedded(tmp_path, script, start_timeout=1.2)()
    assert 1 <= len(starts.read_text()) <= 3


async def test_a_program_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    gateway = EmbeddedGateway(tmp_path / "g.sock", (str(tmp_path / "missing"),), tmp_path / "g.log")
    with pytest.raises(GatewayUnreachable, match="could not be started"):
        await gateway()


async def test_a_running_gateway_is_joined_without_starting_another(tmp_path: Path) -> None:
    async with RunningServer(tmp_path) as server:
        script = f"open({str(tmp_path / 'started')!r}, 'w')"
        connect = EmbeddedGateway(server.path, (sys.executable, "-c", script), tmp_path / "g.log")
        async with running_client(connect) as client:
            state = await opened(client)
            assert state.connection.gateway == "embedded"
    assert not (tmp_path / "started").exists()


@pytest.mark.slow
async def test_two_clients_that_start_at_once_share_one_gateway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUI_TAPBACK_HOME", str(tmp_path))
    command = (sys.executable, "-m", "tui_tapback.gateway.main", "--idle-exit", "1")
    path, log = tmp_path / "run" / "gateway.sock", tmp_path / "logs" / "gateway.log"
    first, second = (EmbeddedGateway(path, command, log) for _ in range(2))
    async with running_client(first, prefix="a") as one, running_client(second, prefix="b") as two:
        await asyncio.gather(opened(one), opened(two))
        one.send("hello from one")
        state = await until(one, lambda s: len(s.messages) > 1 and not s.running)
        assert state.session_id is not None
        await two.open_session(state.session_id)
        await until(two, lambda s: texts(s) == texts(state))
