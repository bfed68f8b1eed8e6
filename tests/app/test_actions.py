"""The action table: nothing twice, nothing missing, everything bound."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import OWN, borrowed, own
from tui_tapback.actions.resolving import resolve, standard
from tui_tapback.actions.showing import markdown_table, show_key, show_keys
from tui_tapback.actions.table import ACTIONS, BOUND, action, in_group, lines
from tui_tapback.actions.windows import WINDOWS
from tui_tapback.app.actions import bindings
from tui_tapback.app.app import ChatApp
from tui_tapback.app.notes import HINTS, Mode, hints
from tui_tapback.app.palette import palette_label
from tui_tapback.app.screens.chat import ChatScreen
from tui_tapback.app.screens.confirm import ConfirmScreen
from tui_tapback.app.screens.connection_form import ConnectionForm
from tui_tapback.app.screens.connections import ConnectionsScreen
from tui_tapback.app.screens.help import HelpScreen
from tui_tapback.app.screens.login import LoginScreen
from tui_tapback.app.screens.panel import Panel
from tui_tapback.app.screens.sessions import SessionsScreen
from tui_tapback.app.screens.settings import SettingsScreen
from tui_tapback.app.screens.settings_frame import SettingsFrame
from tui_tapback.widgets.composer.commands import COMMANDS
from tui_tapback.widgets.composer.keys import COMPOSER_KEYS
from tui_tapback.widgets.picker.keys import MOVES, PICKER_KEYS
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.widgets.transcript.keys import PILL_COMMANDS, PILL_NUMBERS, TRANSCRIPT_COMMANDS

ROOT = Path(__file__).parents[2]


def keys_of(group: Group) -> set[str]:
    return {key for item in in_group(group) for key in item.keys}


def test_ids_are_unique() -> None:
    assert [name for name, count in Counter(item.id for item in ACTIONS).items() if count > 1] == []


@pytest.mark.parametrize("group", list(Group))
def test_no_key_means_two_things_in_one_place(group: Group) -> None:
    counted = Counter(key for item in in_group(group) for key in item.keys)
    assert [key for key, count in counted.items() if count > 1] == []


def all_of(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from all_of(each)


def windows() -> dict[Group, type[Any]]:
    """The windows with keys of their own, by the group of their actions."""
    panels = [each for each in all_of(Panel) if each.__module__.startswith("tui_tapback.")]
    found = {OWN[each.place_in][0]: each for each in panels if OWN[each.place_in][0] is not Group.LISTS}
    return found | {
        Group.HELP: HelpScreen,
        Group.CONFIRM: ConfirmScreen,
        Group.SETTINGS: SettingsFrame,
        Group.CONNECTIONS: ConnectionsScreen,
        Group.FORM: ConnectionForm,
        Group.LOGIN: LoginScreen,
    }


def test_every_bound_action_has_its_method() -> None:
    owners = {Group.EVERYWHERE: (ChatScreen, ChatApp), Group.SESSIONS: (SessionsScreen,)} | {
        group: (window, SettingsScreen) for group, window in windows().items()
    }
    missing = [
        item.id
        for group in BOUND
        for item in in_group(group)
        if item.keys
        and not any(
            hasattr(owner, f"action_{(item.command or item.id).partition('(')[0]}") for owner in owners[group]
        )
    ]
    assert missing == []


@pytest.mark.parametrize("group", sorted({item.group for item in WINDOWS} - {Group.CARD}))
def test_what_a_window_has_for_itself_stands_in_the_table(group: Group) -> None:
    window = windows()[group]
    context = next(place for place, groups in OWN.items() if groups[:1] == (group,))
    table = {key for item in (*own(context), *borrowed(context)) for key in item.keys}
    bound = {key for each in window.__dict__["BINDINGS"] for key in each.key.split(",")}
    lists = {
        *"gG",
        "down",
        "up",
        "enter",
        "tab",
        "shift+tab",
        "escape",
        "q",
    }  # movement, and what all windows share
    assert bound - lists - {"ctrl+c"} <= table, window
    assert {key for item in in_group(group) for key in item.keys} <= bound, window


def test_every_palette_action_has_its_method() -> None:
    missing = [i.id for i in ACTIONS if i.palette and not hasattr(ChatScreen, f"action_{i.id}")]
    assert missing == []


def test_the_screens_bind_what_the_table_says() -> None:
    bound = {
        key
        for binding in ChatScreen.BINDINGS
        if isinstance(binding, Binding)
        for key in binding.key.split(",")
    }
    early = bound - keys_of(Group.EVERYWHERE)  # those that move the focus; their widgets know them too
    of_the_pill = (keys_of(Group.PILL) | set(PILL_NUMBERS)) - keys_of(Group.EVERYWHERE)
    assert early == {"i", "alt+up", "ctrl+t", "alt+r"} | of_the_pill
    assert early - of_the_pill <= keys_of(Group.COMPOSER) | keys_of(Group.TRANSCRIPT)


def test_the_composers_keys_are_the_composers() -> None:
    table = {
        key: item.command
        for group in (Group.COMPOSER, Group.EDITING)
        for item in in_group(group)
        for key in item.keys
    }
    assert table == {
        key: command
        for key, command in COMPOSER_KEYS.items()
        if command != "escape" and key.isprintable()  # not how some terminals spell Shift+Enter
    }


def test_the_transcripts_and_the_pills_keys_are_all_there() -> None:
    assert keys_of(Group.TRANSCRIPT) == set(TRANSCRIPT_COMMANDS)
    verbs = {command.partition("(")[0] for command in TRANSCRIPT_COMMANDS.values()}
    assert [verb for verb in verbs if not hasattr(Transcript, f"action_{verb}")] == []
    digits = {str(number) for number in range(1, 8)}
    assert keys_of(Group.PILL) == set(PILL_COMMANDS) | digits


def test_the_pickers_keys_do_what_the_table_says() -> None:
    own = {"next_category", "previous_category", "tone", "variants", "pick", "back"}
    for item in in_group(Group.PICKER):
        assert {PICKER_KEYS[key] for key in item.keys} <= {item.command}, item.id
        assert not item.keys or item.command in own | MOVES, item.id


def test_the_typed_commands_are_those_of_the_composer() -> None:
    table = {item.slash for item in ACTIONS if item.slash.startswith("/")}
    assert table == {f"/{c.name} {c.argument}".strip() for c in COMMANDS}


def test_hints_name_real_keys() -> None:
    assert {mode: len(hints(mode, standard())) for mode in Mode} == {mode: len(HINTS[mode]) for mode in Mode}
    assert ("F1", "help") in hints(Mode.TYPING, standard())
    assert ("1-6", "tap back") in hints(Mode.READING, standard())
    assert hints(Mode.WORKING, standard())[0] == ("Esc", "stop")


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("ctrl+o", "Ctrl+O"),
        ("f1", "F1"),
        ("g", "g"),
        ("G", "G"),
        ("escape", "Esc"),
        ("alt+up", "Alt+↑"),
        ("plus", "+"),
        ("question_mark", "?"),
        ("shift+enter", "Shift+Enter"),
    ],
)
def test_keys_read_as_on_the_keyboard(key: str, shown: str) -> None:
    assert show_key(key) == shown


def test_a_run_of_digits_is_one_range() -> None:
    assert show_keys(("1", "2", "3")) == "1-3"
    assert show_keys(()) == ""


def test_priority_and_palette_labels() -> None:
    assert {b.action for b in bindings(Group.EVERYWHERE, priority=True)} >= {"copy_or_interrupt", "quit"}
    assert palette_label(action("palette"), standard()) == "Commands (Ctrl+P)"
    assert palette_label(action("palette"), resolve("emacs")) == "Commands (Alt+X)"
    assert palette_label(action("theme"), standard()) == "Change theme"


def test_the_markdown_has_a_row_for_every_action() -> None:
    rows = re.findall(r"^\| .* \|$", markdown_table(), re.MULTILINE)
    heads = 2 * len(Group)
    assert len(rows) == len(lines(ACTIONS)) + heads


def test_a_family_is_one_line() -> None:
    (line,) = (line for line in lines(in_group(Group.TRANSCRIPT)) if line.id == "react_1")
    assert show_keys(line.keys) == "1-6"
    assert line.told == action("react_6").family


def test_docs_keys_is_fresh() -> None:
    text = (ROOT / "docs" / "keys.md").read_text("utf-8")
    assert markdown_table().rstrip() in text, "run: python -m tui_tapback.demo.docs"
