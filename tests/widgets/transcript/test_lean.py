"""Lean strips look to a terminal as Rich's own do, and take fewer bytes."""

from __future__ import annotations

from typing import Any

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui_tapback.widgets.transcript.lean import LeanStrip, lean_ansi

COLOURS = st.sampled_from([None, "red", "#102030", "#e4e7ec", "color(200)", "default"])
STYLES = st.builds(
    Style,
    color=COLOURS,
    bgcolor=COLOURS,
    bold=st.booleans(),
    dim=st.booleans(),
    italic=st.booleans(),
    underline=st.booleans(),
    blink=st.booleans(),
    reverse=st.booleans(),
    strike=st.booleans(),
)
RUNS = st.lists(st.tuples(st.text("ab ❤", min_size=1, max_size=4), STYLES | st.none()), max_size=9)
SYSTEMS = [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR]


def drawn(ansi: str) -> tuple[list[Any], Any]:
    """All cells of a terminal after ``ansi``, and the style that it goes on with."""
    screen = pyte.Screen(60, 1)
    pyte.Stream(screen).feed(ansi)
    return [screen.buffer[0][column] for column in range(60)], screen.cursor.attrs


@pytest.mark.parametrize("system", SYSTEMS)
@given(RUNS)
def test_a_terminal_shows_the_same(system: ColorSystem, runs: list[tuple[str, Style | None]]) -> None:
    segments = [Segment(text, style) for text, style in runs]
    whole = "".join(
        text if style is None else style.render(text, color_system=system) for text, style in runs
    )
    assert drawn(lean_ansi(segments, system)) == drawn(whole)


def test_a_change_of_weight_takes_few_bytes() -> None:
    plain = Style.parse("#e4e7ec on #14161a")
    bold = plain + Style(bold=True)
    runs = [Segment("and ", plain), Segment("word ", bold)] * 10
    lean = lean_ansi(runs, ColorSystem.TRUECOLOR)
    assert lean.count("38;2") == 1
    assert len(lean) < len("".join(style.render(text) for text, style, _ in runs if style)) / 4


def test_attributes_that_end_with_the_same_code_are_kept_apart() -> None:
    both, one = Style(bold=True, dim=True), Style(dim=True)
    ansi = lean_ansi([Segment("a", both), Segment("b", one)], ColorSystem.TRUECOLOR)
    assert ansi == "\x1b[1;2ma\x1b[22;2mb\x1b[0m"
    rare = lean_ansi([Segment("a", Style(overline=True)), Segment("b", one)], ColorSystem.TRUECOLOR)
    assert rare == "\x1b[53ma\x1b[0m\x1b[2mb\x1b[0m"


def test_a_link_is_written_whole() -> None:
    ansi = lean_ansi([Segment("a", Style(bold=True, link="https://x.example"))], ColorSystem.TRUECOLOR)
    assert "https://x.example" in ansi
    assert ansi.startswith("\x1b]8;")


def test_it_is_a_strip_like_any_other() -> None:
    segments = [Segment("ab", Style(bold=True)), Segment("c")]
    lean = LeanStrip(segments, 3)
    assert lean == Strip(segments, 3)
    assert lean.crop(0, 1) == Strip(segments, 3).crop(0, 1)
