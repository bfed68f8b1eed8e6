"""The status line by mouse: its keys do what they say, its words lead to what is new."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.screens.help import HelpScreen
from tui_tapback.app.screens.menu import MessageMenu
from tui_tapback.domain.messages import Message, Role
from tui_tapback.testing.app import shows
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import screen_lines
from tui_tapback.widgets.statusbar import StatusBar
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
AT = 1_760_000_000.0


async def click(pilot: Pilot[Any], word: str) -> None:
    at = screen_lines(pilot.app)[-1].index(word)
    await pilot.click(StatusBar, offset=(at, 0))
    await quiet(pilot)


async def test_the_whole_way_to_every_action_by_mouse_alone(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await click(pilot, "messages")
        assert pilot.app.screen.query_one(Transcript).has_focus
        await click(pilot, "actions")
        assert isinstance(pilot.app.screen, MessageMenu)
        await pilot.press("escape")
        await click(pilot, "help")
        assert isinstance(pilot.app.screen, HelpScreen)
        await pilot.press("escape")
        await click(pilot, "write")
        await click(pilot, "tap back")
        assert pilot.app.screen.query_one(Transcript).pill_open


@pytest.mark.parametrize("word", ["online", "new tapback"])
async def test_the_words_lead_to_the_unread_tapback(opened: Opened, word: str) -> None:
    rows = [
        Message(key=f"m{n}", role=Role.USER, text=f"Line {n}.", at=AT + n, row_id=n) for n in range(1, 30)
    ]
    chat = MemoryChat(rows)
    async with opened(chat) as pilot:
        chat.react_as_agent("m1", "🦄")
        await shows(pilot, "1 new tapback")
        await click(pilot, word)
        assert pilot.app.screen.query_one(Transcript).selected == "m1"


async def test_a_click_between_the_words_does_nothing(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, (160, 24)) as pilot:
        await pilot.click(StatusBar, offset=(70, 0))
        await quiet(pilot)
        assert not chat.reacted
