"""The door of the web service: who gets in, who does not, and what is refused before anything listens."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from tui_tapback.cli.parser import build_parser
from tui_tapback.cli.web import ChatServer, bind, chat_command
from tui_tapback.cli.web_gate import Gate, is_loopback, token_for
from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.variables import WEB_TOKEN_VARIABLE

TOKEN = "a-token-that-is-long-enough"


@pytest.fixture
async def server() -> AsyncIterator[TestServer]:
    async def ok(_: web.Request) -> web.Response:
        return web.Response(text="inside")

    app = web.Application(middlewares=[Gate(TOKEN, name="t").middleware()])
    app.add_routes([web.get("/", ok), web.get("/ws", ok), web.get("/static/x", ok)])
    server = TestServer(app)
    await server.start_server()
    yield server
    await server.close()


@pytest.fixture
async def visitor() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/ws", f"/ws?token={TOKEN}", "/static/x"])
async def test_without_the_token_nothing_is_seen(
    server: TestServer, visitor: aiohttp.ClientSession, path: str
) -> None:
    async with visitor.get(server.make_url(path)) as answer:
        assert answer.status == 403 and "inside" not in await answer.text()


async def test_the_token_earns_a_cookie_and_leaves_the_address(
    server: TestServer, visitor: aiohttp.ClientSession
) -> None:
    async with visitor.get(server.make_url(f"/?token={TOKEN}")) as answer:
        assert answer.status == 200 and await answer.text() == "inside"
        assert TOKEN not in str(answer.url)
        cookie = answer.history[0].cookies["tui_tapback_t"]
        assert cookie["httponly"] and cookie["samesite"] == "Strict"
        assert answer.headers["X-Frame-Options"] == "DENY"
    async with visitor.get(server.make_url("/static/x")) as answer:
        assert answer.status == 200


@pytest.mark.parametrize(("origin", "status"), [("http://evil.example", 403), (None, 403), ("own", 200)])
async def test_another_pages_script_cannot_open_the_socket_with_our_cookie(
    server: TestServer, visitor: aiohttp.ClientSession, origin: str | None, status: int
) -> None:
    async with visitor.get(server.make_url(f"/?token={TOKEN}")):
        pass
    headers = {"Upgrade": "websocket"}
    if origin is not None:
        headers["Origin"] = f"http://{server.make_url('/').authority}" if origin == "own" else origin
    async with visitor.get(server.make_url("/ws"), headers=headers) as answer:
        assert answer.status == status


def test_a_wide_address_needs_a_token_of_ones_own() -> None:
    assert len(token_for("127.0.0.1", {})) >= 16 and token_for("::1", {}) != token_for("::1", {})
    assert token_for("0.0.0.0", {WEB_TOKEN_VARIABLE: TOKEN}) == TOKEN
    for host in ("0.0.0.0", "192.0.2.1", "::", "", "example.org"):
        with pytest.raises(SettingsError, match="without a token"):
            token_for(host, {})
    for bad in ("short", "with a blank in it, and long"):
        with pytest.raises(SettingsError):
            token_for("127.0.0.1", {WEB_TOKEN_VARIABLE: bad})


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True), ("0.0.0.0", False)],
)
def test_loopback_is_known(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


def test_a_port_that_is_taken_or_no_port_is_a_sentence() -> None:
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        for port in (taken.getsockname()[1], 70_000):
            with pytest.raises(SettingsError, match="cannot listen"):
                bind("127.0.0.1", port)


def test_the_tabs_run_the_chat_that_was_asked_for() -> None:
    options = build_parser().parse_args(
        ["--theme", "light", "--emoji", "text", "web", "--session", "a; rm b"]
    )
    command = chat_command(options)
    assert "--session 'a; rm b'" in command and "--emoji text" in command and "--theme light" in command


async def test_the_page_asks_nobody_else_for_anything(visitor: aiohttp.ClientSession) -> None:
    chat = ChatServer.behind(Gate(TOKEN, name="p"), "true", "http://127.0.0.1/")
    async with TestServer(await chat.make_app()) as server:
        async with visitor.get(server.make_url(f"/?token={TOKEN}")) as answer:
            page = await answer.text()
        assert "googleapis" not in page and f'"ws://{server.make_url("/").authority}/ws"' in page
        async with visitor.get(server.make_url("/static/js/textual.js")) as answer:
            assert answer.status == 200
