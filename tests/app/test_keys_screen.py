"""The screen of the keys: look up, press a new key, hear of conflicts before anything is written."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.app import ChatApp
from tui_tapback.app.screens.keys import KeysScreen
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import chat_app, shows
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text

SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


@asynccontextmanager
async def keys_of(
    chat: MemoryChat, file: Path, size: tuple[int, int] = (100, 30), text: str = ""
) -> AsyncGenerator[Pilot[Any]]:
    if text:
        write(file, text)
    app = chat_app(chat, logs=file.parent, settings_file=file)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        await quiet(pilot)
        await pilot.app.screen.run_action("keys")
        await settle(pilot)
        yield pilot


async def look_for(pilot: Pilot[Any], words: str) -> None:
    await pilot.press("slash", *words, "enter")
    await quiet(pilot)


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


def read(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""


def write(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")


def said(pilot: Pilot[Any]) -> str:
    """What is on the screen as one line, however it was wrapped."""
    return " ".join(screen_text(pilot.app).replace("│", " ").split())


def own(file: Path) -> dict[str, str]:
    return tomllib.loads(read(file)).get("keys", {}).get("map", {})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


@SIZES
async def test_a_new_key_is_pressed_and_counts_at_once(
    chat: MemoryChat, file: Path, size: tuple[int, int]
) -> None:
    async with keys_of(chat, file, size) as pilot:
        await look_for(pilot, "react_2")
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "enter", "z")
        assert read(file) == "", "nothing is written before Enter"
        await press(pilot, "enter")
        assert own(file) == {"react_2": "z"}
        await press(pilot, "escape", "escape", "z")
        assert chat.state.messages[-1].reactions.by(Author.USER) is not None


async def test_a_conflict_is_told_before_it_is_written(chat: MemoryChat, file: Path) -> None:
    async with keys_of(chat, file, text="# mine\ntheme = 'light'\n") as pilot:
        await look_for(pilot, "lens")
        await press(pilot, "enter", "w")
        assert "(lens) now, no longer" in said(pilot)
        assert "(who)" in said(pilot)
        assert own(file) == {}
        await press(pilot, "escape")
        assert own(file) == {}
        await press(pilot, "enter", "ctrl+q")
        assert "belongs to “Quit” (quit)" in said(pilot)
        await press(pilot, "enter")
        assert "Not written." in said(pilot)
        assert own(file) == {}
        assert pilot.app.return_code is None
        assert read(file) == "# mine\ntheme = 'light'\n"


async def test_two_keys_one_more_none_and_the_default_again(chat: MemoryChat, file: Path) -> None:
    async with keys_of(chat, file) as pilot:
        await look_for(pilot, "copy_markdown")
        await press(pilot, "enter", "z", "y", "enter")
        assert own(file) == {"copy_markdown": "z y"}
        await press(pilot, "plus", "f8", "enter")
        assert own(file) == {"copy_markdown": "z y, f8"}
        await press(pilot, "minus")
        assert own(file) == {"copy_markdown": ""}
        await press(pilot, "d")
        assert own(file) == {}
        await press(pilot, "d")
        assert "has the keys of the preset already" in said(pilot)


async def test_the_preset_changes_and_the_chat_with_it(chat: MemoryChat, file: Path) -> None:
    async with keys_of(chat, file) as pilot:
        await press(pilot, "p")
        assert "vim:" in said(pilot)
        assert tomllib.loads(read(file))["keys"]["preset"] == "vim"
        assert isinstance(pilot.app, ChatApp)
        assert pilot.app.preferences.keymap.preset == "vim"


async def test_the_help_leads_there(chat: MemoryChat, file: Path) -> None:
    async with keys_of(chat, file) as pilot:
        await press(pilot, "escape", "f1", "c")
        assert isinstance(pilot.app.screen, KeysScreen)


async def test_what_cannot_be_written_is_told(chat: MemoryChat, file: Path) -> None:
    async with keys_of(chat, file) as pilot:
        write(file, "theme = \n")
        await look_for(pilot, "react_2")
        await press(pilot, "enter", "z", "enter")
        await shows(pilot, "not valid TOML")
        assert read(file) == "theme = \n"


async def test_what_is_looked_for_shows_while_it_is_typed_and_esc_takes_it_back(
    chat: MemoryChat, file: Path
) -> None:
    async with keys_of(chat, file) as pilot:
        await press(pilot, "slash", *"pill")
        assert "Only: pill" in said(pilot) and "F1 ?" not in said(pilot)
        await press(pilot, "escape")
        assert "Only:" not in said(pilot) and "F1 ?" in said(pilot)
        await look_for(pilot, "pill")
        await press(pilot, "slash", "s", "escape")
        assert "Only: pill" in said(pilot)


async def test_every_action_can_be_found(chat: MemoryChat, file: Path) -> None:
    async with keys_of(chat, file) as pilot:
        await look_for(pilot, "no such thing")
        assert "No action is called so." in said(pilot)
        await pilot.press("slash", "ctrl+a", "ctrl+k", "enter")
        await quiet(pilot)
        assert "F1 ?" in said(pilot)
