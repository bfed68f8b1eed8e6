"""The open picker follows the message that it was opened for, and goes when that goes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from textual.pilot import Pilot

from tui_tapback.testing.app import shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.picker import EmojiPicker

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]


async def picker(pilot: Pilot[Any]) -> EmojiPicker:
    await pilot.press("escape", "colon")
    await settle(pilot)
    found = pilot.app.screen.query_one(EmojiPicker)
    assert found.is_open
    return found


async def test_when_the_message_goes_the_picker_goes_and_the_keys_live(
    chat: MemoryChat, opened: Opened
) -> None:
    # case B129
    async with opened(chat) as pilot:
        found = await picker(pilot)
        await pilot.press(*"cat")
        chat.put(messages=chat.state.messages[:1])
        await until(pilot, lambda: not found.is_open)
        focused = pilot.app.screen.focused
        assert focused is not None
        assert focused.is_attached
        assert focused is not found
        await pilot.press("enter", "escape")
        pilot.app.screen.query_one(Composer).focus()
        await settle(pilot)
        await pilot.press("x")
        await settle(pilot)
        assert pilot.app.screen.query_one(Composer).text == "x"
        assert chat.reacted == []
        assert chat.sent == []


async def test_reactions_that_come_meanwhile_are_marked_and_move_no_cell(
    chat: MemoryChat, opened: Opened
) -> None:
    # case B130
    async with opened(chat) as pilot:
        found = await picker(pilot)
        cells = found.state.grid.layout.emoji
        shown = found.state.shown
        assert shown is not None
        chat.react_as_agent("m2", shown)
        await shows(pilot, "on it now")
        assert found.state.grid.layout.emoji == cells
        assert found.state.shown == shown
        chat.set_reaction("m2", shown)
        await shows(pilot, "yours now")
        await pilot.press("enter")
        await settle(pilot)
        assert chat.reacted[-1] == ("m2", None)
