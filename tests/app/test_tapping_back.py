"""Tapping back in the whole app: digits, pill, picker, typed reactions, focus and target."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from tui_tapback.domain.messages import Role
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import shows
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.picker import EmojiPicker
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)], ids=lambda s: f"{s[0]}x{s[1]}")
HEART = "❤️"


def mine(chat: MemoryChat, key: str) -> str | None:
    reaction = next(m for m in chat.state.messages if m.key == key).reactions.by(Author.USER)
    return reaction.emoji if reaction else None


async def enter(pilot: Pilot[Any], text: str) -> None:
    composer = pilot.app.screen.query_one(Composer)
    composer.focus()
    await settle(pilot)
    composer.clear()
    composer.post_message(events.Paste(text))
    await settle(pilot)
    await pilot.press("enter")
    await settle(pilot)


@SIZES
async def test_a_digit_reacts_at_once_and_again_takes_it_back(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await pilot.press("escape", "1")
        await settle(pilot)
        assert mine(chat, "m2") == HEART
        assert "❤" in screen_text(pilot.app)
        assert line_widths(pilot.app) == {size[0]}
        await pilot.press("2")
        await settle(pilot)
        assert mine(chat, "m2") == "👍"
        await pilot.press("2")
        await settle(pilot)
        assert mine(chat, "m2") is None
        assert [emoji for _, emoji in chat.reacted] == [HEART, "👍", None]


@SIZES
async def test_the_badge_is_painted_though_the_network_stands_still(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        chat.gate.clear()
        await pilot.press("escape", "3")
        await settle(pilot)
        assert "👎" in screen_text(pilot.app)
        chat.gate.set()


async def test_the_agents_tapback_appears_live_on_an_own_message(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        chat.react_as_agent("m1", "🦄")
        await settle(pilot)
        assert "🦄" in screen_text(pilot.app)


@SIZES
async def test_the_pill_from_the_composer_reacts_and_gives_the_focus_back(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await pilot.press("x", "ctrl+t")
        await settle(pilot)
        transcript = pilot.app.screen.query_one(Transcript)
        assert transcript.pill_open
        assert "👎" in screen_text(pilot.app)
        chat.arrive("Another thing.")  # the target was fixed when the pill opened
        await settle(pilot)
        await pilot.press("right", "enter")
        await settle(pilot)
        assert chat.reacted == [("m2", "👍")]
        assert not transcript.pill_open
        composer = pilot.app.screen.query_one(Composer)
        assert composer.has_focus
        assert composer.text == "x"


async def test_esc_closes_the_pill_and_nothing_else(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        chat.stream("working on it")
        await settle(pilot)
        await pilot.press("ctrl+t", "escape")
        await settle(pilot)
        assert "interrupt" not in chat.asked
        assert chat.reacted == []
        assert pilot.app.screen.query_one(Composer).has_focus


@SIZES
async def test_the_picker_opens_from_the_pill_and_reacts_with_any_emoji(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await pilot.press("ctrl+t", "plus")
        await settle(pilot)
        picker = pilot.app.screen.query_one(EmojiPicker)
        assert picker.is_open
        assert line_widths(pilot.app) == {size[0]}
        await pilot.press(*"tada")
        await settle(pilot)
        assert "🎉" in screen_text(pilot.app)
        await pilot.press("enter")
        await settle(pilot)
        assert mine(chat, "m2") == "🎉"
        assert not picker.is_open
        assert not pilot.app.screen.query_one(Transcript).pill_open
        assert pilot.app.screen.query_one(Composer).has_focus


async def test_what_was_picked_is_recent_the_next_time(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await pilot.press("escape", "colon", *"unicorn", "enter")
        await settle(pilot)
        assert mine(chat, "m2") == "🦄"
        assert pilot.app.screen.query_one(Transcript).has_focus
        await pilot.press("1", "colon")
        await settle(pilot)
        assert "🦄" in screen_text(pilot.app)


async def test_picking_what_is_already_there_takes_it_back(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        for _ in range(2):
            await pilot.press("escape", "colon", *"unicorn", "enter")
            await settle(pilot)
            pilot.app.screen.query_one(Composer).focus()
            await settle(pilot)
        assert [emoji for _, emoji in chat.reacted] == ["🦄", None]


async def test_esc_leads_from_the_picker_to_the_pill_to_the_composer(
    chat: MemoryChat, opened: Opened
) -> None:
    async with opened(chat) as pilot:
        await pilot.press("ctrl+t", "plus", "escape")
        await settle(pilot)
        assert not pilot.app.screen.query_one(EmojiPicker).is_open
        assert pilot.app.screen.query_one(Transcript).pill_open
        await pilot.press("escape")
        await settle(pilot)
        assert not pilot.app.screen.query_one(Transcript).pill_open
        assert pilot.app.screen.query_one(Composer).has_focus


async def test_typed_tapbacks(chat: MemoryChat, opened: Opened) -> None:
    chat.arrive("And a taxi.")  # m3, the agent's last
    async with opened(chat) as pilot:
        await enter(pilot, "+:tada: ")
        assert mine(chat, "m3") == "🎉"
        await enter(pilot, "2+:wave: ")
        assert mine(chat, "m2") == "👋"
        await enter(pilot, "-")
        assert mine(chat, "m3") is None
        await enter(pilot, "/react heart")
        assert mine(chat, "m3") == HEART
        await enter(pilot, "/unreact ")
        assert mine(chat, "m3") is None
        assert chat.sent == []


async def test_a_name_that_is_no_emoji_is_refused_and_stays_typed(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await enter(pilot, "/react qwxzv")
        assert chat.reacted == []
        assert "qwxzv" in pilot.app.screen.query_one(Composer).text
        await shows(pilot, "neither one emoji nor the name")


async def test_there_must_be_a_message_to_react_to(opened: Opened) -> None:
    chat = MemoryChat()
    async with opened(chat) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        await shows(pilot, "nothing to react to")
        chat.arrive("hi", Role.USER)
        await enter(pilot, "3+:tada: ")
        assert chat.reacted == []


async def test_a_reaction_that_the_chat_does_not_know_is_told(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        transcript = pilot.app.screen.query_one(Transcript)
        transcript.post_message(Transcript.ReactionRequested("gone", "👍"))
        await settle(pilot)
        await shows(pilot, "not in this chat any more")


async def test_own_quick_reactions(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, quick_reactions=("🦄", "🎉", "👀", "🙏", "💯", "🔥")) as pilot:
        await pilot.press("escape", "6")
        await settle(pilot)
        assert mine(chat, "m2") == "🔥"
