"""The main screens in German at three sizes: longer words tear nothing, and nothing is left in English."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.command import CommandPalette
from textual.pilot import Pilot

from tui_tapback.app.picture import PictureKeeper
from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.demo.script import conversation
from tui_tapback.domain.messages import Status
from tui_tapback.terminal.last_frame import load as load_frame
from tui_tapback.terminal.last_frame import mark
from tui_tapback.terminal.profile import SAFE
from tui_tapback.testing.app import shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.words import use
from tui_tapback.words.catalogue import load

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
SCREENS = {
    "chat": (),
    "reading": ("escape",),
    "pill": ("escape", "r"),
    "picker": ("escape", "colon"),
    "help": ("f1",),
    "sessions": ("ctrl+o",),
    "find": ("ctrl+f",),
    "menu": ("escape", "m"),
    "who": ("escape", "w"),
    "lens": ("escape", "f"),
    "settings": ("f10",),
}
"""Screen → the keys that lead to it."""


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    use("de")
    yield
    use("en")


def english_on(text: str) -> list[str]:
    """English texts of several words that stand on a screen whose words are all German."""
    known = load("de")
    long = [one for one, german in known.texts.items() if one.count(" ") >= 2 and "{" not in one + german]
    shown = " ".join(text.split())
    return [one for one in long if one in shown and known.texts[one] != one]


@SIZES
@pytest.mark.parametrize("name", SCREENS)
async def test_a_screen_in_german(
    opened: Opened, snapshot: SnapshotAssertion, size: tuple[int, int], name: str
) -> None:
    async with opened(conversation(), size, profile=SAFE) as pilot:
        for key in SCREENS[name]:
            await pilot.press(key)
            await settle(pilot)
        assert line_widths(pilot.app) == {size[0]}
        shown = screen_text(pilot.app)
        assert english_on(shown) == []
        assert shown == snapshot


async def test_looking_through_a_filter_in_german(opened: Opened) -> None:
    async with opened(conversation(), (160, 50), profile=SAFE) as pilot:
        await pilot.press("escape", "f", "enter")
        await shows(pilot, "nur alle Tapbacks: ")


@pytest.mark.parametrize("way", ["f3", "theme"])
async def test_a_search_that_finds_nothing_in_german(opened: Opened, way: str) -> None:
    async with opened(conversation(), (80, 24), profile=SAFE) as pilot:
        await pilot.press(*(["f3"] if way == "f3" else ["/", *way, "enter"]))
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        await until(pilot, lambda: "…" in screen_text(pilot.app))
        await pilot.press(*"xqzw")
        await shows(pilot, "Nichts dieses Namens")
        assert english_on(screen_text(pilot.app)) == []
        assert "No matches" not in screen_text(pilot.app)


async def test_the_kept_picture_says_in_german_that_it_is_from_before(opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "last-frame"
    async with opened(conversation(), (80, 24), profile=SAFE) as pilot:
        keeper = PictureKeeper(path, "", lambda: 0.0, lambda: None)
        keeper.keep(pilot.app, "s1", pilot.app.screen.region, pinned=False)
    kept = load_frame(str(path))
    assert kept is not None
    assert mark(kept).startswith(" Stand von ")


@SIZES
async def test_trouble_in_german(opened: Opened, snapshot: SnapshotAssertion, size: tuple[int, int]) -> None:
    chat = conversation()
    chat.arrive("halb", status=Status.INTERRUPTED)
    chat.put(connection=ConnectionState(Phase.OFFLINE, "Bei ~/gw.sock lauscht kein Gateway."), waiting=2)
    async with opened(chat, size, profile=SAFE) as pilot:
        await shows(pilot, "getrennt")
        assert line_widths(pilot.app) == {size[0]}
        assert screen_text(pilot.app) == snapshot


@SIZES
async def test_an_empty_chat_in_german(
    opened: Opened, snapshot: SnapshotAssertion, size: tuple[int, int]
) -> None:
    async with opened(MemoryChat(), size, profile=SAFE) as pilot:
        await shows(pilot, "Sag Hallo.")
        assert line_widths(pilot.app) == {size[0]}
        assert screen_text(pilot.app) == snapshot
