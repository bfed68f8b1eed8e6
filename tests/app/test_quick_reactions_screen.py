"""Choosing the quick reactions: for all sessions or for one, with a preview, kept; the seventh is learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.habits import Habits
from tui_tapback.app.screens.quick import exchanged, moved
from tui_tapback.client.tapback_memory import GLOBAL, TapbackMemory
from tui_tapback.domain.reactions import Author
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.emoji.recents import Recents
from tui_tapback.testing.app import shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


def mine(chat: MemoryChat) -> str | None:
    found = chat.state.messages[-1].reactions.by(Author.USER)
    return found.emoji if found else None


@SIZES
async def test_another_emoji_in_a_slot_for_all_sessions(
    chat: MemoryChat, opened: Opened, tmp_path: Path, size: tuple[int, int]
) -> None:
    file = tmp_path / "tapbacks.json"
    async with opened(chat, size, memory=TapbackMemory(file)) as pilot:
        await press(pilot, *"/reactions", "enter")
        await shows(pilot, "All sessions")
        await press(pilot, "down", "enter", *"tada")
        await shows(pilot, "tada")  # what is typed is seen
        await shows(pilot, "Enter takes it · Esc gives up")
        await press(pilot, "enter")
        await shows(pilot, "Enter changes")
        await shows(pilot, "2 🎉")
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "enter", *"qwxzv", "enter")
        await shows(pilot, "neither")
        await press(pilot, "escape", "escape", "2")
        assert mine(chat) == "🎉"
    assert TapbackMemory(file).now.quick[GLOBAL][1] == "🎉"
    chat.put(session_id="s2")
    async with opened(chat, size, memory=TapbackMemory(file)) as pilot:
        await press(pilot, *"/reactions", "enter", "d")
        await shows(pilot, "2 👍")
    assert TapbackMemory(file).now.quick == {}


async def test_for_one_session_only(chat: MemoryChat, opened: Opened) -> None:
    memory = TapbackMemory()
    async with opened(chat, memory=memory) as pilot:
        await press(pilot, *"/reactions", "enter", "s")
        await shows(pilot, "This session only")
        await press(pilot, "enter", *"unicorn", "enter", "J", "escape")
        assert memory.now.quick["s1"][:2] == ("👍", "🦄")
        transcript = pilot.app.screen.query_one(Transcript)
        assert transcript.quick[1] == "🦄"
        chat.put(session_id="s2")
        await quiet(pilot)
        assert transcript.quick == QUICK_REACTIONS
        chat.put(session_id="s1")
        await quiet(pilot)
        assert transcript.quick[1] == "🦄"


async def test_the_seventh_fits_the_message_and_is_none_of_the_six(chat: MemoryChat, opened: Opened) -> None:
    chat.arrive("happy birthday!")
    async with opened(chat) as pilot:
        transcript = pilot.app.screen.query_one(Transcript)
        await press(pilot, "escape", "r")
        assert transcript.pill is not None and "🎂" in transcript.pill.slots
        await press(pilot, "7")
        assert mine(chat) == "🎂"
        await press(pilot, "i", *"/reactions", "enter", "enter", *"birthday", "enter")
        await press(pilot, "escape", "escape", "r")
        assert transcript.pill is not None
        assert transcript.pill.slots.count("🎂") == 1


class NotingHabits(Habits):
    """Notes which messages were thought of before the pill asks."""

    def __init__(self) -> None:
        super().__init__(Recents(lambda: 0.0))
        self.understood: list[str] = []

    def understand(self, texts: Sequence[str], locale: str = "en") -> None:
        super().understand(texts, locale)
        self.understood.extend(texts)


async def test_what_the_pill_may_open_on_is_understood_before(chat: MemoryChat, opened: Opened) -> None:
    habits = NotingHabits()
    async with opened(chat, habits=habits) as pilot:
        chat.arrive("happy birthday!")
        await until(pilot, lambda: "happy birthday!" in habits.understood)
        await press(pilot, "escape", "g")
        first = chat.state.messages[0]
        assert pilot.app.screen.query_one(Transcript).selected == first.key
        await until(pilot, lambda: first.text in habits.understood)


def test_slots_are_exchanged_and_moved() -> None:
    assert exchanged(("a", "b", "c"), 0, "c") == ("c", "b", "a")
    assert exchanged(("a", "b", "c"), 1, "d") == ("a", "d", "c")
    assert moved(("a", "b", "c"), 2, 1) == (("a", "b", "c"), 2)
    assert moved(("a", "b", "c"), 1, -1) == (("b", "a", "c"), 0)
