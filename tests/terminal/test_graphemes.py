from __future__ import annotations

import wcwidth
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui_tapback.terminal import graphemes
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE

PIECES = st.lists(
    st.sampled_from(
        [*"ab  é", "日本", "👍🏽", "👨‍👩‍👧", "❤️", "🇩🇪", "e\u0301", "1️⃣", "👩\u200d", "\u200d", "x\ufe0f"]
    ),
    max_size=20,
).map("".join)


def test_carets_stand_only_between_clusters() -> None:
    text = "a🐻‍❄️b"
    assert graphemes.cluster_starts(text) == [0, 1, 5, 6]
    assert graphemes.next_boundary(text, 1) == 5
    assert graphemes.previous_boundary(text, 5) == 1
    assert graphemes.snap(text, 3) == 1
    assert graphemes.next_boundary(text, 6) == 6
    assert graphemes.previous_boundary(text, 0) == 0


def test_crop_says_that_it_cut_and_pad_reaches_the_width() -> None:
    assert graphemes.crop("日本語です", 5, ellipsis="…") == "日本…"
    assert graphemes.crop("short", 9, ellipsis="…") == "short"
    assert graphemes.crop("👨‍👩‍👧x", 1) == ""
    assert graphemes.fill("👍x", 5) == "👍x  "
    assert graphemes.fill("abc", 0) == ""


def test_wrap_breaks_at_blanks_and_inside_words_only_when_it_must() -> None:
    assert graphemes.wrap("the quick brown fox", 10) == ["the quick", "brown fox"]
    assert graphemes.wrap("abcdefgh ij", 4) == ["abcd", "efgh", "ij"]
    assert graphemes.wrap("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 4) == ["👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧"]
    assert graphemes.wrap("", 10) == [""]


@given(PIECES, st.integers(0, 30))
def test_both_halves_of_a_cut_are_together_as_wide_as_the_whole(text: str, cells: int) -> None:
    fitted = EmojiFitter(SAFE).fit_text(text)
    left, right = graphemes.split_cells(fitted, cells)
    assert cell_len(left) == min(cells, cell_len(fitted))
    assert cell_len(left) + cell_len(right) == cell_len(fitted)


@given(PIECES, st.integers(0, 40))
def test_steps_look_at_a_word_only_and_agree_with_the_whole_text(text: str, offset: int) -> None:
    starts, offset = graphemes.cluster_starts(text), min(offset, len(text))
    assert graphemes.previous_boundary(text, offset) == max([s for s in starts if s < offset], default=0)
    assert graphemes.next_boundary(text, offset) == min([s for s in starts if s > offset], default=len(text))
    assert graphemes.snap(text, offset) == max(s for s in starts if s <= offset)


@given(PIECES, st.integers(2, 20))
def test_wrapping_loses_nothing_but_blanks_and_fits(text: str, cells: int) -> None:
    fitted = EmojiFitter(SAFE).fit_text(text)
    lines = graphemes.wrap(fitted, cells)
    assert all(cell_len(line) <= cells for line in lines)
    assert "".join(lines).replace(" ", "") == fitted.replace(" ", "")


def test_characters_that_are_taken_for_whole_ones_without_a_look_are_whole() -> None:
    """Each beside each kind of neighbour that is taken for one too; the tables are asked for all others."""
    whole = [chr(n) for n in range(0x11000) if graphemes._SINGLE(chr(n))]  # pyright: ignore[reportPrivateUsage] -- the shortcut itself is under test
    assert len(whole) > 20_000
    text = "".join(whole)
    assert list(wcwidth.iter_graphemes(text)) == whole
    for neighbour in "a\x00\n©…→☝你か":
        pairs = "".join(f"{char}{neighbour}" for char in whole)
        assert list(wcwidth.iter_graphemes(pairs)) == list(pairs)
    assert list(graphemes.clusters("a\r\nb☝️👍🏽e\u0301")) == ["a", "\r\n", "b", "☝️", "👍🏽", "e\u0301"]
