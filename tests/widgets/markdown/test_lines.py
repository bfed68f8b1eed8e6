"""Wrapping: nothing is lost, nothing is too wide, no cluster is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from tui_tapback.terminal.graphemes import clusters
from tui_tapback.widgets.markdown.lines import _SIMPLE as SIMPLE  # pyright: ignore[reportPrivateUsage] -- its claim
from tui_tapback.widgets.markdown.lines import Line, break_text, wrap_runs

PLAIN, BOLD = Style(), Style(bold=True)
alphabet = st.sampled_from(
    [
        "a",
        "bc",
        " ",
        "  ",
        "-",
        "é",
        "e\u0301",
        "危",
        "险",
        "👍",
        "👩🏽‍💻",
        "❤️",
        "🇩🇪",
        "한",
        "ا",
        "क्षि",
        "x" * 9,
        "“",
        "→",
    ]
)
words = st.lists(alphabet, max_size=40).map("".join)


def texts(lines: list[Line]) -> list[str]:
    return [line.text for line in lines]


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 8, ["one two", "three"]),
        ("supercalifragilistic", 8, ["supercal", "ifragili", "stic"]),
        ("see https://example.org/a/b/c now", 12, ["see https://", "example.org/", "a/b/c now"]),
        ("see Donaudampfschiff", 10, ["see Donaud", "ampfschiff"]),
        ("a Donaudampf", 10, ["a", "Donaudampf"]),
        ("危险危险危险", 5, ["危险", "危险", "危险"]),
        ("for 👍.", 6, ["for", "👍."]),
        ("危险危险。", 8, ["危险危", "险。"]),
        ("ab …)", 4, ["ab", "…)"]),
        ("ab危险", 4, ["ab危", "险"]),
        ("👩🏽‍💻👩🏽‍💻👩🏽‍💻", 4, ["👩🏽‍💻👩🏽‍💻", "👩🏽‍💻"]),
        ("  indented text", 10, ["  indented", "text"]),
        ("", 10, [""]),
        ("     ", 3, [""]),
    ],
)
def test_examples(text: str, width: int, expected: list[str]) -> None:
    assert texts(wrap_runs([(text, PLAIN)], width)) == expected


@given(words, st.integers(2, 30))
def test_every_line_fits_and_only_blanks_at_breaks_are_dropped(text: str, width: int) -> None:
    lines = texts(wrap_runs([(text, PLAIN)], width))
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(words, st.integers(2, 30))
def test_no_cluster_is_cut(text: str, width: int) -> None:
    whole = [cluster for cluster in clusters(text) if cluster != " "]
    pieces = [c for line in wrap_runs([(text, PLAIN)], width) for c in clusters(line.text) if c != " "]
    assert pieces == whole


@given(words, st.integers(2, 30))
def test_preformatted_text_loses_nothing_at_all(text: str, width: int) -> None:
    lines = texts(wrap_runs([(text, PLAIN)], width, hard=True))
    assert "".join(lines) == text
    assert all(cell_len(line) <= width for line in lines)


@given(st.lists(st.tuples(words, st.sampled_from([PLAIN, BOLD])), max_size=6), st.integers(2, 30))
def test_styles_stay_on_their_characters(runs: list[tuple[str, Style]], width: int) -> None:
    before = [(char, style) for text, style in runs for char in text if char != " "]
    after = [
        (char, style)
        for line in wrap_runs(runs, width)
        for text, style in line.runs
        for char in text
        if char != " "
    ]
    assert after == before


def test_characters_taken_for_simple_are_one_cell_each() -> None:
    simple = [chr(code) for code in range(0x20, 0x3000) if SIMPLE.fullmatch(chr(code))]
    assert len(simple) > 500
    assert {cell_len(char) for char in simple} == {1}
    assert len(list(clusters("".join(simple)))) == len(simple)


def test_a_break_never_makes_an_empty_line_of_its_own() -> None:
    assert break_text("aaaa bbbb", 4) == [(0, 4), (5, 9)]
