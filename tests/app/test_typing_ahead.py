"""Whoever types faster than the program starts, or than a pill closes, loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from tui_tapback.app.ahead import keys_of
from tui_tapback.testing.app import until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.widgets.composer import Composer

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]


def test_bytes_of_a_keyboard_become_keys_and_pastes() -> None:
    keys = [each for each in keys_of("a❤\r\x7f\x1b[A") if isinstance(each, events.Key)]
    assert [key.character or key.key for key in keys] == ["a", "❤", "\r", "\x7f", "up"]
    assert [e.text for e in keys_of("\x1b[200~two\rrows\x1b[201~") if isinstance(e, events.Paste)]
    assert keys_of("") == []


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("\x1b", ["escape"]),
        ("\x1br", ["alt+r"]),
        ("a\x1b", ["a", "escape"]),
        ("\x1b[A\x1b[1;3", ["up"]),
        ("x\x1bO", ["x"]),
        ("\x1b[", []),
    ],
)
def test_an_esc_at_the_end_counts_and_half_a_sequence_does_not(typed: str, names: list[str]) -> None:
    assert [each.key for each in keys_of(typed) if isinstance(each, events.Key)] == names


async def test_what_was_typed_before_the_start_is_in_the_composer(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, typed=lambda: "first\rsecond") as pilot:
        assert chat.sent == ["first"]
        assert pilot.app.screen.query_one(Composer).text == "second"
        await pilot.press("!")
        await settle(pilot)
        assert pilot.app.screen.query_one(Composer).text == "second!"


async def test_a_command_typed_ahead_is_carried_out_and_what_follows_goes_where_it_leads(
    chat: MemoryChat, opened: Opened
) -> None:
    async with opened(chat, typed=lambda: "x\x142") as pilot:
        assert chat.reacted == [("m2", "👍")]
        assert pilot.app.screen.query_one(Composer).text == "x"


def burst(pilot: Pilot[Any], *keys: str) -> None:
    """Keys that all arrive before the first of them is handled, as from a fast hand or a macro."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))


@pytest.mark.parametrize(
    ("keys", "reacted"),
    [
        (("ctrl+t", "2"), [("m2", "👍")]),
        (("ctrl+t", "right", "enter"), [("m2", "👍")]),
        (("ctrl+t", "escape"), []),
        (("ctrl+t", "l", "space"), [("m2", "👍")]),
    ],
)
async def test_what_follows_a_choice_in_the_pill_at_once_goes_to_the_composer(
    chat: MemoryChat, opened: Opened, keys: tuple[str, ...], reacted: list[tuple[str, str]]
) -> None:
    async with opened(chat) as pilot:
        burst(pilot, *keys, *"jr1")
        await until(pilot, lambda: pilot.app.screen.query_one(Composer).text == "jr1")
        await settle(pilot)
        assert pilot.app.screen.query_one(Composer).has_focus  # and keeps it
        assert chat.reacted == reacted


async def test_a_digit_counts_though_the_next_key_leaves_the_transcript_at_once(
    chat: MemoryChat, opened: Opened
) -> None:
    async with opened(chat) as pilot:
        burst(pilot, "escape", "4", "i", *"oh 1", "escape", "k", "2", "escape", "!")
        await until(pilot, lambda: pilot.app.screen.query_one(Composer).text == "oh 1!")
        assert chat.reacted == [("m2", "😂"), ("m1", "👍")]
