"""Repeat, echo, ranges, undo and redo of tapbacks in the whole app."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.client.abilities import HERMES
from tui_tapback.client.intents import ANYTHING, Expected
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import told
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


def mine(chat: MemoryChat, part: str | None = None) -> list[str | None]:
    found = (m.reactions.by(Author.USER, part) for m in chat.state.messages)
    return [reaction.emoji if reaction else None for reaction in found]


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await settle(pilot)


@SIZES
async def test_a_full_stop_repeats_the_last_tapback(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await press(pilot, "escape", "full_stop")
        await told(pilot, "no tapback to repeat")
        await press(pilot, "2", "k", "full_stop")
        assert mine(chat) == ["👍", "👍"]
        await press(pilot, "full_stop")
        assert mine(chat) == ["👍", "👍"], "repeating is no toggle"
        assert line_widths(pilot.app) == {size[0]}


@SIZES
async def test_an_equals_sign_echoes_the_agent(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        chat.react_as_agent("m1", "🦄")
        await press(pilot, "escape", "equals_sign")
        await told(pilot, "nothing to echo")
        await press(pilot, "k", "equals_sign")
        assert mine(chat) == ["🦄", None]


@SIZES
async def test_a_range_is_one_step_of_undo_and_of_redo(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    chat.arrive("And a taxi.")
    async with opened(chat, size) as pilot:
        await press(pilot, "escape", "1", "shift+up", "shift+up", "2")
        assert mine(chat) == ["👍", "👍", "👍"]
        await press(pilot, "u")
        assert mine(chat) == [None, None, "❤️"], "one digit on a range is one step"
        await told(pilot, "3 tapbacks. U does it again.")
        await press(pilot, "U")
        assert mine(chat) == ["👍", "👍", "👍"]
        await press(pilot, "minus")
        assert mine(chat) == [None, None, None]
        await press(pilot, "u")
        assert mine(chat) == ["👍", "👍", "👍"], "and so is taking them back"
        await press(pilot, "u", "u")
        assert mine(chat) == [None, None, None]
        await press(pilot, "u")
        await told(pilot, "no tapback to take back")


@SIZES
async def test_what_was_taken_back_is_told_in_a_line_that_undoes_itself(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await press(pilot, "escape", "2", "u")
        await told(pilot, "Taken back: 👍 from “I booked a table")
        await press(pilot, "U")
        assert mine(chat) == [None, "👍"]
        await told(pilot, "Put back: 👍")


async def test_a_newer_choice_of_another_device_stays_and_is_told(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "escape", "2")
        chat.set_reaction("m2", "🎉")  # on another device
        await press(pilot, "u")
        assert mine(chat) == [None, "🎉"]
        await told(pilot, "was changed meanwhile; the newer choice stays")


class NotingChat(MemoryChat):
    """Notes what each wish expects to find."""

    def __init__(self, *positional: Any, **fields: Any) -> None:
        super().__init__(*positional, **fields)
        self.expected: list[object] = []

    def set_reaction(
        self,
        key: str,
        emoji: str | None,
        part: str | None = None,
        quote: str = "",
        *,
        expected: Expected = ANYTHING,
    ) -> None:
        """Note it."""
        self.expected.append(expected)
        super().set_reaction(key, emoji, part, quote, expected=expected)


async def test_undo_and_redo_name_what_they_expect_and_a_digit_does_not(
    chat: MemoryChat, opened: Opened
) -> None:
    # What another device chose a moment ago may not be known here yet: the gateway has to compare.
    noting = NotingChat(chat.state.messages)
    async with opened(noting) as pilot:
        await press(pilot, "escape", "2", "u", "U")
        assert noting.expected == [ANYTHING, "👍", None]


async def test_each_session_has_steps_of_its_own(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "escape", "2")
        first = chat.state.messages
        chat.put(session_id="s2", messages=())
        await settle(pilot)
        chat.arrive("Elsewhere.")
        await press(pilot, "u")
        await told(pilot, "no tapback to take back")
        chat.put(session_id="s1", messages=first)
        await settle(pilot)
        await press(pilot, "u")
        assert mine(chat) == [None, None]


async def test_a_part_is_reacted_to_with_its_words_and_undone(chat: MemoryChat, opened: Opened) -> None:
    key = chat.arrive("First paragraph.\n\nSecond paragraph.")
    async with opened(chat) as pilot:
        await press(pilot, "escape", "tab", "tab", "3")
        (reaction,) = chat.state.messages[-1].reactions
        assert (reaction.emoji, reaction.quote) == ("👎", "Second paragraph.")
        assert reaction.part is not None
        await press(pilot, "u")
        assert not chat.state.messages[-1].reactions
        await press(pilot, "U", "escape", "1")
        assert [(r.emoji, r.part is None) for r in chat.state.messages[-1].reactions] == [
            ("👎", False),
            ("❤️", True),
        ]
        assert chat.state.messages[-1].key == key


async def test_a_part_is_reacted_to_from_the_picker(chat: MemoryChat, opened: Opened) -> None:
    chat.arrive("First paragraph.\n\nSecond paragraph.")
    async with opened(chat) as pilot:
        await press(pilot, "escape", "tab", "colon", *"unicorn", "enter")
        (reaction,) = chat.state.messages[-1].reactions
        assert (reaction.emoji, reaction.quote) == ("🦄", "First paragraph.")


async def test_a_gateway_without_parts_says_so_and_nothing_is_painted(
    chat: MemoryChat, opened: Opened
) -> None:
    chat.arrive("First paragraph.\n\nSecond paragraph.")
    chat.put(abilities=HERMES)
    async with opened(chat) as pilot:
        await press(pilot, "escape", "tab", "3")
        await told(pilot, "knows only tapbacks on whole messages")
        assert chat.reacted == []


async def test_while_an_answer_grows_it_can_be_reacted_to_and_undone(
    chat: MemoryChat, opened: Opened
) -> None:
    async with opened(chat) as pilot:
        chat.stream("I am still ")
        await press(pilot, "alt+up", "G", "2")
        chat.stream("writing.")
        await press(pilot, "u")
        assert chat.state.messages[-1].text == "I am still writing."
        assert mine(chat)[-1] is None
