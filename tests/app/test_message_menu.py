"""The menu of a message: every action with its key, by keyboard and mouse; what failed comes first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from tui_tapback.actions.action import Group
from tui_tapback.actions.resolving import standard
from tui_tapback.actions.table import in_group
from tui_tapback.app.screens.menu import MessageMenu, entries
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.testing.app import shows
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


async def choose(pilot: Pilot[Any], told: str) -> None:
    menu = pilot.app.screen
    assert isinstance(menu, MessageMenu)
    listing = menu.query_one(OptionList)
    place = next(
        at for at in range(listing.option_count) if told in str(listing.get_option_at_index(at).prompt)
    )
    await press(pilot, *["down"] * place, "enter")


@SIZES
async def test_enter_opens_the_menu_and_an_entry_does_what_its_key_does(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await press(pilot, "escape", "enter")
        await shows(pilot, "“I booked a table for you.”")
        assert "r t +" in screen_text(pilot.app)
        assert line_widths(pilot.app) == {size[0]}
        await choose(pilot, "Open the tapback pill")
        assert pilot.app.screen.query_one(Transcript).pill_open
        await press(pilot, "2", "m")
        assert chat.state.messages[-1].reactions.by(Author.USER) is not None
        await choose(pilot, "Take back my reaction")
        assert chat.state.messages[-1].reactions.by(Author.USER) is None
        await press(pilot, "m", "escape")
        assert pilot.app.screen.query_one(Transcript).has_focus


async def test_a_click_does_it(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "escape", "m")
        await pilot.click("MessageMenu OptionList", offset=(4, 0))
        await quiet(pilot)
        assert pilot.app.screen.query_one(Transcript).pill_open


async def test_the_palette_opens_it_for_the_last_answer(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await pilot.app.screen.run_action("message_menu")
        await quiet(pilot)
        await shows(pilot, "“I booked a table for you.”")


def test_what_failed_is_tried_again_first() -> None:
    message = Message(key="m", role=Role.USER, text="x", at=0.0)
    assert entries(message, standard())[0].command != "activate"
    assert entries(replace(message, status=Status.FAILED), standard())[0].told == "Try again"
    assert entries(replace(message, reaction_error="refused"), standard())[0].told == "Try again"


def test_it_offers_nothing_that_cannot_be_done_with_this_message() -> None:
    asked = Message(key="m", role=Role.USER, text="x", at=0.0)
    answer = replace(asked, role=Role.ASSISTANT)
    told = "turn('edit')", "turn('again')", "turn('discard')", "unreact", "ask('echo')", "pill", "ask('who')"

    def offered(message: Message) -> set[str]:
        return {entry.command for entry in entries(message, standard())} & set(told)

    always = {"pill", "ask('who')"}
    assert offered(asked) == always | {"turn('edit')"}
    assert offered(answer) == always | {"turn('again')"}
    for unsent in (Status.WAITING, Status.FAILED):
        assert offered(replace(asked, status=unsent)) == always | {"turn('edit')", "turn('discard')"}
    both = ReactionSet.of([Reaction("👍", Author.USER, 0.0), Reaction("🎉", Author.AGENT, 0.0)])
    assert offered(answer.with_reactions(both)) == always | {"turn('again')", "unreact", "ask('echo')"}
    assert not offered(replace(asked, role=Role.TOOL))


def test_it_holds_no_walking_and_nothing_without_words() -> None:
    found = entries(Message(key="m", role=Role.USER, text="x", at=0.0), standard())
    commands = {row.command for row in in_group(Group.TRANSCRIPT)}
    assert all(entry.told and (entry.command in commands or entry.action) for entry in found)
    assert not any(entry.command.startswith(("step", "jump", "page")) for entry in found)
    assert any(entry.command == "ask('who')" for entry in found)
