"""Keymaps: presets without conflicts, a person's keys over them, and what can never be lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tui_tapback.actions.action import Group
from tui_tapback.actions.chords import is_text, parse_chord, parse_key, split_chords
from tui_tapback.actions.contexts import ESSENTIAL, ON_CHAT, TYPING, Context, mappable, own
from tui_tapback.actions.keymap import Drop, Run, Send, decide, differing, without_keys
from tui_tapback.actions.presets import PRESETS, PresetName
from tui_tapback.actions.resolving import resolve, standard
from tui_tapback.actions.sequences import Begun, Sequences
from tui_tapback.actions.table import ACTIONS, action
from tui_tapback.domain.errors import InvalidInput

ALL = pytest.mark.parametrize("preset", list(PRESETS))
IDS = [item.id for item in ACTIONS]


@ALL
def test_a_preset_names_actions_that_exist_by_keys_that_exist(preset: PresetName) -> None:
    for action_id, keys in PRESETS[preset].items():
        item = action(action_id)
        for chord in map(parse_chord, split_chords(keys)):
            assert not (item.group in (Group.COMPOSER, Group.EDITING, Group.PICKER) and is_text(chord[0]))


@ALL
def test_in_its_own_place_every_action_has_all_its_keys(preset: PresetName) -> None:
    keymap = resolve(preset)
    assert keymap.problems == ()
    assert without_keys(keymap) == ()
    for context in Context:
        for item in own(context):
            changed = PRESETS[preset].get(item.id)
            wanted = split_chords(changed) if changed is not None else item.keys
            for chord in map(parse_chord, wanted):
                assert keymap.meaning(context, chord) == item, f"{chord} {item.id} {context}"


@ALL
def test_what_works_everywhere_works_wherever_one_does_not_type(preset: PresetName) -> None:
    keymap = resolve(preset)
    for context in ON_CHAT:
        reached = {item.id for item in keymap.tables[context].values()}
        if context is Context.PICKER:  # Esc is the picker's own there
            reached.add("escape")
        missing = {item.id for item in ACTIONS if item.group is Group.EVERYWHERE and item.keys} - reached
        # Esc closes and Ctrl+Z undoes where the place has them for itself
        assert missing <= {"escape", "suspend"}, context


def test_the_default_keymap_is_the_table() -> None:
    for item in ACTIONS:
        assert standard().keys(item.id) == item.keys
    assert differing(standard(), standard()) == frozenset()


def test_a_persons_key_takes_it_from_another_action_and_that_is_told() -> None:
    keymap = resolve("default", {"lens": "w"})
    assert keymap.shown("lens") == "w"
    assert keymap.shown("who") == ""
    (problem,) = keymap.problems
    assert (problem.kind, problem.action, problem.other) == ("taken", "lens", "who")
    assert "(lens)" in problem.sentence
    assert "(who)" in problem.sentence


def test_an_empty_text_is_no_key() -> None:
    keymap = resolve("default", {"fold": ""})
    assert keymap.keys("fold") == ()
    assert keymap.problems == ()
    assert decide(keymap, standard(), Context.TRANSCRIPT, ("space",)) == Drop()


@pytest.mark.parametrize(
    ("own_keys", "words"),
    [
        ({"copyy": "f9"}, "Did you mean copy?"),
        ({"send": "x"}, "x is text where"),
        ({"fold": "ctrl+m"}, "the same for ctrl+m as for enter"),
        ({"fold": "ctrl+i"}, "the same for ctrl+i as for tab"),
        ({"fold": "ctrl+["}, "as for escape"),
        ({"fold": "ctrl+foo"}, "no key “ctrl+foo”"),
        ({"fold": "g g g"}, "not one key and not two"),
        ({"fold": "ctrl+q"}, "Ctrl+Q belongs to “Quit” (quit)"),
        ({"fold": "alt+a"}, "belongs to “Answer what is asked”"),
        ({"fold": "escape escape"}, "hide the way back"),
        ({"fold": "z escape"}, "hide the way back"),
        ({"steer": "f9"}, "needs words behind it"),
        ({"quit": "", "help": ""}, "would have no key that works everywhere"),
        ({"quit": "Q"}, "would have no key that works everywhere"),
        ({"fold": "z", "lens": "z"}, "z belongs to “Unfold or fold"),
        ({"fold": "z z", "lens": "z"}, "z belongs to “Unfold or fold"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(own_keys: dict[str, str], words: str) -> None:
    problems = [problem for problem in resolve("default", own_keys).problems if problem.kind == "refused"]
    assert words in " ".join(problem.sentence for problem in problems)


def test_an_action_keeps_its_keys_where_none_of_the_new_ones_can_be() -> None:
    assert resolve("default", {"copy": "ctrl+m, foo+x"}).keys("copy") == ("y",)
    assert resolve("default", {"copy": "ctrl+m, f9"}).keys("copy") == ("f9",)


def test_keys_that_rarely_arrive_are_told_of_and_kept() -> None:
    keymap = resolve("default", {"fold": "ctrl+shift+k"})
    assert keymap.keys("fold") == ("ctrl+shift+k",)
    assert [problem.kind for problem in keymap.problems] == ["doubtful"]


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("Ctrl+Y", "ctrl+y"),
        ("?", "question_mark"),
        ("+", "plus"),
        ("alt++", "alt+plus"),
        ("Esc", "escape"),
        ("PgDn", "pagedown"),
        ("shift+a", "A"),
        ("shift+ctrl+left", "ctrl+shift+left"),
        ("é", "é"),
        ("/", "slash"),
        ("-", "minus"),
        ("_", "underscore"),
        ("ctrl+/", "ctrl+slash"),
        ("space", "space"),
    ],
)
def test_keys_are_read_as_people_write_them(written: str, key: str) -> None:
    assert parse_key(written) == key


@given(st.text(max_size=12))
def test_any_text_is_a_key_or_is_refused(text: str) -> None:
    try:
        assert parse_key(parse_key(text)) == parse_key(text)
    except InvalidInput as error:
        assert error.sentence()


KEYS = st.sampled_from(
    [
        *("ctrl+q", "escape", "f1", "enter", "question_mark", "j", "g", "g g", "g x", "ctrl+x", "ctrl+x b"),
        *("alt+a", "f9", "f10", "1", "down", "ctrl+t", "ctrl+c", "ctrl+i", "tab", "ctrl+o", "x", "é"),
    ]
)
MAPS = st.dictionaries(
    st.sampled_from([*IDS, "nothing"]) | st.sampled_from(ESSENTIAL),
    st.lists(KEYS, max_size=3).map(", ".join),
    max_size=8,
)


@given(st.sampled_from(list(PRESETS)), MAPS)
@example("default", {"quit": "f1", "help": ""})
@example("default", {"quit": "enter"})
@example("emacs", {"escape": "ctrl+x", "copy": "escape"})
def test_nothing_essential_is_ever_lost_and_no_conflict_goes_unseen(
    preset: PresetName, own_keys: dict[str, str]
) -> None:
    keymap = resolve(preset, own_keys)
    for context, table in keymap.tables.items():
        for chord in table:
            assert not (context in TYPING and is_text(chord[0]))
            assert len(chord) == 1 or (chord[0],) not in table, "the first of two keys acts at once"
    # what is essential has a key that is no text, and has it wherever it is meant
    for action_id in ESSENTIAL:
        ways = [chord for chord in keymap.chords[action_id] if not is_text(chord[0])]
        assert ways, action_id
    composing = {item.id for item in keymap.tables[Context.COMPOSER].values()}
    assert set(ESSENTIAL) <= composing
    for context in Context:
        assert "quit" in {item.id for item in keymap.tables[context].values()}, context
    # every key that was asked for is there, or it is told why not
    told = {problem.action for problem in keymap.problems}
    for action_id, text in own_keys.items():
        if action_id in told:
            continue
        item = action(action_id)
        assert mappable(item)
        for chord in map(parse_chord, split_chords(text)):
            assert chord in keymap.chords[action_id]
    # and so is every key that another action has lost by it
    moved = {problem.other for problem in keymap.problems} | set(own_keys)
    before = resolve(preset)
    for item in ACTIONS:
        if item.id not in moved:
            assert keymap.chords[item.id] == before.chords[item.id], item.id


@given(st.sampled_from(list(PRESETS)), MAPS, st.sampled_from(list(Context)))
def test_every_key_leads_to_its_action_by_the_keys_that_the_widgets_know(
    preset: PresetName, own_keys: dict[str, str], context: Context
) -> None:
    keymap, known = resolve(preset, own_keys), standard()
    for chord, item in keymap.tables[context].items():
        match decide(keymap, known, context, chord):
            case Send(key):
                assert known.meaning(context, (key,)) == item
            case Run(action_id):
                assert action_id == item.id
                assert item.group in (Group.EVERYWHERE, Group.COMPOSER) or item.palette
            case Drop():
                raise AssertionError(f"{chord} is lost")


def test_two_keys_in_a_row() -> None:
    keys = Sequences(resolve("vim"), standard())
    begun = keys.press(Context.TRANSCRIPT, "g")
    assert isinstance(begun, Begun)
    assert begun.told == "g …  g First message · x Open a link of the message"
    assert keys.waiting
    assert keys.press(Context.TRANSCRIPT, "g") == Send("g")
    assert not keys.waiting
    keys.press(Context.TRANSCRIPT, "g")
    assert keys.press(Context.TRANSCRIPT, "escape") == Drop()
    keys.press(Context.TRANSCRIPT, "g")
    assert keys.press(Context.TRANSCRIPT, "q") == Drop()
    keys.press(Context.TRANSCRIPT, "g")
    keys.forget()
    assert keys.press(Context.TRANSCRIPT, "j") == Send("j")
    keys.press(Context.TRANSCRIPT, "g")
    assert keys.press(Context.COMPOSER, "g") == Send("g"), "the place is another one: a letter is a letter"


def test_what_has_no_default_key_is_run_by_its_id() -> None:
    keymap = resolve("default", {"theme": "f9", "suspend": "ctrl+x ctrl+z"})
    assert decide(keymap, standard(), Context.COMPOSER, ("f9",)) == Run("theme")
    # Ctrl+Z is undo while typing, so the way to the shell has no default key there
    keys = Sequences(keymap, standard())
    keys.press(Context.COMPOSER, "ctrl+x")
    assert keys.press(Context.COMPOSER, "ctrl+z") == Run("suspend")
