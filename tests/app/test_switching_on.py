"""Tapbacks that are off at the gateway: told with the first one, switched on for a yes, never asked twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.tapbacks.verbs import DEFAULTS
from tui_tapback.domain.errors import LinkDown
from tui_tapback.testing.app import shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.chip import Chip

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
ASKED = "The model hears of no tapbacks here"


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


async def answer(pilot: Pilot[Any], key: str) -> None:
    chip = pilot.app.screen.query_one(Chip)
    await until(pilot, lambda: chip.armed)
    await press(pilot, key)


@SIZES
async def test_the_first_tapback_asks_and_a_yes_switches_on(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    chat.put(reactions_offered=True)
    async with opened(chat, size) as pilot:
        assert ASKED not in screen_text(pilot.app)
        await press(pilot, "escape", "1")
        await shows(pilot, ASKED[:20])
        assert line_widths(pilot.app) == {size[0]}
        assert chat.reacted == [("m2", "❤️")] and not chat.reactions.enabled
        await answer(pilot, "enter")
        await until(pilot, lambda: chat.reactions.enabled)
        await shows(pilot, "Tapbacks are on")


async def test_a_no_is_not_asked_again(chat: MemoryChat, opened: Opened) -> None:
    chat.put(reactions_offered=True)
    async with opened(chat) as pilot:
        await press(pilot, "escape", "1")
        await shows(pilot, ASKED)
        await answer(pilot, "escape")
        await press(pilot, "2")
        assert ASKED not in screen_text(pilot.app)
        assert not chat.reactions.enabled


async def test_another_question_goes_first_and_a_failure_is_told(chat: MemoryChat, opened: Opened) -> None:
    chat.put(reactions_offered=True)
    chat.reactions.failure = LinkDown("The gateway is gone.")
    async with opened(chat, verbs=DEFAULTS) as pilot:
        await press(pilot, "escape", "6")
        await shows(pilot, "Ask to explain this?")
        await answer(pilot, "escape")
        await press(pilot, "1")
        await shows(pilot, ASKED)
        await answer(pilot, "enter")
        await shows(pilot, "The gateway is gone.")


async def test_where_tapbacks_are_on_nothing_is_asked(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "escape", "1")
        assert ASKED not in screen_text(pilot.app)
