"""Several gateways in one program: the list, switching, what each says, and what to do when refused."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.belongings import Belongings
from tui_tapback.app.connections import HERE, Gateway, OnlyOne
from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.domain.errors import SettingsError
from tui_tapback.testing.app import chat_app, shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.composer import Composer


class Two(OnlyOne):
    """Our own gateway and one called work; a third one cannot be reached for want of a token."""

    known = (Gateway(HERE, ""), Gateway("work", "wss://chat.example/api/ws"), Gateway("broken", "ws://x"))

    def __init__(self) -> None:
        self.work = MemoryChat()
        self.work.arrive("Hello from work")

    def open(self, name: str) -> tuple[MemoryChat, Belongings]:
        if name == "broken":
            raise SettingsError("The variable X is not set.")
        return self.work, Belongings(name)


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=["40x12", "80x24", "160x50"])
async def test_another_gateway_comes_to_the_front_and_the_first_lives_on(size: tuple[int, int]) -> None:
    here, two = MemoryChat(), Two()
    here.arrive("Hello from here")
    async with chat_app(here, connections=two).run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press(*"half", "f2")
        await shows(pilot, "this machine")
        await shows(pilot, "not connected")
        assert line_widths(pilot.app) == {size[0]}
        await pilot.press("down", "enter")
        await shows(pilot, "Hello from work")
        assert "start" in two.work.asked
        await pilot.press(*"hi", "enter")
        await settle(pilot)
        assert two.work.sent == ["hi"]
        here.arrive("Meanwhile here")
        two.work.put(connection=ConnectionState(Phase.REFUSED, "The token is wrong."))
        await pilot.press("f2")
        await shows(pilot, "refused")
        await pilot.press("up", "enter")
        await shows(pilot, "Meanwhile here")
        assert pilot.app.screen.query_one(Composer).text == "half"
        assert "close" not in here.asked
    assert here.asked[-1] == two.work.asked[-1] == "close"


async def typed(pilot: Pilot[Any], line: str) -> None:
    pilot.app.screen.query_one(Composer).set_text(line)
    await pilot.press("enter")
    await settle(pilot)


async def test_what_cannot_be_opened_says_why_and_nothing_changes() -> None:
    here = MemoryChat()
    here.arrive("Hello from here")
    async with chat_app(here, connections=Two()).run_test(size=(80, 24), notifications=True) as pilot:
        await typed(pilot, "/connect broken")
        await shows(pilot, "The variable X is not set.")
        assert "Hello from here" in screen_text(pilot.app)


async def test_a_refusal_says_what_to_do_and_a_countdown_names_its_key() -> None:
    chat = MemoryChat()
    async with chat_app(chat).run_test(size=(100, 24), notifications=True) as pilot:
        chat.put(connection=ConnectionState(Phase.REFUSED, "The gateway refused the token."))
        await shows(pilot, "The gateway refused the token. F2 goes to another gateway, F5 tries again.")
        chat.put(connection=ConnectionState(Phase.RECONNECTING, "", 1, 1_760_000_060.0 + 9))
        await shows(pilot, "reconnecting in 9 s · F5 now")
        await pilot.press("f5")
        await until(pilot, lambda: "reconnect_now" in chat.asked)
