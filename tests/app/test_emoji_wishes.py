"""Suggestions, tones and recents reach pill, picker and completion, and are kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.habits import Habits
from tui_tapback.app.preferences import Preferences
from tui_tapback.config.settings import Settings
from tui_tapback.domain.reactions import Author
from tui_tapback.emoji.recents import Recents
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_text
from tui_tapback.widgets.picker import EmojiPicker
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]


def mine(chat: MemoryChat, key: str) -> str | None:
    reaction = next(m for m in chat.state.messages if m.key == key).reactions.by(Author.USER)
    return reaction.emoji if reaction else None


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await settle(pilot)


@pytest.mark.parametrize("size", [(100, 30), (80, 24)], ids=str)
async def test_the_picker_stands_over_the_transcript_and_shows_what_fits(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await press(pilot, "escape", "colon")
        picker = pilot.app.screen.query_one(EmojiPicker)
        transcript = pilot.app.screen.query_one(Transcript)
        assert picker.is_open
        assert transcript.region.contains_region(picker.region)
        assert "For this message" in screen_text(pilot.app)


async def test_a_tone_chosen_in_the_picker_is_that_of_digits_pill_and_completion(
    chat: MemoryChat, opened: Opened
) -> None:
    async with opened(chat, (80, 24)) as pilot:
        await press(pilot, "escape", "colon", "ctrl+t", "right", "right", "enter", *"thumbs up", "enter")
        assert mine(chat, "m2") == "👍🏼"
        await press(pilot, "2")
        assert mine(chat, "m2") is None
        await press(pilot, "2")
        assert mine(chat, "m2") == "👍🏼"
        await press(pilot, "r", "3")
        assert mine(chat, "m2") == "👎🏼"
        await press(pilot, "escape", *":wave:", "space")
        assert "👋🏼" in screen_text(pilot.app)


async def test_a_tone_of_one_emoji_stays_with_it(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, (80, 24)) as pilot:
        await press(pilot, "escape", "colon", *"thumbs up", "alt+v", "end", "enter")
        assert mine(chat, "m2") == "👍🏿"
        await press(pilot, "0", "2")
        assert mine(chat, "m2") == "👍🏿"
        await press(pilot, "0", "colon", *"ok hand", "enter")
        assert mine(chat, "m2") == "👌"


def test_a_tone_by_default_is_folded_in_the_recents_and_a_chosen_one_kept(tmp_path: Path) -> None:
    file = tmp_path / "recents.json"
    habits = Habits(Recents(lambda: 1_000_000.0), file)
    habits.used("👍")
    habits.choose_tone(3)
    habits.used(habits.form("👍"))
    habits.used("🧑🏾‍🚀")
    assert set(habits.shown(9, 3)) == {"👍🏽", "🧑🏾‍🚀"}
    assert set(habits.recents.top()) == {"👍", "🧑🏾‍🚀"}
    assert habits.save() == ""
    again = Preferences.of(Settings(), {}, recents_file=file)
    assert again.habits.tone == 3
    assert again.quick[1:3] == ("👍🏽", "👎🏽")


@pytest.mark.parametrize(
    ("environ", "locale"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr", "LC_ALL": "pt_BR"}, "pt"),
    ],
)
def test_names_are_in_the_language_of_the_environment(environ: dict[str, str], locale: str) -> None:
    assert Preferences.of(Settings(), environ).locale == locale


def test_the_tone_of_the_settings_holds_until_another_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "recents.json"
    settings = Settings(skin_tone="dark")
    first = Preferences.of(settings, {}, recents_file=file)
    assert first.habits.form("👍") == "👍🏿"
    first.habits.choose_tone(0)
    assert first.habits.save() == ""
    assert Preferences.of(settings, {}, recents_file=file).habits.form("👍") == "👍"


def test_the_seventh_slot_is_none_of_the_six() -> None:
    preferences = Preferences.of(Settings(), {})
    assert preferences.seventh("happy birthday!") == "🎂"
    for text in ("", "ok", "thanks so much ❤️", "lol"):
        assert preferences.seventh(text) not in preferences.quick
