"""Figures of one's tapbacks, local and reset at will; and one message as a card in a file that is told."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.screens.figures import bars
from tui_tapback.app.screens.sharing import free_file, write_card
from tui_tapback.client.tapback_memory import TapbackMemory
from tui_tapback.testing.app import shows, told
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


@SIZES
async def test_figures_are_counted_kept_and_reset(
    chat: MemoryChat, opened: Opened, tmp_path: Path, size: tuple[int, int]
) -> None:
    file = tmp_path / "tapbacks.json"
    async with opened(chat, size, memory=TapbackMemory(file)) as pilot:
        await press(pilot, "escape", "2", "k", "2", "1")
        chat.react_as_agent("m1", "🦄")
        await quiet(pilot)
    kept = TapbackMemory(file).now
    assert (kept.given, kept.received) == ({"👍": 2, "❤️": 1}, {"🦄": 1})
    async with opened(chat, size, memory=TapbackMemory(file)) as pilot:
        await press(pilot, *"/stats", "enter")
        await shows(pilot, "You gave 3, the agent gave 1")
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "r")
        await shows(pilot, "r again forgets")
        await press(pilot, "r")
        await shows(pilot, "No tapback has been counted yet.")
    assert TapbackMemory(file).now.given == {}


@pytest.mark.parametrize(
    ("keys", "given"),
    [
        ("1u", {}),
        ("1uU", {"❤️": 1}),
        ("12u", {"❤️": 1}),
        ("11", {"❤️": 1}),
        ("11u", {"❤️": 1}),
        ("11uu", {}),
        ("11uuU", {"❤️": 1}),
        ("1uu", {}),
    ],
)
async def test_what_is_undone_was_not_given(
    chat: MemoryChat, opened: Opened, keys: str, given: dict[str, int]
) -> None:
    memory = TapbackMemory()
    async with opened(chat, memory=memory) as pilot:
        await press(pilot, "escape", *keys)
        assert memory.now.given == given


def test_bars_are_as_long_as_the_counts_and_never_nothing() -> None:
    assert bars({"a": 1, "b": 160}) == [("b", 160, 16), ("a", 1, 1)]
    assert bars({}) == []


@pytest.mark.parametrize(
    ("form", "name", "holds"),
    [("svg", "svg", "<svg"), ("html", "html", "<main>"), ("text", "txt", "Agent: I")],
)
async def test_a_card_is_saved_and_its_file_told(
    chat: MemoryChat,
    opened: Opened,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    name: str,
    holds: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(chat) as pilot:
        await press(pilot, "escape", "1", "i", *f"/share {form}", "enter")
        file = tmp_path / f"tapback-2.{name}"
        await told(pilot, f"The card is in {file}")
        assert holds in file.read_text("utf-8")
        assert "❤" in file.read_text("utf-8") or "loved" in file.read_text("utf-8")
        await press(pilot, *f"/share {form}", "enter")
        await told(pilot, f"tapback-2-2.{name}")


async def test_a_form_that_there_is_not_is_refused(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, *"/share gif", "enter")
        await told(pilot, "There is no card “gif”")


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.svg").touch()
    (tmp_path / "a-2.svg").touch()
    assert free_file(tmp_path, "a", "svg").name == "a-3.svg"


async def test_without_a_chromium_a_picture_is_refused_in_words(
    chat: MemoryChat, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    async with opened(chat) as pilot:
        await press(pilot, *"/share png", "enter")
        await told(pilot, "There is no Chromium to make a PNG with. Install chromium.")


@pytest.mark.browser
@pytest.mark.slow
def test_a_card_as_png(chat: MemoryChat, tmp_path: Path) -> None:
    chat.react_as_agent("m2", "❤️")
    file = tmp_path / "card.png"
    write_card(chat.state.messages[1], "png", file)
    assert file.read_bytes().startswith(b"\x89PNG")
    assert file.stat().st_size > 2_000
