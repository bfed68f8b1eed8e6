"""A strip laid over another keeps its width and tears no cluster of either."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui_tapback.terminal.graphemes import clusters
from tui_tapback.widgets.transcript.overlay import cut, overlay

BOLD = Style(bold=True)


@pytest.mark.parametrize(
    ("under", "x", "over", "expected"),
    [
        ("abcdef", 2, "XY", "abXYef"),
        ("👍👎😂❓", 1, "XY", " XY 😂❓"),
        ("👍👎😂❓", 2, "XY", "👍XY😂❓"),
        ("a👩🏽‍💻b危c", 2, "X", "a Xb危c"),
        ("abc", -1, "👍Y", " Yc"),
        ("abc", 2, "👍", "ab "),
        ("abc", 3, "X", "abc"),
    ],
)
def test_examples(under: str, x: int, over: str, expected: str) -> None:
    assert overlay(Strip([Segment(under)]), x, Strip([Segment(over)])).text == expected


pieces = st.sampled_from(["a", " ", "危", "👍", "❤️", "👩🏽‍💻", "🇩🇪", "e\u0301"])


def bold(text: str) -> Segment:
    return Segment(text, BOLD)


texts = st.lists(pieces, max_size=5).map("".join)
segments = st.lists(st.builds(bold, texts), max_size=5)


@given(segments, st.integers(-5, 30), segments)
def test_the_width_stays_and_no_cluster_is_torn(under: list[Segment], x: int, over: list[Segment]) -> None:
    below, above = Strip(under), Strip(over)
    result = overlay(below, x, above)
    assert Strip(list(result)).cell_length == below.cell_length
    known = {cluster for segment in (*under, *over) for cluster in clusters(segment.text)} | {" "}
    assert {cluster for segment in result for cluster in clusters(segment.text)} <= known


@given(segments, st.integers(0, 20), st.integers(0, 20))
def test_a_cut_is_as_wide_as_asked(line: list[Segment], start: int, stop: int) -> None:
    width = Strip(line).cell_length
    expected = max(0, min(stop, width) - min(start, width))
    assert Strip(cut(line, start, stop)).cell_length == expected
