"""Looking through a lens: only messages with certain tapbacks, by emoji, author, open question; by name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.screens.lenses import LensPanel
from tui_tapback.client.tapback_memory import KeptLens, TapbackMemory
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
AT = 1_760_000_000.0


@pytest.fixture
def reacted() -> MemoryChat:
    roles = (Role.ASSISTANT, Role.USER)
    chat = MemoryChat(
        [
            Message(key=f"m{n}", role=roles[n % 2], text=f"Line {n}.", at=AT + n, row_id=n)
            for n in range(1, 11)
        ],
        clock=lambda: AT + 100,
    )
    chat.set_reaction("m2", "👍🏽")
    chat.set_reaction("m10", "❓")
    chat.react_as_agent("m1", "👍")
    chat.react_as_agent("m3", "😂")
    return chat


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


def lines(pilot: Pilot[Any]) -> list[str]:
    transcript = pilot.app.screen_stack[1].query_one(Transcript)
    return [entry.message.key for entry in transcript.sheet.roll.entries]


@SIZES
async def test_one_emoji_in_every_tone_and_esc_shows_all_again(
    reacted: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(reacted, size) as pilot:
        await press(pilot, "escape", "f")
        await shows(pilot, "all tapbacks 4 messages")
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "j", "j", "j", "j", "enter")
        assert lines(pilot) == ["m1", "m2"]
        await shows(pilot, "only 👍")
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "escape")
        assert len(lines(pilot)) == 10
        assert pilot.app.screen.query_one(Transcript).selected == "m2", "one stays where one has looked"
        assert "only 👍" not in screen_text(pilot.app)


async def test_questions_that_nobody_has_answered(reacted: MemoryChat, opened: Opened) -> None:
    async with opened(reacted) as pilot:
        await press(pilot, "escape", "f", "j", "enter")
        assert lines(pilot) == ["m10"]
        reacted.arrive("Here is the answer.", at=AT + 10**8)
        await quiet(pilot)
        assert lines(pilot) == ["m10"], "what is looked at does not vanish by itself"
        await press(pilot, "escape", "f")
        assert "unanswered" not in screen_text(pilot.app)


async def test_while_an_answer_grows_no_line_moves_and_new_ones_join(
    reacted: MemoryChat, opened: Opened
) -> None:
    async with opened(reacted) as pilot:
        await press(pilot, "escape", "f", "enter")
        assert lines(pilot) == ["m1", "m2", "m3", "m10"]
        before = screen_text(pilot.app).splitlines()[:18]
        for word in ("Some ", "words ", "more."):
            reacted.stream(word)
            await quiet(pilot)
            assert screen_text(pilot.app).splitlines()[:18] == before
        reacted.set_reaction("m2", None)
        await quiet(pilot)
        assert "m2" in lines(pilot)
        reacted.react_as_agent("m5", "🎉")
        await quiet(pilot)
        assert lines(pilot) == ["m1", "m2", "m3", "m5", "m10"]


async def test_only_the_tapbacks_of_one_side(reacted: MemoryChat, opened: Opened) -> None:
    async with opened(reacted) as pilot:
        await press(pilot, "escape", "f", "a")
        await shows(pilot, "Tapbacks of you")
        await press(pilot, "enter")
        assert lines(pilot) == ["m2", "m10"]
        await press(pilot, "escape", "f", "a", "a", "enter")
        assert lines(pilot) == ["m1", "m3"]


@SIZES
async def test_a_lens_is_kept_under_a_name_and_dropped(
    reacted: MemoryChat, opened: Opened, tmp_path: Path, size: tuple[int, int]
) -> None:
    file = tmp_path / "tapbacks.json"
    async with opened(reacted, size, memory=TapbackMemory(file)) as pilot:
        await press(pilot, "escape", "f", "j", "n", "ctrl+u", *"To do", "enter")
        await shows(pilot, "To do")
        assert line_widths(pilot.app) == {size[0]}
    assert TapbackMemory(file).now.lenses == (KeptLens("To do", unanswered=True),)
    async with opened(reacted, size, memory=TapbackMemory(file)) as pilot:
        await press(pilot, *"/filter", "enter", "enter")
        assert lines(pilot) == ["m10"]
        await press(pilot, "f", "f", "d")
        await until(pilot, lambda: "To do" not in screen_text(pilot.app))
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, LensPanel)
    assert TapbackMemory(file).now.lenses == ()


async def test_a_click_chooses(reacted: MemoryChat, opened: Opened) -> None:
    async with opened(reacted) as pilot:
        await press(pilot, "escape", "f")
        await pilot.click("LensPanel OptionList", offset=(4, 1))
        await quiet(pilot)
        assert lines(pilot) == ["m10"]


async def test_another_session_has_no_lens(reacted: MemoryChat, opened: Opened) -> None:
    async with opened(reacted) as pilot:
        await press(pilot, "escape", "f", "enter")
        reacted.put(session_id="s2", messages=reacted.state.messages[3:5])
        await quiet(pilot)
        assert lines(pilot) == ["m4", "m5"]


async def test_nobody_has_reacted(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "escape", "f")
        await shows(pilot, "Nobody has tapped back here yet.")
        await press(pilot, "f")
        assert chat.state.messages[0].reactions.by(Author.USER) is None
