"""Search through all sessions: typed, shown with the finds marked, and gone to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from tui_tapback.app.finding.lines import hit_line
from tui_tapback.app.screens.find import FindScreen
from tui_tapback.client.abilities import HERMES
from tui_tapback.client.library import Hit
from tui_tapback.domain.errors import LinkDown
from tui_tapback.domain.messages import Message, Role
from tui_tapback.testing.app import told, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
AT = 1_760_000_000.0


@pytest.fixture
def chat() -> MemoryChat:
    rows = tuple(
        Message(
            key=f"m{n}", role=Role.USER if n % 2 else Role.ASSISTANT, text=f"walrus {n}", at=AT + n, row_id=n
        )
        for n in range(1, 121)
    )
    chat = MemoryChat(rows)
    chat.sessions.rows = rows
    return chat


def words_on(pilot: Pilot[Any]) -> str:
    """What the screen says, without frames, wherever its lines break."""
    return " ".join(screen_text(pilot.app).replace("│", " ").split())


async def shows(pilot: Pilot[Any], words: str) -> None:
    await until(pilot, lambda: words in words_on(pilot), seconds=5)


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


def found(pilot: Pilot[Any]) -> int:
    return pilot.app.screen.query_one(OptionList).option_count


@SIZES
async def test_what_is_typed_is_found_and_gone_to(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await press(pilot, "ctrl+f")
        await shows(pilot, "All words must occur")
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, *"in:here walrus 7")
        await until(pilot, lambda: found(pilot) == 21)
        assert "walrus 117" in screen_text(pilot.app)
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "down", "enter")
        transcript = pilot.app.screen.query_one(Transcript)
        await until(pilot, lambda: transcript.selected == "m107")


async def test_more_is_read_when_the_end_of_the_list_is_reached(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "ctrl+f", *"walrus")
        await until(pilot, lambda: found(pilot) == 50)
        assert "50+ messages" in screen_text(pilot.app)
        await press(pilot, *["pagedown"] * 10)
        await until(pilot, lambda: found(pilot) == 100)
        await press(pilot, "down")
        await shows(pilot, "walrus 70")


async def test_a_hit_in_another_session_opens_it(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "ctrl+f", *"walrus 12", "enter")
        await until(pilot, lambda: found(pilot) > 0)
        await press(pilot, "enter")
        await until(pilot, lambda: any(asked.startswith("open_session") for asked in chat.asked))


async def test_enter_goes_nowhere_while_the_hits_are_of_other_words(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "ctrl+f", *"walrus 7")
        await until(pilot, lambda: found(pilot) == 21)
        chat.gate.clear()
        await press(pilot, "0", "enter")
        assert isinstance(pilot.app.screen, FindScreen)
        chat.gate.set()
        await until(pilot, lambda: found(pilot) == 1)


async def test_it_can_be_typed_with_its_words(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, *"/find walrus 77", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, FindScreen))
        await until(pilot, lambda: found(pilot) == 1)
        await press(pilot, "escape")
        assert pilot.app.screen.query_one(Input).value == ""
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, FindScreen)


async def test_nothing_found_no_link_and_a_gateway_that_cannot(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "ctrl+f", *"zebra")
        await shows(pilot, "No message says that.")
        chat.failures["search"] = LinkDown("There is no connection.")
        await press(pilot, "s")
        await shows(pilot, "There is no connection.")
        await press(pilot, "escape", "escape")
        chat.put(abilities=HERMES)
        await press(pilot, "ctrl+f")
        await told(pilot, "This gateway cannot search in messages.")
        assert not isinstance(pilot.app.screen, FindScreen)


def test_the_finds_are_marked_and_foreign_text_is_harmless() -> None:
    hit = Hit("s1", "T \x1b[2J", 1, "user", "a [b]walrus[/b] \x1b[2J", ((5, 11), (0, 99)), AT)
    line = hit_line(hit, AT + 60, here=False)
    assert "\x1b" not in line.plain
    assert "a [b]walrus[/b]" in line.plain
    (marked,) = [span for span in line.spans if "underline" in str(span.style)]
    assert line.plain[marked.start : marked.end] == "walrus"
    between = Hit("s1", "", 1, "user", "hello walrus there", ((6, 12),), AT)
    assert "hello walrus there" in hit_line(between, AT, here=True).plain
