"""Faults of width and input that other chats were reported for, tried on ours."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.messages import Role
from tui_tapback.terminal.profile import ASCII_ONLY, SAFE
from tui_tapback.testing.app import until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.widgets.composer import Composer

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]


def composer(pilot: Pilot[Any]) -> Composer:
    return pilot.app.screen.query_one(Composer)


# case B148
@pytest.mark.parametrize(
    "text", ["\u200d一", "a\u200d\x07b", "👩\u200d", "\u200d", "‼\u200d👍", "x\ufe0f\ufe0fy"]
)
async def test_a_joiner_that_joins_nothing_swallows_nothing(opened: Opened, text: str) -> None:
    seen = [char for char in text if char.isalpha() or char in "👩👍"]
    chat = MemoryChat(title=f"<{text}>")
    chat.arrive(f"<{text}>", Role.USER)
    async with opened(chat, profile=SAFE) as pilot:
        composer(pilot).post_message(events.Paste(f"<{text}>"))
        await settle(pilot)
        shown = screen_text(pilot.app)
        for char in seen:
            assert shown.count(char) >= 3, (char, shown)
        assert "\u200d" not in shown and "\x07" not in shown
        assert line_widths(pilot.app) == {80}


# case B150
async def test_moving_in_a_list_of_emoji_titles_leaves_its_border_straight(opened: Opened) -> None:
    titles = ["🚀 a", "b", "⚠️ 危険", "👩‍💻 c", "❤️"]
    sessions = [SessionSummary(f"s{n}", title, title, float(n), n) for n, title in enumerate(titles)]
    async with opened(MemoryChat(sessions=sessions), profile=SAFE) as pilot:
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "🚀 a" in screen_text(pilot.app))
        before = screen_lines(pilot.app)
        for key in [*["down"] * 10, *["up"] * 10]:
            await pilot.press(key)
        await settle(pilot)
        after = screen_lines(pilot.app)
        assert [line.rstrip() for line in after] == [line.rstrip() for line in before]
        assert line_widths(pilot.app) == {80}


# case B154
async def test_half_of_a_pair_of_surrogates_is_no_crash(opened: Opened) -> None:
    chat = MemoryChat()
    async with opened(chat) as pilot:
        for half in ("\ud83d", "\ude00"):
            pilot.app.post_message(events.Key(half, half))
        composer(pilot).post_message(events.Paste("\ud83d\ude00 \ud83d"))
        await settle(pilot)
        await pilot.press("o", "k", "enter")
        await settle(pilot)
        (sent,) = chat.sent
        assert sent.endswith("ok") and sent.encode("utf-8")


# case B155
@pytest.mark.parametrize("profile", [SAFE, ASCII_ONLY], ids=["safe", "ascii"])
async def test_what_is_beyond_the_basic_plane_is_taken_and_sent(opened: Opened, profile: Any) -> None:
    chat = MemoryChat()
    async with opened(chat, profile=profile) as pilot:
        for char in "😀𝔘":
            pilot.app.post_message(events.Key(char, char))
        await settle(pilot)
        composer(pilot).post_message(events.Paste("𩸽"))
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert chat.sent == ["😀𝔘𩸽"]
        assert line_widths(pilot.app) == {80}
