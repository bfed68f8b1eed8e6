"""What one token may cost: long open blocks are torn, long tables shortened, and words never lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE
from tui_tapback.widgets.markdown import MarkdownRenderer, MarkdownStyles, StreamedLiteral, StreamedMarkdown
from tui_tapback.widgets.markdown.render import TABLE_ROWS
from tui_tapback.widgets.markdown.stream import OPEN_MOST
from tui_tapback.widgets.transcript.prose import Prose

RENDERER = MarkdownRenderer(EmojiFitter(SAFE), MarkdownStyles())
UNITS = {
    "paragraph": "some **bold** and `code` words, ",
    "list": "- an *item* of it\n",
    "code": "value = 1  # why\n",
    "unbroken": "x" * 31,
    "quote": "> said **so**\n",
    "wide": "危险‼️" * 9,
}


@pytest.mark.parametrize("name", UNITS)
def test_no_token_parses_more_than_the_open_piece(name: str) -> None:
    stream, text, worst = StreamedMarkdown(RENDERER, 60), "```python\n" if name == "code" else "", 0
    while len(text) < 6_000:
        text += UNITS[name]
        before = stream.parsed
        stream.lines(text)
        worst = max(worst, stream.parsed - before)
    assert worst <= OPEN_MOST + 100
    words = "".join(Prose(stream.lines(text)).text.split())
    assert words == "".join(Prose(RENDERER.render(text, 60)).text.split()), "torn, but all of it is there"


def test_code_after_a_torn_fence_is_still_code_and_what_follows_is_not() -> None:
    stream, text = StreamedMarkdown(RENDERER, 60), "before\n\n```python\n"
    for _ in range(400):
        text += "value = 1  # *why*\n"
        stream.lines(text)
    text += "```\n\n*after*\n"
    drawn = [line.text for line in stream.lines(text)]
    assert drawn[-1] == "after"
    assert [line.strip() for line in drawn[2:-2]] == ["▎ value = 1  # *why*"] * 400
    assert not stream.exact


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([*UNITS.values(), "\n\n", "\n", "```\n", "# h\n"]), max_size=60), st.data())
def test_what_streams_in_pieces_is_what_is_drawn_at_once(pieces: list[str], data: st.DataObject) -> None:
    text, stream = "".join(pieces), StreamedMarkdown(RENDERER, 50)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    for cut in cuts:
        stream.lines(text[:cut])
    streamed = [line.text.rstrip() for line in stream.lines(text)]
    if stream.exact:
        assert streamed == [line.text.rstrip() for line in RENDERER.render(text, 50)]


def test_a_literal_text_without_line_ends_is_not_wrapped_anew_with_each_piece() -> None:
    stream, text = StreamedLiteral(RENDERER, 60), ""
    while len(text) < 9_000:
        text += "plain words "
        stream.lines(text)
    first = stream.lines(text)[:60]
    text += "more"
    assert all(a is b for a, b in zip(first, stream.lines(text), strict=False))


def test_of_a_table_of_twenty_thousand_rows_the_first_are_a_table_and_none_is_lost() -> None:
    rows = "".join(f"| {n} | {n * n} |\n" for n in range(20_000))
    lines = RENDERER.render(f"| n | square |\n|--|--:|\n{rows}\nafter **it**", 60)
    assert lines[1].text.startswith("─")
    assert "│" in lines[TABLE_ROWS].text
    assert lines[-1].text == "after it"
    assert sum("| 19999 |" in line.text for line in lines) == 1
    assert len(lines) < 20_100


ODD = {
    "right to left": "שלום עולם, مرحبا بالعالم والناس",
    "combining": "e\u0301a\u0308o\u0302" * 12,
    "cjk": "今日は天気がいいから、散歩しましょう。" * 3,
    "mixed": "abc שלום 危险 e\u0301 👩🏽‍💻 end",
}


@pytest.mark.parametrize("width", [8, 20, 60])
@pytest.mark.parametrize("name", ODD)
def test_scripts_of_all_kinds_keep_their_order_their_marks_and_their_width(name: str, width: int) -> None:
    lines = RENDERER.render(ODD[name], width)
    assert all(line.width <= width for line in lines)
    assert Prose(lines).text == ODD[name], "in the order in which it was written"
    assert not any(line.text.startswith(("\u0301", "\u0308", "\u0302", "、", "。")) for line in lines)
