"""A running chat takes over what the settings file says, without a restart, and says so."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from tui_tapback.app.app import ChatApp
from tui_tapback.app.themes import DARK, LIGHT
from tui_tapback.testing.app import shows, told, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]


def app_of(pilot: Pilot[Any]) -> ChatApp:
    assert isinstance(pilot.app, ChatApp)
    return pilot.app


async def test_an_editor_changes_theme_reactions_and_motion(
    chat: MemoryChat, opened: Opened, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    async with opened(chat, settings_file=file, motion=True) as pilot:
        app = app_of(pilot)
        transcript = app.screen.query_one(Transcript)
        assert transcript.motion
        file.write_text(
            'theme = "light"\nquick_reactions = ["🎉", "👍"]\ndouble_click = "🦄"\nreduced_motion = true\n'
            'mouse = false\n[verbs]\nretry = "👎"\n[notifications]\nwhen = "never"\n'
        )
        await told(pilot, "Taken over from the settings file: theme")
        await told(pilot, "mouse: counts after a new start.")
        assert app.theme == LIGHT.name
        assert transcript.quick == ("🎉", "👍")
        assert transcript.double_click == "🦄"
        assert not transcript.motion
        assert app.animation_level == "none"
        assert set(app.preferences.verbs) == {"👎"}
        assert app.preferences.notifications.when == "never"
        await pilot.press("escape", "1")
        assert [r.emoji for r in chat.state.messages[-1].reactions] == ["🎉"]


async def test_an_invalid_file_is_told_with_its_line_and_changes_nothing(
    chat: MemoryChat, opened: Opened, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    async with opened(chat, settings_file=file) as pilot:
        file.write_text('theme = "light"\nreduced_motion = "pink"\n')
        await told(pilot, "The settings stay as they were.")
        await told(pilot, "line 2: the setting reduced_motion must be true or false, not text.")
        assert pilot.app.theme == DARK.name


@pytest.mark.parametrize("wanted", ["auto", "nord"])
async def test_a_theme_that_follows_the_terminal_does_so(
    chat: MemoryChat, opened: Opened, tmp_path: Path, wanted: str
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('theme = "auto"\n')
    async with opened(chat, settings_file=file) as pilot:
        app = app_of(pilot)
        assert app.preferences.desk is not None
        desk = app.preferences.desk()
        await until(pilot, lambda: desk.followed)
        desk.change("theme", "light")
        desk.change("theme", wanted)
        assert app.theme == (DARK.name if wanted == "auto" else "nord")
        app.terminal_is(dark=False)
        assert app.theme == (LIGHT.name if wanted == "auto" else "nord")
        app.terminal_is(dark=True)
        assert app.theme == (DARK.name if wanted == "auto" else "nord")


def best(pilot: Pilot[Any]) -> str:
    found = list(pilot.app.screen.query_one(OptionList).options)
    return str(found[0].prompt) if found else ""


async def choose_theme(pilot: Pilot[Any], words: str) -> None:
    await pilot.press(*"/theme", "enter")
    await shows(pilot, "Search themes…")
    await pilot.press(*words)
    await until(pilot, lambda: best(pilot) == words)
    await pilot.press("enter")


async def test_a_theme_from_the_palette_is_kept_with_the_comments(
    chat: MemoryChat, opened: Opened, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('# mine\ntheme = "auto"  # as the terminal\n')
    async with opened(chat, settings_file=file) as pilot:
        await choose_theme(pilot, "nord")
        await until(pilot, lambda: pilot.app.theme == "nord")
        assert file.read_text() == '# mine\ntheme = "nord"  # as the terminal\n'
        await choose_theme(pilot, "auto")
        await until(pilot, lambda: pilot.app.theme == DARK.name)
        assert 'theme = "auto"' in file.read_text()
        app_of(pilot).terminal_is(dark=False)
        assert pilot.app.theme == LIGHT.name


async def test_a_theme_that_cannot_be_written_counts_for_this_run(
    chat: MemoryChat, opened: Opened, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("reduced_motion = 7\n")
    async with opened(chat, settings_file=file) as pilot:
        app_of(pilot).keep_theme("nord")
        assert pilot.app.theme == "nord"
        await told(pilot, "The theme counts for this run only.")
        assert file.read_text() == "reduced_motion = 7\n"
