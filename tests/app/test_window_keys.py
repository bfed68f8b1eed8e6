"""The keys of the small windows: each is changed, does what it did, and stands at the foot as it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.actions.resolving import resolve
from tui_tapback.actions.table import action
from tui_tapback.app.screens.chat import ChatScreen
from tui_tapback.app.screens.keys import KeysScreen
from tui_tapback.app.screens.quick import QuickPanel
from tui_tapback.client.open_questions import Clarify, ClarifyItem
from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.client.tapback_memory import Pin, TapbackMemory, pinned
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import shows, told, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.widgets.asking import QuestionCard
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import use

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
GoTo = Callable[[Pilot[Any], Context], Awaitable[None]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)], ids=lambda s: f"{s[0]}x{s[1]}")
Size = tuple[int, int]

AT_THE_FOOT = {
    Context.HELP: ("help_keys", "changes keys"),
    Context.SETTINGS: ("setting_undo", "undo"),
    Context.KEYS: ("keys_preset", "preset"),
    Context.CONFIRM: ("confirm_yes", "do it"),
    Context.CONNECTIONS: ("connection_add", "add"),
    Context.FORM: ("form_save", "saves"),
    Context.TOLD: ("told_keep_back", "keeps back"),
    Context.PINS: ("pin_off", "takes the pin off"),
    Context.LENSES: ("lens_drop", "drops"),
    Context.QUICK: ("quick_scope", "scope"),
    Context.FIGURES: ("figures_anew", "begins anew"),
    Context.TASKS: ("task_stop", "stops"),
    Context.FILES: ("file_add", "adds"),
    Context.MODELS: ("model_narrow", "narrows"),
    Context.SESSIONS: ("session_new", "new"),
    Context.CARD: ("card_once", "once"),
}
"""Window → an action of it, and the word at its foot."""


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await settle(pilot)


def said(pilot: Pilot[Any]) -> str:
    return " ".join(screen_text(pilot.app).replace("│", " ").split())


async def click_on(pilot: Pilot[Any], words: str) -> None:
    """Click on the middle of words on the screen."""
    await shows(pilot, words)
    lines = screen_lines(pilot.app)
    y = max(number for number, line in enumerate(lines) if words in line)
    await pilot.click(offset=(lines[y].index(words) + len(words) // 2, y))
    await settle(pilot)


@SIZES
@pytest.mark.parametrize("context", AT_THE_FOOT)
async def test_the_foot_shows_the_key_in_use(
    chat: MemoryChat, opened: Opened, go_to: GoTo, tmp_path: Path, size: Size, context: Context
) -> None:
    name, word = AT_THE_FOOT[context]
    keymap = resolve("default", {name: "f7"})
    assert keymap.problems == ()
    async with opened(chat, size, keymap=keymap, settings_file=tmp_path / "settings.toml") as pilot:
        await go_to(pilot, context)
        await until(pilot, lambda: f"F7 {word}" in said(pilot))
        assert line_widths(pilot.app) == {size[0]}


async def test_the_foot_gives_no_key_for_what_another_action_has_taken(
    chat: MemoryChat, opened: Opened, go_to: GoTo, tmp_path: Path
) -> None:
    keymap = resolve("default", {"pin_off": "enter"})
    async with opened(chat, keymap=keymap, settings_file=tmp_path / "settings.toml") as pilot:
        await go_to(pilot, Context.PINS)
        await until(pilot, lambda: "Enter takes the pin off" in said(pilot))
        assert "Enter goes there" not in said(pilot) and "goes there" in said(pilot)


async def test_the_help_leads_to_the_keys_by_another_key_and_closes_by_the_one_that_opened_it(
    chat: MemoryChat, opened: Opened, tmp_path: Path
) -> None:
    keymap = resolve("default", {"help_keys": "x", "help": "f6"})
    async with opened(chat, keymap=keymap, settings_file=tmp_path / "settings.toml") as pilot:
        await press(pilot, "f6", "c", "f1")
        assert not isinstance(pilot.app.screen, ChatScreen | KeysScreen)
        await press(pilot, "f6")
        assert isinstance(pilot.app.screen, ChatScreen)
        await press(pilot, "f6", "x")
        assert isinstance(pilot.app.screen, KeysScreen)


async def test_the_settings_by_other_keys(
    chat: MemoryChat, opened: Opened, go_to: GoTo, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    keymap = resolve("default", {"setting_next": "w", "setting_undo": "z", "setting_search": "f"})
    async with opened(chat, keymap=keymap, settings_file=file) as pilot:
        await go_to(pilot, Context.SETTINGS)
        await shows(pilot, "f searches names, meanings and values")
        await press(pilot, "f", *"reduced")
        await until(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count == 2)
        await press(pilot, "enter")
        await press(pilot, "right")
        assert not file.exists() or "\nreduced" not in file.read_text("utf-8")
        await press(pilot, "w")
        await shows(pilot, "Written.")
        assert "\nreduced_motion" in file.read_text("utf-8")
        await press(pilot, "u")
        assert "\nreduced_motion" in file.read_text("utf-8")
        await press(pilot, "z")
        await shows(pilot, "Taken back: reduced_motion.")


async def test_a_confirmation_by_another_key(chat: MemoryChat, opened: Opened, go_to: GoTo) -> None:
    keymap = resolve("default", {"confirm_no": "z", "list_close": "f4"})
    async with opened(chat, keymap=keymap) as pilot:
        await go_to(pilot, Context.CONFIRM)
        assert str(pilot.app.screen.query_one("#no", Button).label) == "z no"
        await press(pilot, "n", "q")
        assert not isinstance(pilot.app.screen, ChatScreen)
        await press(pilot, "z")
        assert isinstance(pilot.app.screen, ChatScreen)
        await go_to(pilot, Context.CONFIRM)
        await press(pilot, "f4")
        assert isinstance(pilot.app.screen, ChatScreen)


async def test_the_connections_by_other_keys(chat: MemoryChat, opened: Opened) -> None:
    keymap = resolve("default", {"connection_edit": "z", "connections": "f8", "reconnect": "f7"})
    async with opened(chat, keymap=keymap) as pilot:
        await press(pilot, "f8", "e")
        assert "needs no settings" not in said(pilot)
        await press(pilot, "z")
        await shows(pilot, "The gateway of this machine needs no settings.")
        chat.put(connection=ConnectionState(Phase.OFFLINE, "No line."))
        await press(pilot, "f7")
        await until(pilot, lambda: "reconnect_now" in chat.asked)
        await press(pilot, "f8")
        assert isinstance(pilot.app.screen, ChatScreen)
        await shows(pilot, "F7 tries again at once.")


async def test_a_login_asks_again_by_another_key_on_the_list_and_in_a_field(
    chat: MemoryChat, opened: Opened, go_to: GoTo
) -> None:
    for context in (Context.WAYS, Context.LOGIN):
        async with opened(chat, keymap=resolve("default", {"login_again": "f7"})) as pilot:
            await go_to(pilot, context)
            asked = attrgetter("_sign_in")(pilot.app.screen)
            await press(pilot, "f5")
            assert asked.asked == 1
            await press(pilot, "f7")
            await until(pilot, lambda asked=asked: asked.asked == 2)


async def test_the_form_is_saved_by_another_key_and_its_letters_stay_text(
    chat: MemoryChat, opened: Opened, go_to: GoTo
) -> None:
    refused = resolve("default", {"form_save": "z"})
    assert [problem.kind for problem in refused.problems] == ["refused"]
    async with opened(chat, keymap=resolve("default", {"form_save": "f7", "list_down": "x"})) as pilot:
        await go_to(pilot, Context.FORM)
        await press(pilot, "x", "ctrl+s")
        assert pilot.app.screen.query_one("#name", Input).value == "x"
        await press(pilot, "f7")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChatScreen))


async def test_who_reacted_by_other_keys_and_the_digits_of_the_transcript(
    chat: MemoryChat, opened: Opened
) -> None:
    chat.set_reaction("m2", "👍")
    keymap = resolve("default", {"who": "f8", "told_keep_back": "z", "react_1": "x"})
    async with opened(chat, keymap=keymap) as pilot:
        await press(pilot, "escape", "f8")
        await shows(pilot, "[x]")
        await shows(pilot, "x 2 3 4 5 6 react")
        await press(pilot, "space", "1")
        assert chat.reactions.withheld == set()
        await press(pilot, "z")
        await until(pilot, lambda: chat.reactions.withheld == {("m2", None)})
        await press(pilot, "x")
        own = chat.state.messages[-1].reactions.by(Author.USER)
        assert own is not None and own.emoji == "❤️"
        await press(pilot, "f8")
        assert isinstance(pilot.app.screen, ChatScreen)


async def test_pins_and_the_menu_by_other_keys(chat: MemoryChat, opened: Opened, go_to: GoTo) -> None:
    memory = TapbackMemory()
    memory.change(pinned(Pin("s1", 2, "I booked a table for you.", 1_760_000_000.0)))
    keymap = resolve("default", {"pin_off": "z", "message_menu": "f8"})
    async with opened(chat, keymap=keymap, memory=memory) as pilot:
        await go_to(pilot, Context.PINS)
        await press(pilot, "d")
        assert memory.now.pins
        await press(pilot, "z")
        assert not memory.now.pins
        await shows(pilot, "F8 on a message offers it.")
        await press(pilot, "escape", "escape", "f8")
        await shows(pilot, "Enter does it")
        await press(pilot, "f8")
        assert isinstance(pilot.app.screen, ChatScreen)


async def test_lenses_by_other_keys(chat: MemoryChat, opened: Opened, go_to: GoTo) -> None:
    chat.set_reaction("m2", "👍")
    async with opened(chat, keymap=resolve("default", {"lens_whose": "z", "lens_name": "y"})) as pilot:
        await go_to(pilot, Context.LENSES)
        await press(pilot, "a", "n")
        assert "Tapbacks of anybody (z changes)." in said(pilot)
        await press(pilot, "z")
        assert "Tapbacks of you (z changes)." in said(pilot)
        await press(pilot, "y")
        assert isinstance(pilot.app.focused, Input)


async def test_quick_reactions_by_other_keys(chat: MemoryChat, opened: Opened, go_to: GoTo) -> None:
    async with opened(chat, (100, 30), keymap=resolve("default", {"quick_down": "z"})) as pilot:
        await go_to(pilot, Context.QUICK)
        listing = pilot.app.screen.query_one(OptionList)
        await press(pilot, "J")
        assert listing.highlighted == 0
        await press(pilot, "z")
        assert listing.highlighted == 1
        await shows(pilot, "z K move")
        await click_on(pilot, "K")
        assert listing.highlighted == 0


async def test_figures_tasks_files_and_models_by_other_keys(
    chat: MemoryChat, opened: Opened, go_to: GoTo
) -> None:
    keys = {"figures_anew": "z", "task_ask": "z", "file_add": "z", "model_narrow": "z"}
    async with opened(chat, keymap=resolve("default", keys)) as pilot:
        await go_to(pilot, Context.FIGURES)
        await press(pilot, "r")
        assert "forgets all figures" not in said(pilot)
        await press(pilot, "z")
        await shows(pilot, "z again forgets all figures.")
        await press(pilot, "escape")
        for context, old in ((Context.FILES, "a"), (Context.MODELS, "slash")):
            await go_to(pilot, context)
            await press(pilot, "escape" if isinstance(pilot.app.focused, Input) else old)
            assert not isinstance(pilot.app.focused, Input)
            await press(pilot, "z")
            assert isinstance(pilot.app.focused, Input)
            await press(pilot, "escape", "escape")
            assert isinstance(pilot.app.screen, ChatScreen)


@SIZES
async def test_an_approval_by_another_key(chat: MemoryChat, opened: Opened, go_to: GoTo, size: Size) -> None:
    keymap = resolve("default", {"card_once": "y", "card_deny": "n", "card_back": "f7"})
    async with opened(chat, size, keymap=keymap) as pilot:
        await go_to(pilot, Context.CARD)
        shown = said(pilot)
        assert "y once" in shown and " o once" not in shown
        assert size[0] < 80 or ("n deny" in shown and "F7 back" in shown)
        card = pilot.app.screen.query_one(QuestionCard)
        await until(pilot, lambda: attrgetter("_counts")(card))
        await press(pilot, "o", "O", "d", "tab")
        assert card.has_focus
        await press(pilot, "f7")
        assert not card.has_focus
        await press(pilot, "alt+a")
        await until(pilot, lambda: attrgetter("_counts")(card))
        await press(pilot, "y")
        await until(pilot, lambda: chat.questions.answered == [("a1", "once")])


async def test_other_answers_are_numbers_and_text_whatever_the_letters_mean(
    chat: MemoryChat, opened: Opened
) -> None:
    keymap = resolve("default", {"card_once": "1", "card_deny": "y"})
    async with opened(chat, keymap=keymap) as pilot:
        chat.put(questions=(Clarify("c1", "s1", (ClarifyItem("q1", "Which?", ("red", "blue")),)),))
        card = pilot.app.screen.query_one(QuestionCard)
        await until(pilot, lambda: card.asking is not None)
        await press(pilot, "alt+a")
        await until(pilot, lambda: attrgetter("_counts")(card))
        await press(pilot, "1")
        await until(pilot, lambda: chat.questions.answered == [("c1", "{'q1': 'red'}")])


def test_a_conflict_in_a_window_is_told_with_its_place() -> None:
    keymap = resolve("default", {"pin_off": "j", "task_stop": "r"})
    assert [(each.kind, each.action, each.other) for each in keymap.problems] == [
        ("taken", "pin_off", "list_down"),
        ("taken", "task_stop", "task_ask"),
    ]
    assert "(in the list of pinned messages)" in keymap.problems[0].sentence
    assert keymap.keys("list_down") == ("down", "j"), "elsewhere it stays"
    refused = resolve("default", {"file_add": "z", "file_remove": "z"}).problems
    assert [(each.kind, each.other) for each in refused] == [("refused", "file_add")]


def test_the_same_key_may_mean_one_thing_in_each_window() -> None:
    assert resolve("default", {"pin_off": "z", "lens_drop": "z", "quick_scope": "z"}).problems == ()
    lent = resolve("default", {"react_1": "j"})
    assert lent.meaning(Context.TOLD, ("j",)) == action("list_down"), "what is lent gives way"


@SIZES
async def test_all_of_the_keys_can_be_done_with_the_mouse(
    chat: MemoryChat, opened: Opened, go_to: GoTo, tmp_path: Path, size: Size
) -> None:
    file = tmp_path / "settings.toml"
    async with opened(chat, size, settings_file=file) as pilot:
        await go_to(pilot, Context.KEYS)
        await click_on(pilot, "/ find")
        await press(pilot, *"copy_markd")
        await click_on(pilot, "Enter takes it")
        await shows(pilot, "Only: copy_markd")
        await click_on(pilot, "+ more")
        await click_on(pilot, "Esc gives up")
        await click_on(pilot, "+ more")
        await press(pilot, "f8")
        await click_on(pilot, "Enter writes it")
        assert 'copy_markdown = "Y, f8"' in file.read_text("utf-8")
        await click_on(pilot, "- no key")
        assert 'copy_markdown = ""' in file.read_text("utf-8")
        await click_on(pilot, "d default")
        assert "copy_markdown" not in file.read_text("utf-8")
        await click_on(pilot, "p preset")
        assert 'preset = "vim"' in file.read_text("utf-8")
        await click_on(pilot, "Enter")
        assert attrgetter("catching")(pilot.app.screen)
        await click_on(pilot, "Esc gives up")
        await click_on(pilot, "Esc")
        assert isinstance(pilot.app.screen, ChatScreen)


async def test_the_places_of_the_actions_are_in_the_language_in_use(
    chat: MemoryChat, opened: Opened, go_to: GoTo, tmp_path: Path
) -> None:
    use("de")
    try:
        async with opened(chat, (100, 30), settings_file=tmp_path / "settings.toml") as pilot:
            await go_to(pilot, Context.KEYS)
            await press(pilot, "slash", *"pin_off")
            assert "In der Liste der angehefteten" in said(pilot)
            assert "pins" not in said(pilot)
    finally:
        use("en")


async def test_many_conflicts_are_told_in_a_few_lines(
    chat: MemoryChat, opened: Opened, go_to: GoTo, tmp_path: Path
) -> None:
    async with opened(chat, (100, 30), settings_file=tmp_path / "settings.toml") as pilot:
        await go_to(pilot, Context.KEYS)
        await press(pilot, "slash", *"list_down", "enter")
        await press(pilot, "enter", "d")
        shown = said(pilot)
        assert shown.count("no longer") == 3
        assert "3 more like these." in shown


async def test_sentences_of_the_chat_name_the_keys_in_use(chat: MemoryChat, opened: Opened) -> None:
    keys = {"copy_or_interrupt": "f4", "reconnect": "", "connections": "f8", "escape": "f3", "help": "f11"}
    keymap = resolve("default", {**keys, "palette": "ctrl+p"})
    assert keymap.problems == ()
    async with opened(chat, (110, 24), keymap=keymap) as pilot:
        await press(pilot, "f4")
        await told(pilot, "Press F4 again to quit.")
        chat.put(connection=ConnectionState(Phase.REFUSED, "No."))
        await shows(pilot, "F8 goes to another gateway, /reconnect tries again.")
    empty = MemoryChat()
    async with opened(empty, (110, 24), keymap=keymap) as pilot:
        await shows(pilot, "F3 and then 1-6 tap back on it.")
        await shows(pilot, "F11 shows all keys.")


async def test_a_chip_names_the_keys_that_answer_it(chat: MemoryChat, opened: Opened) -> None:
    from tui_tapback.widgets.chip import Chip

    async with opened(chat, keymap=resolve("zulip")) as pilot:
        pilot.app.screen.query_one(Chip).ask("x", "Really?")
        await shows(pilot, "Ctrl+D yes Esc no")
        pilot.app.screen.query_one(Transcript).focus()
        await shows(pilot, "Enter yes Esc no")


def test_every_window_has_a_word_for_plain_mode() -> None:
    from tui_tapback.plain.coverage import reason_for

    windows = [item for item in Group if item.name in Context.__members__]
    assert windows
    assert isinstance(QuickPanel.place_in, Context)
    assert all(reason_for(action(name)) for name, _ in AT_THE_FOOT.values())
