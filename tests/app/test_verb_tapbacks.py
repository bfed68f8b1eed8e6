"""What a tapback offers to do: asked once, done on a yes only, and never by a key that came too soon."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.tapbacks.verbs import DEFAULTS
from tui_tapback.client.abilities import TAPBACK, Ability
from tui_tapback.client.tapback_memory import TapbackMemory
from tui_tapback.testing.app import shows, told, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.chip import Chip
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


async def yes(pilot: Pilot[Any]) -> None:
    chip = pilot.app.screen.query_one(Chip)
    await until(pilot, lambda: chip.armed)
    await press(pilot, "enter")


@SIZES
async def test_a_question_mark_asks_once_and_a_yes_sends_the_words(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size, verbs=DEFAULTS) as pilot:
        await press(pilot, "escape", "6")
        await shows(pilot, "Ask to explain this?")
        assert line_widths(pilot.app) == {size[0]}
        assert chat.sent == []
        await yes(pilot)
        assert chat.sent == ["Please explain this: “I booked a table for you.”"]
        assert "Ask to explain" not in screen_text(pilot.app)


async def test_esc_declines_and_the_same_tapback_does_not_ask_again(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, verbs=DEFAULTS) as pilot:
        await press(pilot, "escape", "6", "escape")
        assert "Ask to explain" not in screen_text(pilot.app)
        await press(pilot, "6", "6")
        assert "Ask to explain" not in screen_text(pilot.app)
        assert chat.sent == []


async def test_an_enter_that_came_too_soon_answers_nothing(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, verbs=DEFAULTS) as pilot:
        await pilot.press("escape", "6", "enter")
        await quiet(pilot)
        assert chat.sent == []


async def test_the_chip_shows_its_keys_as_soon_as_they_count(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, verbs=DEFAULTS) as pilot:
        await press(pilot, "escape", "6")
        chip = pilot.app.screen.query_one(Chip)
        await until(
            pilot, lambda: ("Enter yes  Esc no" in screen_text(pilot.app)) == chip.armed and chip.armed
        )
        chip.ask("another", "Another question?")
        await quiet(pilot)
        assert ("Enter yes" in screen_text(pilot.app)) == chip.armed


async def test_taking_the_tapback_back_takes_the_offer_back(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, verbs=DEFAULTS) as pilot:
        await press(pilot, "escape", "6", "6")
        assert "Ask to explain" not in screen_text(pilot.app)
        assert not pilot.app.screen.query_one(Chip).asked


async def test_a_thumb_down_on_the_last_answer_asks_again_for_it(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, verbs=DEFAULTS) as pilot:
        await press(pilot, "escape", "3")
        await yes(pilot)
        assert chat.sent == ["Where shall we eat?"]
        assert [m.text for m in chat.state.messages] == ["Where shall we eat?"]


@pytest.mark.parametrize("why", ["older", "unable"])
async def test_where_that_cannot_be_the_words_are_sent(chat: MemoryChat, opened: Opened, why: str) -> None:
    if why == "older":
        chat.arrive("And a taxi.")
    else:
        chat.put(abilities=TAPBACK - {Ability.EDIT})
    async with opened(chat, verbs=DEFAULTS) as pilot:
        await press(pilot, "escape", *(["k"] if why == "older" else []), "3")
        await yes(pilot)
        assert chat.sent == ["Please try this answer again, in another way: “I booked a table for you.”"]


async def test_without_the_setting_a_tapback_is_only_a_tapback(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "escape", "3", "6")
        assert not pilot.app.screen.query_one(Chip).asked


@SIZES
async def test_a_pin_is_kept_and_jumped_to_from_another_session(
    chat: MemoryChat, opened: Opened, tmp_path: Path, size: tuple[int, int]
) -> None:
    file = tmp_path / "tapbacks.json"
    first = chat.state.messages
    async with opened(chat, size, verbs=DEFAULTS, memory=TapbackMemory(file)) as pilot:
        await press(pilot, "escape", "colon", *"pushpin", "enter")
        await shows(pilot, "Pin this message?")
        await yes(pilot)
        await told(pilot, "Pinned.")
    assert [(p.session_id, p.row_id) for p in TapbackMemory(file).now.pins] == [("s1", 2)]
    chat.put(session_id="s2", messages=())
    async with opened(chat, size, memory=TapbackMemory(file)) as pilot:
        await press(pilot, *"/pins", "enter")
        await shows(pilot, "I booked a table for you.")
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "enter")
        assert "open_session s1" in chat.asked
        chat.put(messages=first)  # it has been read
        await quiet(pilot)
        assert pilot.app.screen.query_one(Transcript).selected == "m2"
        await pilot.app.screen.run_action("pins")
        await quiet(pilot)
        await press(pilot, "d")
        await shows(pilot, "Nothing is pinned yet.")
    assert TapbackMemory(file).now.pins == ()
