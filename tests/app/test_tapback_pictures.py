"""Each state of reacting as text: what changes here must be looked at."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tui_tapback.app.tapbacks.memory import KeptLens, Pin, TapbackMemory, counted, lens_kept, pinned
from tui_tapback.app.tapbacks.verbs import DEFAULTS
from tui_tapback.client.abilities import HERMES
from tui_tapback.demo.script import conversation
from tui_tapback.domain.reactions import Author
from tui_tapback.terminal.profile import ASCII_ONLY, SAFE, WidthProfile
from tui_tapback.testing.app import until
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.chip import Chip

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
AT = 1_760_000_000.0
STATES: dict[str, tuple[str, ...]] = {
    "who and pending": ("escape", "2", "w"),
    "kept back": ("escape", "2", "w", "space"),
    "menu": ("escape", "m"),
    "lenses": ("escape", "f"),
    "through a lens": ("escape", "f", "down", "enter"),
    "verb": ("escape", "6"),
    "quick reactions": (*"/reactions", "enter"),
    "pins": (*"/pins", "enter"),
    "figures": (*"/stats", "enter"),
}


def remembered() -> TapbackMemory:
    memory = TapbackMemory()
    memory.change(lens_kept(KeptLens("Mine", author=Author.USER)))
    memory.change(pinned(Pin("s1", 2, "Booked for eight.", AT)))
    for emoji in ("👍", "👍", "❤️"):
        memory.change(counted(Author.USER, emoji, AT))
    memory.change(counted(Author.AGENT, "😂", AT))
    return memory


@pytest.mark.parametrize("state", list(STATES))
@pytest.mark.parametrize("size", [(40, 12), (80, 24)], ids=["40x12", "80x24"])
async def test_state(opened: Opened, snapshot: SnapshotAssertion, state: str, size: tuple[int, int]) -> None:
    async with opened(conversation(), size, profile=SAFE, verbs=DEFAULTS, memory=remembered()) as pilot:
        await show(pilot, STATES[state])
        assert line_widths(pilot.app) == {size[0]}
        assert screen_text(pilot.app) == snapshot


async def test_hermes_cannot_keep_a_line_back(opened: Opened, snapshot: SnapshotAssertion) -> None:
    chat = conversation()
    chat.put(abilities=HERMES)
    async with opened(chat, profile=SAFE) as pilot:
        await show(pilot, ("escape", "2", "w"))
        assert screen_text(pilot.app) == snapshot


@pytest.mark.parametrize("state", ["who and pending", "menu", "figures", "verb"])
async def test_plain_ascii(opened: Opened, snapshot: SnapshotAssertion, state: str) -> None:
    profile: WidthProfile = ASCII_ONLY
    async with opened(conversation(), profile=profile, verbs=DEFAULTS, memory=remembered()) as pilot:
        await show(pilot, STATES[state])
        assert screen_text(pilot.app).isascii()
        assert screen_text(pilot.app) == snapshot


async def show(pilot: Pilot[Any], keys: tuple[str, ...]) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)
    chips = list(pilot.app.screen.query(Chip))
    if chips and chips[0].asked:
        await until(pilot, lambda: chips[0].armed)
        await quiet(pilot)
