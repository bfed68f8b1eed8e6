"""Tapbacks of the agent that nobody has seen: counted, walked, told after an absence, remembered, muted."""

from __future__ import annotations

import stat
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.client.tapback_memory import TapbackMemory, looked, muted
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.testing.app import shows, told, until
from tui_tapback.testing.chat import ONLINE, MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.chip import Chip
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
AT = 1_760_000_000.0


def long_chat(count: int = 40) -> MemoryChat:
    roles = (Role.ASSISTANT, Role.USER)
    return MemoryChat(
        [
            Message(key=f"m{n}", role=roles[n % 2], text=f"Line {n}.\n\nAnd more.", at=AT + n, row_id=n)
            for n in range(1, count + 1)
        ]
    )


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


def selected(pilot: Pilot[Any]) -> str | None:
    return pilot.app.screen.query_one(Transcript).selected


@SIZES
async def test_what_comes_out_of_sight_is_counted_until_it_is_seen(
    opened: Opened, size: tuple[int, int]
) -> None:
    chat = long_chat()
    async with opened(chat, size) as pilot:
        chat.react_as_agent("m1", "🦄")
        await told(pilot, "Agent reacted 🦄 to “Line 1.")
        await shows(pilot, "1 new tapback")
        assert (pilot.app.screen.title or "").startswith("(1) ")
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "escape", "apostrophe")
        assert selected(pilot) == "m1"
        await until(pilot, lambda: "new tapback" not in screen_text(pilot.app))
        assert not (pilot.app.screen.title or "").startswith("(")
        await press(pilot, "apostrophe")
        await told(pilot, "no tapback that you have not seen")


async def test_a_toast_quotes_an_answer_without_the_marks_of_its_markdown(opened: Opened) -> None:
    chat = long_chat()
    key = chat.arrive("**Hello** from `here`", at=AT - 1)
    chat.put(messages=(chat.state.messages[-1], *chat.state.messages[:-1]))
    async with opened(chat) as pilot:
        chat.react_as_agent(key, "❤️")
        await told(pilot, "Agent loved “Hello from here”.")


async def test_what_is_on_the_screen_is_seen_at_once(opened: Opened) -> None:
    chat = long_chat()
    async with opened(chat) as pilot:
        chat.react_as_agent("m39", "🦄")
        await quiet(pilot)
        assert "new tapback" not in screen_text(pilot.app)


async def test_scrolling_to_it_is_seeing_it(opened: Opened) -> None:
    chat = long_chat()
    async with opened(chat) as pilot:
        chat.react_as_agent("m1", "🦄")
        await shows(pilot, "1 new tapback")
        await press(pilot, "escape", "g")
        await until(pilot, lambda: "new tapback" not in screen_text(pilot.app))


@SIZES
async def test_after_reconnecting_enter_walks_what_came_meanwhile(
    opened: Opened, size: tuple[int, int]
) -> None:
    chat = long_chat()
    async with opened(chat, size) as pilot:
        chat.put(connection=ConnectionState(Phase.RECONNECTING))
        await quiet(pilot)
        chat.put(connection=ONLINE)
        chat.react_as_agent("m1", "🦄")
        chat.react_as_agent("m3", "👍")
        chat.react_as_agent("m4", "👍")
        await shows(pilot, "The agent tapped back on 2 of")
        assert line_widths(pilot.app) == {size[0]}
        chip = pilot.app.screen.query_one(Chip)
        await until(pilot, lambda: chip.armed)
        await press(pilot, "enter")
        assert selected(pilot) == "m1"
        await shows(pilot, "2 more.")
        await until(pilot, lambda: chip.armed)
        await press(pilot, "enter")
        await until(pilot, lambda: chip.armed)
        await press(pilot, "enter")
        assert selected(pilot) == "m4"
        assert not chip.asked


async def test_the_digest_waits_for_nobody_and_esc_puts_it_away(opened: Opened) -> None:
    chat = long_chat()
    async with opened(chat) as pilot:
        chat.put(connection=ConnectionState(Phase.OFFLINE))
        await quiet(pilot)
        chat.put(connection=ONLINE)
        chat.react_as_agent("m1", "🦄")
        await shows(pilot, "The agent tapped back on 1 of yours.")
        await press(pilot, *"hi", "enter")  # who writes is not led away
        assert chat.sent == ["hi"]
        await press(pilot, "escape")
        assert "tapped back on" not in screen_text(pilot.app)
        assert "1 new tapback" in screen_text(pilot.app)


