"""What a terminal tells of its background, in all spellings, whole, cut, hostile and among keys."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tui_tapback.terminal.background import Sieve, answers_colour, colour_of, is_dark, named

ENDS = st.sampled_from(["\x07", "\x1b\\"])
DIGITS = st.integers(1, 4)
KEYS = st.one_of(
    st.sampled_from(["a", "é", "❤️", "\r", "\x03", "\x1b[A", "\x1bOP", "\x1b[1;5C", "\x1b[20~", "\x1b[I"]),
    # What begins as an answer does, and is none: Alt+], F9, modes, a mouse report, a title, a pasted answer.
    st.sampled_from(
        [
            "\x1b]x",
            "\x1b[?2026;2$y",
            "\x1b[<0;3;2M",
            "\x1b]0;x\x07",
            "\x1b[?997;3$y",
            "\x1b[?2031$y",
            "\x1b[?2031;5$y",
            "\x1b\x1bx",
        ]
    ),
    st.sampled_from(
        ["\x1b[200~\x1b]11;#fff\x07\x1b[?997;2n\x1b[2\x1b[201~", "\x1b[200~\x1b[201~", "]11;#fff"]
    ),
    st.text(st.characters(exclude_characters="\x1b", exclude_categories=["Cs"]), max_size=4),
)


def spelt(part: int, digits: int) -> str:
    """``part`` (0 to 15) of a colour, in so many digits."""
    return f"{part:x}" * digits


@st.composite
def colours(draw: st.DrawFn) -> tuple[str, bool]:
    parts = [draw(st.integers(0, 15)) for _ in range(3)]
    digits = draw(DIGITS)
    words = [spelt(part, digits) for part in parts]
    told = draw(
        st.sampled_from([f"rgb:{'/'.join(words)}", f"rgba:{'/'.join(words)}/ff", f"#{''.join(words)}"])
    )
    linear = [part / 15 / 12.92 if part == 0 else ((part / 15 + 0.055) / 1.055) ** 2.4 for part in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    told = told.upper().replace("RGBA:", "rgba:").replace("RGB:", "rgb:") if draw(st.booleans()) else told
    return f"\x1b]11;{told}{draw(ENDS)}", (light + 0.05) ** 2 < 1.05 * 0.05


ANSWERS = st.one_of(colours(), st.sampled_from([("\x1b[?997;1n", True), ("\x1b[?997;2n", False)]))
STREAMS = st.lists(st.one_of(KEYS.map(lambda key: (key, None)), ANSWERS), max_size=20)


def cut(stream: str, places: list[int]) -> list[str]:
    edges = sorted({0, len(stream), *(place % (len(stream) + 1) for place in places)})
    return [stream[start:end] for start, end in pairwise(edges)]


@given(STREAMS, st.lists(st.integers(0, 10_000), max_size=20))
@example([("\x1b", None), ("\x1b[?997;2n", False), ("\x1b", None)], [1, 2])
def test_however_it_is_cut_answers_are_heard_and_keys_go_on(
    stream: list[tuple[str, bool | None]], places: list[int]
) -> None:
    sieve = Sieve()
    pieces = cut("".join(piece for piece, _ in stream), places)
    passed = "".join(map(sieve.feed, pieces)) + sieve.give_up()
    assert passed == "".join(piece for piece, dark in stream if dark is None)
    told = [dark for _, dark in stream if dark is not None]
    assert sieve.dark is (told[-1] if told else None)


@given(
    st.text(st.sampled_from("\x1b[]?1297;0~n$\\\x07rgb:f/#a\r"), max_size=60), st.lists(st.integers(0, 60))
)
def test_of_rubbish_nothing_is_added_and_the_cuts_change_nothing(rubbish: str, places: list[int]) -> None:
    whole, pieces = Sieve(), Sieve()
    passed = whole.feed(rubbish)
    assert "".join(map(pieces.feed, cut(rubbish, places))) == passed
    assert pieces.give_up() == (rest := whole.give_up()) and pieces.dark is whole.dark
    signs = iter(rubbish)
    assert all(sign in signs for sign in passed + rest)
    if "\x1b]11;" not in rubbish and "\x1b[?997;" not in rubbish:
        assert passed + rest == rubbish


@pytest.mark.parametrize(
    "told",
    [
        *(
            "",
            "?",
            "rgb:",
            "rgb:1/2",
            "rgb:1/2/3/4",
            "rgba:1/2/3",
            "rgb:12345/0/0",
            "rgb:g/0/0",
            "rgb:-1/0/0",
        ),
        *(
            "#",
            "#12",
            "#12345",
            "white",
            "rgb:١/0/0",
            "rgb:1_1/0/0",
            "hsl:1/2/3",
            "rgb: 1/2/3",
            "#-12",
            "x" * 300,
        ),
    ],
)
def test_an_answer_that_makes_no_sense_goes_nowhere(told: str) -> None:
    sieve = Sieve()
    assert colour_of(told) is None
    assert sieve.feed(f"a\x1b]11;{told}\x1b\\b") == "ab" and sieve.dark is None and not sieve.held


@pytest.mark.parametrize(
    ("broken", "passed"),
    [
        ("\x1b]11;rgb:ff\x1b[A", "\x1b[A"),
        ("\x1b]11;rgb:ff\rx", "\rx"),
        ("\x1b]11;rgb:ff\x1b\x1b[A", "\x1b[A"),
        ("\x1b]11;rgb:ff\x1b]11;#000\x07x", "x"),
    ],
)
def test_an_answer_that_breaks_off_costs_itself_only(broken: str, passed: str) -> None:
    sieve = Sieve()
    assert sieve.feed(broken) + sieve.give_up() == passed


def test_an_answer_without_an_end_does_not_swallow_for_ever() -> None:
    sieve = Sieve()
    sieve.feed("\x1b]11;" + "f" * 600)
    assert sieve.feed("typed") == "typed"
    assert sieve.feed("\x1b]11;rgb:f") == "" and sieve.certain and sieve.typed() == "" and sieve.held
    assert sieve.give_up() == "" and not sieve.held and sieve.feed("x") == "x"


def test_dark_is_what_white_is_easier_to_read_on() -> None:
    colours = {"#002b36": True, "#fdf6e3": False, "#777777": False, "#6f6f6f": True, "#0000ff": True}
    colours |= {"#00ff00": False, "#ff0000": False, "#282c34": True}
    for told, dark in colours.items():
        colour = colour_of(told)
        assert colour is not None and is_dark(colour) is dark and named(colour) == told


@pytest.mark.parametrize(
    ("environ", "answers"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x"}, True),
        ({"TERM": "screen-256color", "TMUX": "/tmp/x"}, True),
        ({"TERM": "xterm", "LC_ALL": "C"}, True),
        ({"TERM": "screen"}, False),
        ({"TERM": "xterm", "STY": "1.x"}, False),
        ({"TERM": "linux"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "vt220"}, False),
        ({}, False),
        ({"TERM": "xterm", "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}, False),
    ],
)
def test_it_is_asked_for_where_that_is_safe(environ: dict[str, str], answers: bool) -> None:
    assert answers_colour(environ) is answers


@pytest.mark.parametrize(("state", "tells"), [(0, False), (1, True), (2, True), (3, False), (4, False)])
def test_a_mode_that_can_be_set_is_told(state: int, tells: bool) -> None:
    sieve = Sieve()
    assert "".join(map(sieve.feed, f"a\x1b[?2031;{state}$yb")) == "ab"
    assert sieve.tells is tells
