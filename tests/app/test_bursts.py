"""The big animation and the hearts: a moment over the transcript, never in the way, and still where asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from tui_tapback.app.screens.chat import ChatScreen
from tui_tapback.app.tapbacks import bursts
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


def mine(chat: MemoryChat) -> str | None:
    found = chat.state.messages[-1].reactions.by(Author.USER)
    return found.emoji if found else None


@SIZES
async def test_shift_and_a_digit_react_with_a_burst_that_blocks_no_key(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size, motion=True) as pilot:
        transcript = pilot.app.screen.query_one(Transcript)
        await pilot.press("escape", "at")
        assert mine(chat) == "👍"
        await until(pilot, lambda: bool(transcript.sprites))
        assert line_widths(pilot.app) == {size[0]}
        await pilot.press("1")
        assert mine(chat) == "❤️", "keys act meanwhile"
        await until(pilot, lambda: not transcript.sprites)


async def test_the_same_again_takes_nothing_back(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, motion=True) as pilot:
        await pilot.press("escape", "at", "at")
        assert mine(chat) == "👍"


async def test_where_motion_is_reduced_there_is_only_the_badge(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await pilot.press("escape", "at")
        await quiet(pilot)
        assert mine(chat) == "👍"
        assert pilot.app.screen.query_one(Transcript).sprites == ()
        chat.put(affections=1)
        await quiet(pilot)
        assert pilot.app.screen.query_one(Transcript).sprites == ()


async def test_a_slow_link_stops_it(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, motion=True) as pilot:
        transcript = pilot.app.screen.query_one(Transcript)
        await pilot.press("escape", "at")
        screen = pilot.app.screen
        assert isinstance(screen, ChatScreen)
        screen.let_move(False)
        await until(pilot, lambda: not transcript.sprites)


@SIZES
async def test_hearts_rise_once_when_the_agent_is_thanked(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size, motion=True) as pilot:
        transcript = pilot.app.screen.query_one(Transcript)
        await quiet(pilot)
        assert transcript.sprites == ()
        chat.put(affections=1)
        await until(pilot, lambda: bool(transcript.sprites))
        assert line_widths(pilot.app) == {size[0]}
        await until(pilot, lambda: not transcript.sprites)
        chat.put(title="another")
        await quiet(pilot)
        assert transcript.sprites == ()


async def test_a_session_that_was_warm_before_shows_no_hearts(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, motion=True) as pilot:
        chat.put(session_id="s2", affections=7)
        await quiet(pilot)
        assert pilot.app.screen.query_one(Transcript).sprites == ()


@given(
    st.integers(0, bursts.FRAMES - 1),
    st.tuples(st.integers(12, 200), st.integers(1, 80)),
    st.integers(-5, 205),
    st.integers(-5, 85),
)
def test_what_flies_stays_inside_and_apart(frame: int, size: tuple[int, int], x: int, y: int) -> None:
    for sprites in (bursts.big("🎉", frame, x, y, size), bursts.hearts("❤️", frame, size)):
        for sprite in sprites:
            assert 0 <= sprite.x <= size[0] - 2
            assert 0 <= sprite.y < size[1]
        rows = sorted((sprite.y, sprite.x) for sprite in sprites)
        assert all(a[0] != b[0] or b[1] - a[1] >= 2 for a, b in pairwise(rows))
