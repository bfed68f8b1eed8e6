"""Keymaps in the real app: every action of every preset, live change, hints, two keys in a row."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList

from tui_tapback.actions.chords import character_of
from tui_tapback.actions.contexts import Context
from tui_tapback.actions.keymap import Keymap, Send, decide
from tui_tapback.actions.presets import PRESETS, PresetName
from tui_tapback.actions.resolving import resolve, standard
from tui_tapback.app.app import ChatApp
from tui_tapback.app.keyboard import KeyedApp, context_of
from tui_tapback.app.screens.help import HelpScreen
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import chat_app, shows
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import screen_text
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
GoTo = Callable[[Pilot[Any], Context], Awaitable[None]]
ALL = pytest.mark.parametrize("preset", list(PRESETS))


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


def own(chat: MemoryChat) -> str | None:
    reaction = chat.state.messages[-1].reactions.by(Author.USER)
    return reaction.emoji if reaction else None


@ALL
@pytest.mark.parametrize("context", list(Context))
async def test_every_action_is_reached_by_its_keys(
    chat: MemoryChat, opened: Opened, go_to: GoTo, tmp_path: Path, preset: PresetName, context: Context
) -> None:
    keymap = resolve(preset)
    async with opened(chat, keymap=keymap, settings_file=tmp_path / "settings.toml") as pilot:
        await go_to(pilot, context)
        app = pilot.app
        assert isinstance(app, KeyedApp)
        for chord, item in keymap.tables[context].items():
            heard = None
            for key in chord:
                heard = await app.pressed(events.Key(key, character_of(key) or None))
            wanted = decide(keymap, standard(), context, chord)
            if isinstance(wanted, Send):
                assert isinstance(heard, events.Key), chord
                assert standard().meaning(context, (heard.key,)) == item
                assert context_of(app.screen) is context


async def test_vim_goes_to_the_ends_by_two_keys_and_says_what_may_follow(
    chat: MemoryChat, opened: Opened
) -> None:
    async with opened(chat, (100, 24), keymap=resolve("vim")) as pilot:
        transcript = pilot.app.screen.query_one(Transcript)
        await press(pilot, "escape", "G")
        assert transcript.selected == "m2"
        await press(pilot, "g")
        assert "g First message" in screen_text(pilot.app)
        assert transcript.selected == "m2"
        await press(pilot, "g")
        assert transcript.selected == "m1"
        assert "First message" not in screen_text(pilot.app)
        await press(pilot, "g", "escape", "G")
        assert transcript.selected == "m2"
        await pilot.press("colon")
        await shows(pilot, "Search commands")
        await press(pilot, "escape", "a", "g", "g", "y")
        assert pilot.app.screen.query_one(Composer).text == "ggy"


async def test_emacs_moves_in_both_places_and_leaves_by_two_keys(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, keymap=resolve("emacs")) as pilot:
        composer = pilot.app.screen.query_one(Composer)
        await press(pilot, "a", "b", "ctrl+b", "x", "ctrl+g")
        assert composer.text == "axb"
        transcript = pilot.app.screen.query_one(Transcript)
        assert transcript.has_focus
        await press(pilot, "alt+less_than_sign")
        assert transcript.selected == "m1"
        await press(pilot, "ctrl+n")
        assert transcript.selected == "m2"
        await press(pilot, "r", "ctrl+f", "ctrl+g")
        assert not transcript.pill_open
        await press(pilot, "alt+x")
        await shows(pilot, "Search commands")
        await press(pilot, "ctrl+g")
        assert pilot.app.screen.query_one(Transcript).has_focus
        await pilot.press("ctrl+x")
        assert pilot.app.return_code is None
        await pilot.press("ctrl+c")
        assert pilot.app.return_code == 0


async def test_azerty_reacts_without_shift_and_says_so(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, (120, 24), keymap=resolve("azerty")) as pilot:
        await press(pilot, "escape", "é")
        assert own(chat) == "👍"
        assert "& é \" ' ( - tap back" in screen_text(pilot.app)
        await press(pilot, "à")
        assert own(chat) is None
        await press(pilot, "r")
        assert "─é──" in screen_text(pilot.app)
        await press(pilot, "quotation_mark")
        assert own(chat) == "👎"


async def test_zulip_takes_with_enter_what_was_found_in_the_history(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, keymap=resolve("zulip")) as pilot:
        composer = pilot.app.screen.query_one(Composer)
        await press(pilot, *"shall we", "ctrl+d", "ctrl+r", *"sha")
        assert composer.looking
        await press(pilot, "enter")
        assert not composer.looking and composer.text == "shall we"
        await press(pilot, "ctrl+r", *"sha", "escape")
        assert not composer.looking and composer.text == "shall we"


async def test_zulip_writes_several_lines_and_thumbs_up(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, keymap=resolve("zulip")) as pilot:
        await press(pilot, "h", "enter", "i")
        assert pilot.app.screen.query_one(Composer).text == "h\ni"
        await press(pilot, "ctrl+d")
        assert pilot.app.screen.query_one(Composer).text == ""
        assert any(message.text == "h\ni" for message in chat.state.messages)
        await press(pilot, "escape", "plus")
        assert any(message.reactions.by(Author.USER) for message in chat.state.messages)


async def test_a_key_given_away_does_nothing_any_more(chat: MemoryChat, opened: Opened) -> None:
    async with opened(
        chat, keymap=resolve("default", {"help": "f9", "react_1": "", "theme": "f12"})
    ) as pilot:
        await press(pilot, "f1", "escape", "1")
        assert own(chat) is None
        assert not isinstance(pilot.app.screen, HelpScreen)
        await press(pilot, "f9")
        assert isinstance(pilot.app.screen, HelpScreen)
        await press(pilot, "escape", "f12")
        await shows(pilot, "Search themes")


async def test_keys_change_while_it_runs_everywhere_at_once(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, (100, 30)) as pilot:
        assert isinstance(pilot.app, ChatApp)
        await press(pilot, "escape")
        assert "1-6 tap back" in screen_text(pilot.app)
        pilot.app.apply_keymap(resolve("default", {"message_menu": "f8", "react_2": "z", "pill_2": "z"}))
        await quiet(pilot)
        assert "F8 actions" in screen_text(pilot.app)
        await press(pilot, "z")
        assert own(chat) == "👍"
        await press(pilot, "r")
        assert "─z──" in screen_text(pilot.app)
        await press(pilot, "z", "m")
        assert own(chat) is None
        await press(pilot, "f8")
        await shows(pilot, "“I booked a table for you.”")
        await press(pilot, "escape", "f1")
        help_screen = pilot.app.screen
        assert isinstance(help_screen, HelpScreen)
        await press(pilot, *["pagedown"] * 2)
        await shows(pilot, "F8 ")


async def test_fast_typing_goes_where_the_keys_before_it_led(chat: MemoryChat, opened: Opened) -> None:
    """A burst: the second key is for the query that the first one opens, whatever it means elsewhere."""
    async with opened(chat, keymap=resolve("vim")) as pilot:
        await press(pilot, "escape")
        driver = attrgetter("_driver")(pilot.app)  # the place where a terminal's keys come in
        for key in ("slash", "g", "y", "g"):
            driver.send_message(events.Key(key, character_of(key)))
        await settle(pilot)
        await shows(pilot, "/gyg")


async def test_the_lists_follow_the_keymap(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, keymap=resolve("emacs")) as pilot:
        await press(pilot, "escape", "m")
        listing = pilot.app.screen.query_one(OptionList)
        before = listing.highlighted
        await press(pilot, "ctrl+n")
        assert listing.highlighted != before
        await press(pilot, "ctrl+p")
        assert listing.highlighted == before
        await press(pilot, "ctrl+g")
        assert pilot.app.screen.query_one(Transcript).has_focus


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    @asynccontextmanager
    async def open_app(
        chat: MemoryChat, size: tuple[int, int] = (80, 24), keymap: Keymap | None = None, **options: Any
    ) -> AsyncGenerator[Pilot[Any]]:
        app = chat_app(chat, logs=tmp_path, keymap=keymap, **options)
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            yield pilot

    return open_app
