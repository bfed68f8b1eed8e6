from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from rich.cells import cell_len

from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.graphemes import cluster_starts
from tui_tapback.terminal.profile import SAFE
from tui_tapback.widgets.composer.history import PromptHistory
from tui_tapback.widgets.composer.layout import LayoutEngine
from tui_tapback.widgets.editing import STEPS, EditState, UndoStack
from tui_tapback.widgets.incoming import TypedCharacters, clean_paste

CLUSTERS = ["🐻‍❄️", "❤️‍🩹", "🏳️‍⚧️", "👨‍👩‍👧", "👍🏽", "🇩🇪", "e\u0301", "〽️", "1️⃣", "क्षि"]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_one_step_and_one_backspace_take_a_whole_cluster(cluster: str) -> None:
    state = EditState.at_end(f"a{cluster}")
    assert state.left().caret == 1
    assert state.left().right().caret == len(state.text)
    assert state.delete_left().text == "a"
    assert state.left().delete_right().text == "a"


@pytest.mark.parametrize("text", ["〽️abc", "❤️abc"])
def test_the_caret_stands_behind_an_emoji_after_one_step(text: str) -> None:
    state = EditState.at_end(text).line_start().right()
    assert text[state.caret :] == "abc"
    layout = LayoutEngine(EmojiFitter(SAFE).fit_text).lay(text, 40)
    assert layout.caret(state.caret) == (2, 0)


def test_a_tone_typed_after_a_hand_joins_it() -> None:
    state = EditState.at_end("👍").insert("🏽")
    assert state.left().caret == 0
    assert EditState("🏽x", 0, 0).insert("👍").caret == 2


def test_words_lines_and_selections() -> None:
    state = EditState.at_end("one two\nthree")
    assert state.word_left().caret == 8
    assert state.line_start().delete_to_line_start().text == "one twothree"
    assert state.delete_word_left().text == "one two\n"
    assert state.select_all().insert("x") == EditState.at_end("x")
    assert state.word_left(select=True).selected == "three"
    assert EditState("one two", 0, 0).word_right().caret == 3
    assert EditState("ab", 2, 0).left().caret == 0
    assert EditState("one two", 3, 3).delete_to_line_end().text == "one"


def test_typing_is_undone_by_words_and_redone() -> None:
    undo, state = UndoStack(), EditState()
    for char in "hi you":
        after = state.insert(char)
        undo.record(state, after, typing=True)
        state = after
    seen = [state.text]
    for step in (undo.undo, undo.undo, undo.undo, undo.redo, undo.redo, undo.redo):
        state = step(state)
        seen.append(state.text)
    assert seen == ["hi you", "hi ", "", "", "hi ", "hi you", "hi you"]


def test_undo_of_huge_texts_keeps_the_last_step_and_little_more() -> None:
    undo, state = UndoStack(room=100), EditState()
    for size in (40, 50, 60, 70):
        after = EditState.at_end("x" * size)
        undo.record(state, after)
        state = after
    state = undo.undo(state)
    assert len(state.text) == 60
    assert undo.undo(state) == state


def test_history_keeps_the_draft() -> None:
    history = PromptHistory(["one", "two"])
    assert history.older("draft") == "two"
    assert history.older("two") == "one"
    assert history.older("one") is None
    assert history.newer() == "two"
    assert history.newer() == "draft"
    assert history.newer() is None
    history.add("two")
    assert history.entries == ("one", "two")
    history.add("  ")
    assert history.entries == ("one", "two")


@pytest.mark.parametrize(
    ("pasted", "kept"),
    [
        ("\x01\x16\x1b[A text", "␁␖␛[A text"),
        ("a\r\nb\rc\td", "a\nb\nc\td"),
        ("\ud83d\ude00", "😀"),
        ("x\ud83dy", "xy"),
        ("😀𝔘𩸽", "😀𝔘𩸽"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("bob\u202eexe", "bobexe"),
    ],
)
def test_what_is_pasted_comes_in_clean(pasted: str, kept: str) -> None:
    assert clean_paste(pasted) == kept
    kept.encode()


def test_an_emoji_that_arrives_in_two_surrogates_is_one() -> None:
    typed = TypedCharacters()
    assert [typed.take(c) for c in ("\ud83d", "\ude00", "a", "\ud83d", "b", "\ude00", None, "\x1b")] == [
        "", "😀", "a", "", "b", "", "", "",
    ]  # fmt: skip
    assert typed.take("\u200d") == "\u200d"


class EditingMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.state = EditState()
        self.undo = UndoStack()

    @rule(piece=st.sampled_from([*CLUSTERS, *"ab \n", "\u200d", "🏽", "\ufe0f", "日本"]))
    def insert(self, piece: str) -> None:
        self.step(self.state.insert(piece))

    @rule(name=st.sampled_from(sorted(STEPS)))
    def act(self, name: str) -> None:
        self.step(STEPS[name](self.state))

    @rule()
    def take_back(self) -> None:
        before = self.state
        self.state = self.undo.undo(before)
        if self.state != before:
            assert self.undo.redo(self.state).text == before.text
            self.state = self.undo.undo(before)

    def step(self, after: EditState) -> None:
        self.undo.record(self.state, after)
        self.state = after

    @invariant()
    def the_caret_never_stands_inside_a_cluster(self) -> None:
        starts = cluster_starts(self.state.text)
        assert self.state.caret in starts
        assert 0 <= self.state.anchor <= len(self.state.text)


TestEditing = EditingMachine.TestCase


@given(
    st.lists(st.sampled_from([*CLUSTERS, *"abc   \n", "日本", "\t"]), max_size=40).map("".join),
    st.integers(4, 20),
)
def test_rows_fit_cover_the_text_and_lead_back_to_the_same_caret(text: str, width: int) -> None:
    layout = LayoutEngine(EmojiFitter(SAFE).fit_text).lay(text, width)
    assert "".join(text[row.start : row.end] for row in layout.rows) == text.replace("\n", "")
    for y in range(len(layout.rows)):
        assert cell_len("".join(glyph.drawn for glyph in layout.glyphs(y)).rstrip(" ")) < width
    for offset in cluster_starts(text):
        x, y = layout.caret(offset)
        assert layout.offset_at(x, y) == offset
