"""Text from outside, everywhere it can come to the screen: shown, never obeyed, never parsed as markup."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app import notes
from tui_tapback.client.state import ConnectionState, Phase, SessionSummary
from tui_tapback.domain.messages import Role, Status, ToolActivity
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.domain.text import clean_text
from tui_tapback.testing.app import until
from tui_tapback.testing.chat import MemoryChat, state_of
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_text

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]

MARKUP = [
    "[/",
    "[/path]",
    "[bold",
    "[0]",
    "[red]x[/red]",
    "[[self view] do:[self other]]",
    "[@click=app.quit]x[/]",
]
DRIVING = [
    "\x1b]52;c;QQ==\x07",
    "\x1b]0;pwned\x07",
    "\x1b[2J",
    "\x1b[6n",
    "\x1bPq\x1b\\",
    "\x9b2J",
    "\x9d52;c;QQ==\x9c",
    "\x1b]unterminated",
    "\x1bc",
    "a\rb",
    "bob\u202eexe.txt",
    "\x1b]7;file://h/x\x1b\\",
]


def forbidden(text: str) -> list[str]:
    return [hex(ord(c)) for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c == "\u202e")]


def letters(text: str) -> str:
    """What stands on a screen without the blanks and lines at which it may break."""
    return re.sub(r"[\s│▐▌]+", "", text)


@pytest.mark.parametrize("evil", MARKUP)
@pytest.mark.parametrize("size", [(40, 12), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_markup_is_shown_literally(opened: Opened, evil: str, size: tuple[int, int]) -> None:
    chat = MemoryChat(title=evil, model=evil, sessions=[SessionSummary("s1", evil, evil, 0.0, 1)])
    chat.arrive(evil, Role.USER)
    chat.arrive(f"`{evil}`")
    async with opened(chat, size) as pilot:
        assert letters(evil) in letters(screen_text(pilot.app))
        chat.tell(f"told {evil}", "error")
        # In a small window a notice breaks its lines over what stands there; its first word must be seen.
        words = f"told {evil}" if size[0] >= 80 else f"told {evil[:9]}"
        await until(pilot, lambda: letters(words) in letters(screen_text(pilot.app)))
        pilot.app.clear_notifications()
        chat.put(connection=ConnectionState(Phase.REFUSED, evil))
        refused = letters(f"{evil} F2 goes to another gateway")
        await until(pilot, lambda: refused in letters(screen_text(pilot.app)))
        await pilot.press("ctrl+o")
        await until(pilot, lambda: letters(f"● {evil}") in letters(screen_text(pilot.app)))
        assert line_widths(pilot.app) == {size[0]}


@pytest.mark.parametrize("evil", DRIVING, ids=range(len(DRIVING)))
async def test_nothing_from_outside_can_drive_the_terminal(opened: Opened, evil: str) -> None:
    # The client cleans what comes over the wire; the screens must not depend on that alone.
    told = clean_text(evil)
    chat = MemoryChat(title=evil, model=evil, sessions=[SessionSummary("s1", evil, evil, 0.0, 1)])
    reactions = ReactionSet.of([Reaction(evil, Author.AGENT, 0.0)])
    chat.arrive(told, Role.USER, reactions=reactions)
    chat.arrive(told, status=Status.FAILED, error=evil, reaction_error=evil)
    chat.arrive("", Role.TOOL, tool=ToolActivity("c", evil, evil, False, told))
    async with opened(chat) as pilot:
        chat.tell(evil)
        chat.put(connection=ConnectionState(Phase.OFFLINE, evil))
        await settle(pilot)
        assert forbidden(screen_text(pilot.app)) == []
        await pilot.press("ctrl+o")
        await settle(pilot)
        assert forbidden(screen_text(pilot.app)) == []


async def test_brackets_streamed_character_by_character(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        for char in "yield [/] and [bold":
            chat.stream(char)
            await settle(pilot)
        assert "yield [/] and [bold" in screen_text(pilot.app)


@pytest.mark.parametrize("evil", DRIVING, ids=range(len(DRIVING)))
def test_the_window_title_is_clean(evil: str) -> None:
    title = notes.window_title(state_of(title=evil))
    assert forbidden(title) == []
    assert title.endswith(notes.PROGRAM)
