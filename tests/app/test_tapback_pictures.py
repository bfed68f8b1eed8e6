"""Each state of reacting as text: what changes here must be looked at."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tui_tapback.app.tapbacks.verbs import DEFAULTS
from tui_tapback.client.abilities import HERMES
from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.client.tapback_memory import KeptLens, Pin, TapbackMemory, counted, lens_kept, pinned
from tui_tapback.demo.script import EVENING, conversation
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.terminal.profile import ASCII_ONLY, SAFE, WidthProfile
from tui_tapback.testing.app import until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.chip import Chip

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
AT = 1_760_000_000.0
LATER = EVENING + 300
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


def waiting() -> MemoryChat:
    """Offline: a message and a tapback that wait."""
    chat = conversation()
    last = replace(chat.state.messages[-1], text="Added.")
    reaction = Reaction("🎉", Author.USER, LATER, confirmed=False)
    chat.put(
        messages=(
            *chat.state.messages[-2:-1],
            last.with_reactions(last.reactions.set(reaction)),
            Message(key="w", role=Role.USER, text="Are you there?", at=LATER, status=Status.WAITING),
        ),
        waiting=2,
        connection=ConnectionState(Phase.RECONNECTING),
    )
    return chat


def failed() -> MemoryChat:
    """A message that did not go through; Enter tries again."""
    chat = conversation()
    lost = Message(
        key="f",
        role=Role.USER,
        text="And book a taxi",
        at=LATER,
        status=Status.FAILED,
        error="The gateway did not answer within 30 seconds.",
    )
    chat.put(messages=(*chat.state.messages[-2:-1], lost))
    return chat


def refused() -> MemoryChat:
    """A tapback that was not accepted, and one that somebody chose anew elsewhere."""
    chat = conversation()
    asked, last = chat.state.messages[-3], chat.state.messages[-1]
    chat.put(
        messages=(
            replace(asked, reaction_note="Meanwhile 👀 was chosen elsewhere; it stays."),
            replace(last, text="Added.", reaction_error="That message has been deleted."),
        )
    )
    return chat


@pytest.mark.parametrize("state", [waiting, failed, refused], ids=["waiting", "failed", "refused"])
@pytest.mark.parametrize("size", [(40, 12), (80, 24)], ids=["40x12", "80x24"])
async def test_what_did_not_go_through(
    opened: Opened, snapshot: SnapshotAssertion, state: Callable[[], MemoryChat], size: tuple[int, int]
) -> None:
    async with opened(state(), size, profile=SAFE) as pilot:
        await show(pilot, ("escape",))
        assert line_widths(pilot.app) == {size[0]}
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
