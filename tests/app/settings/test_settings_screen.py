"""The screen of the settings: found, explained, changed by keys and by mouse, seen at once, taken back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from tui_tapback.app.screens.settings import SettingsScreen
from tui_tapback.app.themes import DARK, LIGHT
from tui_tapback.client.gateway_settings import GatewaySettings
from tui_tapback.config.settings import load_settings
from tui_tapback.domain.errors import NotSupported
from tui_tapback.testing.app import shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "settings.toml"
    file.write_text("# mine\ntheme = 'dark' # at night\n")
    return file


def read(file: Path) -> str:
    return file.read_text()


def write(file: Path, text: str) -> None:
    file.write_text(text)


def mode(file: Path) -> int:
    return file.stat().st_mode


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press("space" if key == " " else key)
    await quiet(pilot)


async def open_at(pilot: Pilot[Any], words: str = "", *, by: str = "f10") -> SettingsScreen:
    """The screen of the settings, searched for ``words``, the cursor on the first that is found."""
    await press(pilot, by)
    await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
    await until(pilot, lambda: pilot.app.screen.query_one(OptionList).highlighted is not None)
    if words:
        await press(pilot, "slash", *words, "enter")
    screen = pilot.app.screen
    assert isinstance(screen, SettingsScreen)
    return screen


@SIZES
async def test_every_state_fits(chat: MemoryChat, opened: Opened, file: Path, size: tuple[int, int]) -> None:
    async with opened(chat, size, settings_file=file) as pilot:
        await open_at(pilot)
        await shows(pilot, "theme dark")
        assert line_widths(pilot.app) == {size[0]}
        for keys in (("enter",), ("escape", "slash", *"idle", "enter", "enter", *"xx"), ("escape", "e")):
            await press(pilot, *keys)
            assert line_widths(pilot.app) == {size[0]}
        assert "Esc" in screen_text(pilot.app)


async def test_it_opens_by_word_and_from_the_palette_too(
    chat: MemoryChat, opened: Opened, file: Path
) -> None:
    async with opened(chat, settings_file=file) as pilot:
        await press(pilot, *"/settings", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
        await press(pilot, "escape", "f3", *"settings")
        await shows(pilot, "Settings (F10)")


@SIZES
async def test_a_theme_is_seen_before_it_is_taken(
    chat: MemoryChat, opened: Opened, file: Path, size: tuple[int, int]
) -> None:
    async with opened(chat, size, settings_file=file) as pilot:
        await open_at(pilot, "theme")
        await press(pilot, "enter", "up")
        assert pilot.app.theme == LIGHT.name
        await press(pilot, "escape")
        assert pilot.app.theme == DARK.name
        assert "theme = 'dark' # at night" in read(file)
        await press(pilot, "enter", "up", "enter")
        assert pilot.app.theme == LIGHT.name
        assert read(file) == '# mine\ntheme = "light" # at night\n'
        await press(pilot, "u")
        assert pilot.app.theme == DARK.name
        await press(pilot, "right")
        await until(pilot, lambda: load_settings(file).theme != "dark")
        await press(pilot, "d")
        assert load_settings(file).theme == "auto"
        assert "# at night" in read(file)


async def test_a_switch_a_number_a_text_and_a_list(chat: MemoryChat, opened: Opened, file: Path) -> None:
    async with opened(chat, (120, 40), settings_file=file, motion=True) as pilot:
        await open_at(pilot, "reduced")
        await press(pilot, "enter")
        assert load_settings(file).reduced_motion
        assert pilot.app.animation_level == "none"
        await press(pilot, "escape", "slash", *"idle", "enter", "enter", *"x")
        await shows(pilot, "must be a number, 0 or more, not “60x”")
        await press(pilot, "enter")
        assert pilot.app.screen.query_one("#value", Input).has_focus  # it can be put right
        await press(pilot, "backspace", "backspace", "5", "enter")
        assert load_settings(file).gateway.idle_exit == 65
        await shows(pilot, "Counts when the gateway starts again.")
        await press(pilot, "escape", "slash", *"double", "enter", "enter", *"love", "enter")
        assert load_settings(file).double_click == "❤️"
        assert pilot.app.screen_stack[1].query_one(Transcript).double_click == "❤️"
        await press(pilot, "escape", "slash", *"command", "enter", "enter")
        await press(pilot, *"notify-send", "comma", *"-u", "enter")
        assert load_settings(file).notifications.command == ("notify-send", "-u")


async def test_a_secret_is_typed_unseen_and_never_shown(chat: MemoryChat, opened: Opened, file: Path) -> None:
    async with opened(chat, (120, 40), settings_file=file) as pilot:
        await open_at(pilot, "api_key")
        await press(pilot, "down", "down", "enter")
        assert pilot.app.screen.query_one("#value", Input).password
        await press(pilot, *"sk-xyz")
        assert "sk-xyz" not in screen_text(pilot.app)
        await press(pilot, "enter")
        assert load_settings(file).model.api_key.reveal() == "sk-xyz"
        await shows(pilot, "set, not shown")
        assert "sk-xyz" not in screen_text(pilot.app)
        assert mode(file) & 0o077 == 0


@SIZES
async def test_all_of_it_by_mouse(
    chat: MemoryChat, opened: Opened, file: Path, size: tuple[int, int]
) -> None:
    async with opened(chat, size, settings_file=file) as pilot:
        screen = await open_at(pilot)
        await pilot.click("#search")
        await press(pilot, *"reduced")
        listing = screen.query_one(OptionList)
        await pilot.click(OptionList, offset=(4, 1))
        await until(pilot, lambda: load_settings(file).reduced_motion)
        await quiet(pilot)
        await pilot.click("#do-undo")
        await until(pilot, lambda: not load_settings(file).reduced_motion)
        await quiet(pilot)
        await pilot.click("#do-change")
        await until(pilot, lambda: load_settings(file).reduced_motion)
        await quiet(pilot)
        await pilot.click("#do-default")
        await until(pilot, lambda: "# reduced_motion = false" in read(file))
        await quiet(pilot)
        assert listing.option_count == 2
        await pilot.click("#do-leave")
        await until(pilot, lambda: not screen.query_one("#search", Input).value)
        await quiet(pilot)
        await pilot.click("#do-leave")
        await until(pilot, lambda: not isinstance(pilot.app.screen, SettingsScreen))


async def test_the_search_finds_names_meanings_and_values(
    chat: MemoryChat, opened: Opened, file: Path
) -> None:
    async with opened(chat, (120, 40), settings_file=file) as pilot:
        await open_at(pilot, "pop badge")
        await shows(pilot, "reduced_motion")
        assert "emoji_profile" not in screen_text(pilot.app)
        await press(pilot, "escape", "slash", *"zzz", "enter")
        await shows(pilot, "Nothing is called that.")
        await press(pilot, "enter", "d", "right", "escape")
        await shows(pilot, "emoji_profile")


async def test_the_six_are_chosen_for_all_sessions_in_the_file_and_for_one_in_memory(
    chat: MemoryChat, opened: Opened, file: Path
) -> None:
    async with opened(chat, settings_file=file) as pilot:
        await open_at(pilot, "quick_rea")
        await press(pilot, "enter", "enter", *"tada", "enter")
        await shows(pilot, "1 🎉")
        assert load_settings(file).quick_reactions[0] == "🎉"
        await press(pilot, "s", "enter", *"unicorn", "enter")
        await shows(pilot, "1 🦄")
        assert load_settings(file).quick_reactions[0] == "🎉"
        await press(pilot, "escape")
        await shows(pilot, "🎉, 👍")
        await press(pilot, "escape", "escape")
        transcript = pilot.app.screen.query_one(Transcript)
        assert transcript.quick[0] == "🦄"  # of this session
        chat.put(session_id="s2")
        await until(pilot, lambda: transcript.quick[0] == "🎉")


async def test_the_emoji_profile_is_seen_while_it_is_chosen(
    chat: MemoryChat, opened: Opened, file: Path
) -> None:
    async with opened(chat, settings_file=file) as pilot:
        await open_at(pilot, "emoji_profile")
        await press(pilot, "enter", "end")
        await until(pilot, lambda: "<3" in screen_text(pilot.app))
        await press(pilot, "escape")
        await until(pilot, lambda: "<3" not in screen_text(pilot.app))
        assert load_settings(file).emoji_profile == "auto"


async def test_what_an_editor_saves_meanwhile_is_shown_and_an_invalid_file_blocks_nothing_but_writing(
    chat: MemoryChat, opened: Opened, file: Path
) -> None:
    async with opened(chat, (120, 40), settings_file=file) as pilot:
        await open_at(pilot)
        write(file, 'theme = "nord"\n')
        await shows(pilot, "theme nord file, line 1")
        write(file, "theme = 3\n")
        await shows(pilot, "line 1: the setting theme must be text")
        await press(pilot, "down", "down", "enter")
        assert read(file) == "theme = 3\n"
        assert pilot.app.theme == "nord"


async def test_the_settings_of_the_gateway_are_changed_for_everybody(
    chat: MemoryChat, opened: Opened, file: Path
) -> None:
    chat.put(shared=GatewaySettings(reactions="both", message_reactions=True, context_tokens=0))
    async with opened(chat, (120, 40), settings_file=file) as pilot:
        await open_at(pilot, "all its clients")
        await shows(pilot, "reactions both")
        await press(pilot, "enter", "up", "enter")
        await until(pilot, lambda: chat.state.shared.reactions == "user")
        await shows(pilot, "The gateway has taken it, for all its clients.")
        chat.put(shared=GatewaySettings(reactions="off", message_reactions=False, context_tokens=0))
        await shows(pilot, "reactions off")


# case B192
async def test_what_the_gateway_refuses_stays_as_the_gateway_has_it(
    chat: MemoryChat, opened: Opened, file: Path
) -> None:
    chat.put(shared=GatewaySettings(message_reactions=False))
    async with opened(chat, (120, 40), settings_file=file) as pilot:
        chat.failures["set"] = NotSupported("unknown key: display.message_reactions")
        await open_at(pilot, "tapbacks reach")
        await press(pilot, "enter")
        await shows(pilot, "unknown key")
        assert chat.state.shared.message_reactions is False
        await shows(pilot, "display.message_reactions off")


async def test_without_a_file_it_says_so(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "f10")
        await shows(pilot, "There is no settings file behind this program.")