async def test_a_click_walks_as_well(opened: Opened) -> None:
    chat = long_chat()
    async with opened(chat) as pilot:
        chat.put(connection=ConnectionState(Phase.OFFLINE))
        await quiet(pilot)
        chat.put(connection=ONLINE)
        chat.react_as_agent("m1", "🦄")
        await shows(pilot, "The agent tapped back on 1 of yours.")
        await pilot.click(Chip, offset=(5, 0))
        await quiet(pilot)
        assert selected(pilot) == "m1"


async def test_what_came_while_the_program_did_not_run_is_told_at_its_start(
    opened: Opened, tmp_path: Path
) -> None:
    file = tmp_path / "tapbacks.json"
    chat = long_chat()
    async with opened(chat, memory=TapbackMemory(file)):
        pass  # everything is seen, up to the newest message
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert TapbackMemory(file).now.seen == {"s1": AT + 40}
    later = ReactionSet.of([Reaction("🎉", Author.AGENT, AT + 100)])
    rows = tuple(replace(m, reactions=later) if m.key == "m1" else m for m in chat.state.messages)
    chat = MemoryChat(rows)
    async with opened(chat, memory=TapbackMemory(file)) as pilot:
        await shows(pilot, "The agent tapped back on 1 of yours.")
        await shows(pilot, "1 new tapback")
    assert TapbackMemory(file).now.seen["s1"] < AT + 100, "it was not looked at, and is news the next time"
    chat = MemoryChat(rows)
    async with opened(chat, memory=TapbackMemory(file)) as pilot:
        await shows(pilot, "The agent tapped back on 1 of yours.")
        await press(pilot, "escape", "escape", "apostrophe")
        assert selected(pilot) == "m1"
    chat = MemoryChat(rows)
    async with opened(chat, memory=TapbackMemory(file)) as pilot:
        await quiet(pilot)
        assert "tapped back" not in screen_text(pilot.app)


async def test_nothing_of_a_session_never_seen_is_news(opened: Opened) -> None:
    chat = long_chat()
    chat.react_as_agent("m1", "🦄")
    async with opened(chat) as pilot:
        await quiet(pilot)
        assert "tapback" not in screen_text(pilot.app).split("●")[-1].replace("tap back", "")


async def test_they_are_muted_apart_from_messages(opened: Opened) -> None:
    memory = TapbackMemory()
    memory.change(looked("s1", AT))
    chat = long_chat()
    async with opened(chat, memory=memory) as pilot:
        await press(pilot, *"/mute", "enter")
        await told(pilot, "Tapbacks are muted")
        assert "tapbacks muted" in screen_text(pilot.app).splitlines()[-1], (
            "it is told for as long as it lasts"
        )
        chat.react_as_agent("m1", "🦄")
        await quiet(pilot)
        assert "new tapback" not in screen_text(pilot.app)
        assert memory.now.muted
        await pilot.press("f3", *"mute")
        await shows(pilot, "Unmute tapbacks")
        await press(pilot, "escape")
        await press(pilot, *"/mute", "enter")
        await shows(pilot, "1 new tapback")
        assert "tapbacks muted" not in screen_text(pilot.app)


async def test_what_plain_mode_has_muted_meanwhile_is_unmuted_here(opened: Opened, tmp_path: Path) -> None:
    file = tmp_path / "tapbacks.json"
    async with opened(long_chat(), memory=TapbackMemory(file)) as pilot:
        plain = TapbackMemory(file)
        plain.change(muted(True))
        assert plain.save() == ""
        await press(pilot, *"/mute", "enter")
        await told(pilot, "Tapbacks are counted and told again.")


async def test_who_looks_into_another_session_and_returns_is_not_told_twice(opened: Opened) -> None:
    memory = TapbackMemory()
    chat = long_chat()
    async with opened(chat, memory=memory) as pilot:
        first = chat.state.messages
        chat.react_as_agent("m40", "🦄")  # on the screen, so it is seen
        await quiet(pilot)
        seen = chat.state.messages
        chat.put(session_id="s2", messages=first[:4])
        await quiet(pilot)
        assert memory.now.seen["s1"] >= AT + 40
        chat.put(session_id="s1", messages=seen)
        await quiet(pilot)
        assert not pilot.app.screen.query_one(Chip).asked


async def test_while_an_answer_grows_a_tapback_on_an_older_message_is_noticed(opened: Opened) -> None:
    chat = long_chat()
    async with opened(chat) as pilot:
        for word in ("I ", "am ", "writing."):
            chat.stream(word)
            await quiet(pilot)
        chat.react_as_agent("m2", "🦄")
        chat.stream(" More.")
        await shows(pilot, "1 new tapback")
