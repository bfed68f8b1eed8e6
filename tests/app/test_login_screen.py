"""Logging in, adding and changing connections within the chat; a password is seen nowhere."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from tui_tapback.actions.resolving import standard
from tui_tapback.app.app import ChatApp
from tui_tapback.app.belongings import Belongings
from tui_tapback.app.connections import Gateway
from tui_tapback.app.screens.confirm import ConfirmScreen
from tui_tapback.app.screens.connections import ConnectionsScreen, explained
from tui_tapback.app.screens.login import LoginScreen
from tui_tapback.cli.gateways import Gateways
from tui_tapback.client.keyring_store import kept_logins
from tui_tapback.client.state import ClientState, ConnectionState, Phase
from tui_tapback.config.settings import load_settings
from tui_tapback.testing.app import chat_app, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.gated import Answered, Gated
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_text

PASSWORD = "CANARY-pw-93x"
size = pytest.mark.parametrize(
    "size",
    [
        pytest.param((40, 12), id="40x12", marks=pytest.mark.slow),
        pytest.param((80, 24), id="80x24"),
        pytest.param((160, 50), id="160x50", marks=pytest.mark.slow),
    ],
)


async def nobody() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    raise AssertionError("the chats here are in memory")


@dataclass
class Bench:
    """The gateways of a settings file, all chats in memory, the logins real."""

    folder: Path
    gate: Gated
    here: MemoryChat = field(default_factory=MemoryChat)
    work: MemoryChat = field(default_factory=MemoryChat)
    opened: list[str] = field(default_factory=list[str])
    has_browser: bool = True

    def __post_init__(self) -> None:
        self.file.write_text(
            f'# mine\ntheme = "light"  # bright\n\n[connections.work]\nurl = "{self.gate.url}"\n'
        )
        self.work.arrive("Hello from work")

    @property
    def file(self) -> Path:
        return self.folder / "settings.toml"

    def app(self) -> ChatApp:
        keeper = kept_logins(self.folder / "logins")
        gateways = Gateways(
            "",
            connections=lambda: load_settings(self.file).connections,
            make=lambda name: (self.work, Belongings(name)),  # pyright: ignore[reportArgumentType]
            keeper=lambda: keeper,
            file=self.file,
            browser=self.browse if self.has_browser else None,
        )
        return chat_app(self.here, connections=gateways)

    def browse(self, address: str) -> bool:
        self.opened.append(address)
        return True

    @property
    def login(self) -> list[Path]:
        return list((self.folder / "logins").glob("*.json"))


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncGenerator[Bench]:
    async with Gated(nobody, username="ada", password=PASSWORD) as gate:
        yield Bench(tmp_path, gate)


async def said(pilot: Pilot[Any], words: str) -> None:
    """Wait until it stands on the screen, wherever the lines of a window break."""
    await until(pilot, lambda: words in " ".join(screen_text(pilot.app).replace("│", " ").split()))


async def at_work(pilot: Pilot[Any]) -> None:
    await settle(pilot)
    await pilot.press("f2")
    await said(pilot, "this machine")
    await pilot.press("down")


@size
async def test_a_password_is_typed_unseen_and_opens_the_chat(bench: Bench, size: tuple[int, int]) -> None:
    app = bench.app()
    async with app.run_test(size=size, notifications=True) as pilot:
        await at_work(pilot)
        await pilot.press("l")
        await said(pilot, "Password")
        assert line_widths(app) == {size[0]}
        await pilot.press(*"ada", "enter", *"wrong", "enter")
        await said(pilot, "refused the name or the password")
        await pilot.press(*PASSWORD)
        await said(pilot, "••••")
        seen = screen_text(app) + app.export_screenshot() + str(app.title)
        await pilot.press("enter")
        await said(pilot, "Hello from work")
        assert PASSWORD not in seen + screen_text(app) + app.export_screenshot()
        assert "wrong" not in seen
        assert bench.login


async def test_what_a_password_manager_types_at_once_is_not_seen_in_the_field_for_the_name(
    bench: Bench,
) -> None:
    app = bench.app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_work(pilot)
        await pilot.press("l")
        await said(pilot, "Password")
        for key in [*"ada", "enter", *PASSWORD]:
            app.post_message(events.Key(key, key if len(key) == 1 else "\r"))
        await said(pilot, "•" * len(PASSWORD))
        assert app.screen.query_one("#name", Input).value == "ada"
        app.post_message(events.Key("enter", "\r"))
        await said(pilot, "Hello from work")


@pytest.mark.parametrize("key", ["ctrl+c", "super+c", "ctrl+x"])
async def test_a_password_is_not_copied_out_of_its_field(bench: Bench, key: str) -> None:
    app = bench.app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_work(pilot)
        await pilot.press("l")
        await said(pilot, "Password")
        await pilot.press("tab", *PASSWORD, "home", "shift+end", key)
        await settle(pilot)
        assert PASSWORD not in app.clipboard
        assert not bench.login


async def come_back(address: str, changed: Callable[[str], str] = str) -> None:
    query = parse_qs(urlsplit(address).query)
    where = urlsplit(query["redirect_uri"][0])
    reader, writer = await asyncio.open_connection("127.0.0.1", where.port)
    writer.write(f"GET {where.path}?code=c0de&state={changed(query['state'][0])} HTTP/1.1\r\n\r\n".encode())
    await reader.read()
    writer.close()
    await writer.wait_closed()


def with_browser_login(gate: Gated) -> None:
    gate.instead["/api/auth/providers"] = Answered(
        200, b'{"providers": [{"name": "sso", "display_name": "Sign in\\u001b[31m [b]here"}]}'
    )
    gate.instead["/auth/native/token"] = Answered(200, b'{"access_token": "t", "refresh_token": "r"}')


@size
async def test_a_browser_is_opened_and_its_answer_opens_the_chat(bench: Bench, size: tuple[int, int]) -> None:
    with_browser_login(bench.gate)
    app = bench.app()
    async with app.run_test(size=size, notifications=True) as pilot:
        await at_work(pilot)
        await pilot.press("l")
        await said(pilot, "paste that here")  # on a low screen it has scrolled to the field for that
        assert line_widths(app) == {size[0]}
        (address,) = bench.opened
        await come_back(address, lambda state: state[::-1])
        await settle(pilot)
        assert isinstance(app.screen, LoginScreen)
        await come_back(address)
        await said(pilot, "Hello from work")
        assert bench.login


async def test_without_a_browser_the_address_is_shown_and_the_last_one_pasted(bench: Bench) -> None:
    bench.has_browser = False
    with_browser_login(bench.gate)
    app = bench.app()
    async with app.run_test(size=(100, 30)) as pilot:
        await at_work(pilot)
        await pilot.press("l")
        await said(pilot, "Open this address in a browser")
        await pilot.press("ctrl+y")
        await said(pilot, "was copied")
        query = parse_qs(urlsplit(app.clipboard).query)
        assert app.clipboard.startswith("http://127.0.0.1:")
        app.screen.query_one("#pasted", Input).value = "http://127.0.0.1/callback?code=c&state=other"
        await pilot.press("enter")
        await said(pilot, "not the address at which this login ends")
        app.screen.query_one("#pasted", Input).value = f"code=c&state={query['state'][0]}"
        await pilot.press("enter")
        await said(pilot, "Hello from work")


async def test_giving_up_closes_the_port_and_keeps_nothing(bench: Bench) -> None:
    with_browser_login(bench.gate)
    app = bench.app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_work(pilot)
        await pilot.press("l")
        await said(pilot, "A browser was opened")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ConnectionsScreen))
        for _ in range(200):
            try:
                await come_back(bench.opened[0])
            except OSError:
                break
            await pilot.pause(0.01)
        else:
            raise AssertionError("somebody still listens")
        assert not bench.login


async def test_no_login_there_and_no_answer_are_told_and_asked_again(bench: Bench) -> None:
    bench.gate.instead["/api/auth/providers"] = Answered(503)
    app = bench.app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_work(pilot)
        await pilot.press("l")
        await said(pilot, "takes no login just now")
        bench.gate.instead["/api/auth/providers"] = Answered(404)
        await pilot.press("f5")
        await said(pilot, "has no login. It takes a token")
        del bench.gate.instead["/api/auth/providers"]
        await pilot.press("f5")
        await said(pilot, "Password")
        await pilot.press("escape", "up", "l")
        await said(pilot, "needs no login")


async def test_logging_out_forgets(bench: Bench) -> None:
    app = bench.app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_work(pilot)
        await pilot.press("o")
        await said(pilot, "Nobody was logged in")
        await pilot.press("l")
        await said(pilot, "Password")
        await pilot.press(*"ada", "enter", *PASSWORD, "enter")
        await said(pilot, "Hello from work")
        assert bench.login
        await pilot.press("f2", "o")
        await said(pilot, "Logged out at 127.0.0.1")
        assert not bench.login


@size
async def test_a_connection_is_added_changed_and_removed_and_comments_stay(
    bench: Bench, size: tuple[int, int]
) -> None:
    app = bench.app()
    async with app.run_test(size=size, notifications=True) as pilot:
        await at_work(pilot)
        await pilot.press("a")
        await said(pilot, "Add a connection")
        assert line_widths(app) == {size[0]}
        await pilot.press(*"lab", "enter", *"ftp", "colon", "slash", "slash", "x", "ctrl+s")
        await said(pilot, "must begin with ws://")
        field = app.screen.query_one("#url", Input)
        field.value = "ws://127.0.0.1:9/api/ws"
        app.screen.query_one("#username", Input).value = "ada"
        await pilot.press("ctrl+s")
        await said(pilot, "ws://127.0.0.1:9/api/ws")
        await said(pilot, "Saved. Enter goes there.")
        known = load_settings(bench.file).connections
        assert (known["lab"].url, known["lab"].username) == ("ws://127.0.0.1:9/api/ws", "ada")
        await pilot.press("e")
        await said(pilot, "Change a connection")
        app.screen.query_one("#name", Input).value = "work"
        await pilot.press("ctrl+s")
        await said(pilot, "already")
        app.screen.query_one("#name", Input).value = "desk"
        app.screen.query_one("#username", Input).value = ""
        await pilot.press("ctrl+s")
        await said(pilot, "desk")
        known = load_settings(bench.file).connections
        assert set(known) == {"work", "desk"}
        assert known["desk"].username == ""
        await pilot.press("x")
        await said(pilot, "Remove desk from the settings")
        await pilot.press("n")
        assert "desk" in load_settings(bench.file).connections
        await pilot.press("x")
        await said(pilot, "Remove desk from the settings")
        while isinstance(app.screen, ConfirmScreen):  # it guards against a key meant for something else
            await pilot.press("y")
            await pilot.pause(0.02)
        await said(pilot, "Removed.")
        assert set(load_settings(bench.file).connections) == {"work"}
        text = bench.file.read_text()
        assert text.startswith('# mine\ntheme = "light"  # bright\n')


@pytest.mark.parametrize("key", ["tab", "down", "enter"])
async def test_what_is_typed_at_once_behind_a_key_to_the_next_field_stands_there(
    bench: Bench, key: str
) -> None:
    app = bench.app()
    async with app.run_test(size=(80, 30)) as pilot:
        await at_work(pilot)
        await pilot.press("a")
        await said(pilot, "Add a connection")
        for each in [*"lab", key, *"wss"]:
            app.post_message(events.Key(each, each if len(each) == 1 else None))
        await settle(pilot)
        assert app.screen.query_one("#name", Input).value == "lab"
        assert app.screen.query_one("#url", Input).value == "wss"


async def test_what_is_saved_for_the_connection_in_use_counts_from_the_next_attempt(bench: Bench) -> None:
    app = bench.app()
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await at_work(pilot)
        await pilot.press("enter")
        await said(pilot, "Hello from work")
        await pilot.press("f2", "e")
        await said(pilot, "Change a connection")
        await pilot.press("ctrl+s")
        await said(pilot, "Saved. The link that stands stays; what is new counts from the next one on.")
        assert "reconnect_now" not in bench.work.asked
        bench.work.put(connection=ConnectionState(Phase.REFUSED, "The token is wrong."))
        await pilot.press("e")
        await said(pilot, "Change a connection")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "reconnect_now" in bench.work.asked)


async def test_what_is_in_no_settings_is_not_changed(bench: Bench) -> None:
    app = bench.app()
    before = bench.file.read_text()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_work(pilot)
        await pilot.press("up", "e")
        await said(pilot, "needs no settings")
        await pilot.press("x")
        await said(pilot, "Only connections of the settings")
        assert bench.file.read_text() == before


@size
async def test_every_key_of_the_list_is_also_a_thing_to_click_on(bench: Bench, size: tuple[int, int]) -> None:
    app = bench.app()
    async with app.run_test(size=size) as pilot:
        await at_work(pilot)
        lines = screen_text(app).split("\n")
        row = next(n for n, line in enumerate(lines) if "A add" in line)
        column = lines[row].index("A add")
        await pilot.click(offset=(column + 1, row))
        await said(pilot, "Add a connection")


GATEWAY = Gateway("work", "wss://x", named=True)


@pytest.mark.parametrize(
    ("connection", "words"),
    [
        (ConnectionState(Phase.CONNECTING, "Connecting to the gateway."), "Connecting"),
        (ConnectionState(Phase.ONLINE), "The link is up"),
        (ConnectionState(Phase.RECONNECTING, "The gateway closed the link.", 1), "R tries now"),
        (ConnectionState(Phase.OFFLINE, "No gateway listens there.", 9), "by itself; R tries now"),
        (ConnectionState(Phase.REFUSED, "Bad certificate.", 1), "Nothing is tried by itself; R tries again"),
        (ConnectionState(Phase.REFUSED, "Wants a login.", 1, wants_login=True), "R tries again"),
        (ConnectionState(Phase.CLOSED, "The client is closed."), "closed"),
    ],
)
def test_each_state_is_explained_with_what_to_do(connection: ConnectionState, words: str) -> None:
    told = explained(GATEWAY, ClientState(connection, waiting=2), standard())
    assert words in told
    assert "2 things you sent wait" in told
    assert not connection.detail or connection.detail in told


def test_what_a_gateway_says_is_cleaned() -> None:
    evil = "a\x1b[31m\x9b2J\nb" + "x" * 900
    told = explained(GATEWAY, ClientState(ConnectionState(Phase.REFUSED, evil)), standard())
    assert "\x1b" not in told
    assert "\x9b" not in told
    assert len(told) < 600
    assert base64.b64encode(b"x").decode() not in told


@size
async def test_a_refused_link_says_why_and_r_tries_again(bench: Bench, size: tuple[int, int]) -> None:
    app = bench.app()
    bench.work.put(connection=ConnectionState(Phase.REFUSED, "The certificate of work has expired.", 1))
    async with app.run_test(size=size) as pilot:
        await at_work(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: app.chat is bench.work)
        await pilot.press("f2")
        await said(pilot, "The certificate of work has")
        assert app.screen.query_one(OptionList).highlighted == 1
        await pilot.press("r")
        await until(pilot, lambda: "reconnect_now" in bench.work.asked)
