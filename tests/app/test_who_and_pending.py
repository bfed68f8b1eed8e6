"""Who reacted, when, what the agent has seen, and the exact lines that it will see: live, each removable."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.client.abilities import HERMES
from tui_tapback.domain.errors import LinkDown
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import shows
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


@SIZES
async def test_the_panel_says_who_when_and_what_will_be_told(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    chat.react_as_agent("m2", "😂")
    async with opened(chat, size) as pilot:
        await press(pilot, "escape", "2", "w")
        await shows(pilot, "You liked this 👍 · 08:53")
        await shows(pilot, "Agent laughed at this 😂")
        await shows(pilot, "[x] [The user reacted 👍")
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "w")
        assert "What the agent will see" not in screen_text(pilot.app)


@SIZES
async def test_a_line_is_kept_back_and_told_after_all(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await press(pilot, "escape", "2", "w", "space")
        assert chat.reactions.withheld == {("m2", None)}
        await shows(pilot, "[ ] [The user")
        assert "kept back" in screen_text(pilot.app)
        await press(pilot, "enter")
        assert chat.reactions.withheld == set()
        await shows(pilot, "[x] [The user")


async def test_a_click_keeps_a_line_back(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "escape", "2", "w")
        await pilot.click("PendingPanel OptionList", offset=(4, 0))
        await quiet(pilot)
        assert chat.reactions.withheld == {("m2", None)}


async def test_the_lines_follow_while_one_reacts(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "escape", "w")
        await shows(pilot, "Nothing: the agent knows")
        await press(pilot, "3")
        await shows(pilot, "[x] [The user reacted 👎")
        await press(pilot, "1")
        await shows(pilot, "[x] [The user reacted ❤")
        await press(pilot, "1")
        await shows(pilot, "Nothing: the agent knows")
        chat.set_reaction("m1", "🎉")  # on another device
        await shows(pilot, "[x] [The user reacted 🎉 to their own message")
        chat.reactions.told()
        chat.put(pending_changes=1)
        await shows(pilot, "Nothing: the agent knows")


async def test_it_quotes_without_marks_and_shows_the_models_lines_as_they_are_sent(
    chat: MemoryChat, opened: Opened
) -> None:
    chat.arrive("**Hello** there")
    async with opened(chat) as pilot:
        await press(pilot, "escape", "2", "w")
        await shows(pilot, "“Hello there”")
        await shows(pilot, '[x] [The user reacted 👍 to your message: "**Hello** there"]')


async def test_what_was_told_is_said_to_be_seen(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        chat.set_reaction("m2", "👍")
        chat.reactions.told()
        await press(pilot, "escape", "w")
        await shows(pilot, "the agent has seen it")


async def test_hermes_says_that_it_cannot_keep_back(chat: MemoryChat, opened: Opened) -> None:
    chat.put(abilities=HERMES)
    async with opened(chat) as pilot:
        await press(pilot, "escape", "2", "w")
        await shows(pilot, "cannot keep a tapback from the model")
        await shows(pilot, "not told.")


async def test_without_a_link_it_says_so(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        chat.reactions.failure = LinkDown("There is no connection at the moment.")
        await press(pilot, "escape", "w")
        await shows(pilot, "There is no connection at the moment.")


async def test_it_closes_with_its_message(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "escape", "w")
        chat.put(messages=chat.state.messages[:1])
        await quiet(pilot)
        assert "What the agent will see" not in screen_text(pilot.app)
        assert chat.state.messages[0].reactions.by(Author.USER) is None
