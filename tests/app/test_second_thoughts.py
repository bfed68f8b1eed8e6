"""Saying it otherwise: edit, ask again, undo, rewind, branch, quote, and what waits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.screens.confirm import GUARD, ConfirmScreen
from tui_tapback.client.abilities import Ability
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.client.transport import unix_connector
from tui_tapback.domain.messages import Role, Status
from tui_tapback.testing.app import chat_app, shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.client import QUICK, counted
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


def talk(turns: int = 3) -> MemoryChat:
    chat = MemoryChat()
    for number in range(1, turns + 1):
        chat.arrive(f"question {number}", Role.USER)
        chat.arrive(f"answer {number}")
    return chat


def said(chat: MemoryChat) -> list[str]:
    return [m.text for m in chat.state.messages]


def composer(pilot: Pilot[Any]) -> Composer:
    return pilot.app.screen.query_one(Composer)


async def write(pilot: Pilot[Any], text: str) -> None:
    composer(pilot).focus()
    composer(pilot).set_text(text)
    await pilot.press("enter")
    await settle(pilot)


async def consent(pilot: Pilot[Any], key: str = "y") -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
    await pilot.press(key)  # within the first moment nothing is agreed to
    if key == "y":
        await settle(pilot)
        assert isinstance(pilot.app.screen, ConfirmScreen)
        await pilot.pause(GUARD)
        await pilot.press(key)
    await settle(pilot)


@SIZES
async def test_the_last_message_is_edited_and_sent_anew(opened: Opened, size: tuple[int, int]) -> None:
    chat = talk()
    async with opened(chat, size) as pilot:
        composer(pilot).set_text("half a thought")
        await pilot.press("escape", "k", "e")
        await settle(pilot)
        assert composer(pilot).text == "question 3"
        assert pilot.app.screen.focused is composer(pilot)
        await shows(pilot, "Editing")
        assert line_widths(pilot.app) == {size[0]}
        await pilot.press("end", *", please", "enter")
        await settle(pilot)
        assert said(chat) == [*("question 1", "answer 1", "question 2", "answer 2"), "question 3, please"]
        assert composer(pilot).text == "half a thought"
        assert "Editing" not in screen_text(pilot.app)


async def test_esc_cancels_an_edit_before_it_interrupts(opened: Opened) -> None:
    chat = talk()
    async with opened(chat) as pilot:
        composer(pilot).set_text("my draft")
        await write(pilot, "/edit")
        assert composer(pilot).text == "question 3"
        chat.put(running=True)
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert composer(pilot).text == ""
        assert "interrupt" not in chat.asked
        await pilot.press("escape")
        await settle(pilot)
        assert "interrupt" in chat.asked


async def test_esc_leaves_an_edit_for_where_it_was_begun(opened: Opened) -> None:
    async with opened(talk()) as pilot:
        composer(pilot).set_text("my draft")
        await pilot.press("escape", "k", "e", "x", "escape")
        await settle(pilot)
        transcript = pilot.app.screen.query_one(Transcript)
        assert pilot.app.screen.focused is transcript
        assert transcript.selected == "m5"
        assert composer(pilot).text == "my draft"
        await pilot.press("i")
        await write(pilot, "/edit")
        await pilot.press("escape")
        await settle(pilot)
        assert pilot.app.screen.focused is composer(pilot)


async def test_where_more_than_one_turn_falls_the_person_is_asked(opened: Opened) -> None:
    chat = talk()
    async with opened(chat) as pilot:
        await pilot.press("escape", "g", "e")
        await pilot.press("enter")
        await shows(pilot, "6 messages in 3 turns")
        await consent(pilot, "n")
        assert len(said(chat)) == 6
        assert composer(pilot).text == "question 1"
        await shows(pilot, "Editing")
        await pilot.press("enter")
        await consent(pilot)
        assert said(chat) == ["question 1"]


@SIZES
async def test_both_answers_are_read_on_the_screen(opened: Opened, size: tuple[int, int]) -> None:
    async with opened(talk(), size) as pilot:
        await pilot.press("escape", "g", "R")
        await shows(pilot, "y rewind")
        await shows(pilot, "n no")
        await consent(pilot, "n")
        assert "n no" not in screen_text(pilot.app)


async def test_undo_retry_and_rewind(opened: Opened) -> None:
    chat = talk()
    async with opened(chat) as pilot:
        await write(pilot, "/retry")
        assert said(chat)[-1] == "question 3"
        await write(pilot, "/undo")
        assert said(chat)[-1] == "answer 2"
        assert composer(pilot).text == "question 3"
        composer(pilot).clear()
        await pilot.press("escape", "g", "R")
        await consent(pilot)
        await until(pilot, lambda: not said(chat))
        await until(pilot, lambda: composer(pilot).text == "question 1")


async def test_branch_compress_and_quote(opened: Opened) -> None:
    chat = talk()
    async with opened(chat) as pilot:
        await pilot.press("escape", "k", "greater_than_sign")
        await settle(pilot)
        assert composer(pilot).text == "> question 3\n\n"
        composer(pilot).clear()
        await write(pilot, "/compress the plan")
        assert "compress the plan" in chat.asked
        await shows(pilot, "Summed up.")
        await pilot.press("escape", "g", "j", "B")
        await until(pilot, lambda: chat.state.session_id == "branched")
        assert said(chat) == ["question 1", "answer 1"]


async def test_a_gateway_that_cannot_is_named_and_nothing_is_pretended(opened: Opened) -> None:
    chat = talk()
    chat.put(abilities=frozenset({Ability.UNDO}))
    async with opened(chat) as pilot:
        for line in ("/edit", "/branch", "/compress", "/retry"):
            await write(pilot, line)
            await until(pilot, lambda: bool(pilot.app._notifications))  # pyright: ignore[reportPrivateUsage]
            assert len(said(chat)) == 6
        await shows(pilot, "This gateway does not know how to")


async def test_what_waits_is_changed_and_removed(opened: Opened) -> None:
    chat = MemoryChat(connection=ConnectionState(Phase.OFFLINE))
    async with opened(chat) as pilot:
        await write(pilot, "first")
        await write(pilot, "second")
        assert [m.status for m in chat.state.messages] == [Status.WAITING, Status.WAITING]
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.query_one(Transcript).selected is not None)
        await pilot.press("e")
        await shows(pilot, "Editing a message that waits")
        await pilot.press("end", *" thing", "enter")
        await settle(pilot)
        assert said(chat) == ["first", "second thing"]
        await pilot.press("escape", "x")
        await settle(pilot)
        assert said(chat) == ["first"]
        assert composer(pilot).text == "second thing"


async def test_words_into_a_running_turn(opened: Opened) -> None:
    chat = talk(1)
    async with opened(chat) as pilot:
        await write(pilot, "/steer left")
        await shows(pilot, "nothing to steer")
        composer(pilot).clear()
        chat.stream("well")
        await write(pilot, "/steer left")
        await write(pilot, "/redirect right")
        assert [a for a in chat.asked if a.startswith(("steer", "redirect"))] == [
            "steer left",
            "redirect right",
        ]


@pytest.mark.slow
async def test_edit_undo_and_branch_over_the_real_gateway(tmp_path: Path) -> None:
    async with RunningServer(tmp_path) as server:
        client = ChatClient(unix_connector(server.path), policy=QUICK, ids=counted(), rows=200)
        async with chat_app(client).run_test(size=(80, 30), notifications=True) as pilot:
            for text in ("one", "two"):
                await write(pilot, text)
                await until(
                    pilot,
                    lambda: not client.state.running and client.state.messages[-1].role is Role.ASSISTANT,
                )
                await settle(pilot)
            await write(pilot, "/edit")
            await until(pilot, lambda: composer(pilot).text == "two")
            await pilot.press("end", *" again", "enter")
            mine = lambda: [m.text for m in client.state.messages if m.role is Role.USER]  # noqa: E731
            await until(pilot, lambda: mine() == ["one", "two again"] and not client.state.running)
            await write(pilot, "/undo")
            await until(pilot, lambda: mine() == ["one"])
            await until(pilot, lambda: composer(pilot).text == "two again")
            before = client.state.session_id
            await write(pilot, "/branch Aside")
            await until(pilot, lambda: client.state.session_id not in (None, before) and mine() == ["one"])
