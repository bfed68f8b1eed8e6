"""The status line says which keys count now: while a range or text is selected, while a query is typed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


async def status_after(pilot: Pilot[Any], *keys: str) -> str:
    for key in keys:
        await pilot.press(key)
    await settle(pilot)
    return screen_lines(pilot.app)[-1]


@SIZES
async def test_a_range_says_how_many_messages_it_holds(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        status = await status_after(pilot, "escape", "shift+up")
        assert "2 messages" in status
        assert "1-6 tap back" in status
        assert line_widths(pilot.app) == {size[0]}
        assert "2 messages" not in await status_after(pilot, "escape")


@SIZES
async def test_selecting_text_says_how_to_copy_and_to_leave(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        status = await status_after(pilot, "escape", "v")
        assert "y copy" in status
        assert "tap back" not in status
        assert "1-6 tap back" in await status_after(pilot, "escape")


@SIZES
async def test_typing_a_query_says_how_to_leave(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        status = await status_after(pilot, "escape", "slash", "t")
        assert "Esc back" in status
        assert "tap back" not in status
        assert "1-6 tap back" in await status_after(pilot, "enter")
