"""Without colour: no colour is in any style, and what the cursor is on can be told."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.segment import Segment
from textual.pilot import Pilot

from tui_tapback.client.state import SessionSummary
from tui_tapback.testing.app import chat_app, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_text

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SESSIONS = [SessionSummary(f"s{n}", f"Title {n}", f"Preview {n}", float(-n), n) for n in range(1, 4)]


@pytest.fixture
def colourless(chat: MemoryChat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    monkeypatch.setenv("NO_COLOR", "1")

    @asynccontextmanager
    async def open_app() -> AsyncGenerator[Pilot[Any]]:
        whole = MemoryChat(chat.state.messages, sessions=SESSIONS)
        app = chat_app(whole, logs=tmp_path)
        async with app.run_test(size=(80, 30), notifications=True) as pilot:
            await settle(pilot)
            yield pilot

    return open_app


def drawn(pilot: Pilot[Any]) -> list[Segment]:
    strips = pilot.app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage] -- as testing.screen does
    return [segment for strip in strips for segment in strip]


def marked(pilot: Pilot[Any]) -> str:
    """What is underlined or reversed."""
    return " ".join(
        segment.text.strip()
        for segment in drawn(pilot)
        if segment.style and (segment.style.underline or segment.style.reverse)
    )


# case B188
@pytest.mark.parametrize(
    "keys",
    [(), ("escape", "r"), ("escape", "colon"), ("f1",), ("ctrl+o",), ("f3",), (":", *"heart"), ("x", "f7")],
)
async def test_no_screen_holds_a_colour(colourless: Opened, keys: tuple[str, ...]) -> None:
    async with colourless() as pilot:
        pilot.app.notify("told", severity="warning")
        await until(pilot, lambda: "told" in screen_text(pilot.app))
        await pilot.press(*keys)
        await settle(pilot)
        for segment in drawn(pilot):
            assert segment.style is None or (segment.style.color or segment.style.bgcolor) is None, segment


@pytest.mark.parametrize(
    ("keys", "first", "second"),
    [(("ctrl+o",), "Title 1", "Title 2"), (("f3", "s", "e", "s"), "Sessions (", "Find in all sessions")],
    ids=["sessions", "palette"],
)
async def test_the_cursor_of_a_list_is_seen(
    colourless: Opened, keys: tuple[str, ...], first: str, second: str
) -> None:
    def words(pilot: Pilot[Any]) -> str:
        return "".join(marked(pilot).split())

    async with colourless() as pilot:
        await pilot.press(*keys)
        await until(pilot, lambda: first.replace(" ", "") in words(pilot))
        assert second.replace(" ", "") not in words(pilot)
        await pilot.press("down")
        await until(pilot, lambda: second.replace(" ", "") in words(pilot))
        assert first.replace(" ", "") not in words(pilot)


async def test_what_is_selected_in_the_composer_is_reversed(colourless: Opened) -> None:
    async with colourless() as pilot:
        await pilot.press(*"some words", "f7")
        await settle(pilot)
        assert "some words" in marked(pilot)
