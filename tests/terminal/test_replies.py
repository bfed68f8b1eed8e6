from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.terminal.replies import Attributes, CursorAt, ModeIs, Reply, ReplyParser

KEYS = st.one_of(
    st.sampled_from(["a", "é", "❤️", "\r", "\x03", "\x7f", "\x1b[A", "\x1bOP", "\x1b[1;5C", "\x1b[15~"]),
    # What looks like an answer and is a key: F3 with Ctrl, a paste, a mouse report, the focus.
    st.sampled_from(["\x1b[1;5R", "\x1b[R", "\x1b[200~2;3R\x1b[201~", "\x1b[<0;3;2M", "\x1b[I", "\x1bx"]),
    st.text(st.characters(exclude_characters="\x1b", exclude_categories=["Cs"]), max_size=4),
).map(str.encode)
REPLIES = st.one_of(
    st.integers(1, 999).map(lambda column: (b"\x1b[2;%dR" % column, CursorAt(2, column))),
    st.tuples(st.sampled_from([2026, 2027]), st.integers(0, 4)).map(
        lambda told: (b"\x1b[?%d;%d$y" % told, ModeIs(*told))
    ),
    st.sampled_from(["", "6", "62;22", "1;2;4"]).map(lambda told: (f"\x1b[?{told}c".encode(), Attributes())),
)
STREAMS = st.lists(st.one_of(KEYS.map(lambda key: (key, None)), REPLIES), max_size=30)


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    edges = sorted({0, len(stream), *(place % (len(stream) + 1) for place in places)})
    return [stream[start:end] for start, end in pairwise(edges)]


@given(STREAMS, st.lists(st.integers(0, 10_000), max_size=20))
def test_however_the_bytes_are_cut_answers_and_keys_are_told_apart(
    stream: list[tuple[bytes, Reply | None]], places: list[int]
) -> None:
    parser = ReplyParser(row=2)
    whole = b"".join(piece for piece, _ in stream)
    found = [reply for piece in cut(whole, places) for reply in parser.feed(piece)]
    assert found == [reply for _, reply in stream if reply is not None]
    assert parser.close() == b"".join(piece for piece, reply in stream if reply is None)


@given(st.binary(max_size=200), st.lists(st.integers(0, 10_000), max_size=20))
def test_of_rubbish_no_byte_is_lost_and_the_cuts_change_nothing(rubbish: bytes, places: list[int]) -> None:
    whole, pieces = ReplyParser(row=2), ReplyParser(row=2)
    expected = whole.feed(rubbish)
    assert [reply for piece in cut(rubbish, places) for reply in pieces.feed(piece)] == expected
    assert pieces.close() == whole.close()
    if not expected:
        assert whole.keys == rubbish


@pytest.mark.parametrize("end", [b"\x1b", b"\x1b[", b"\x1b[2;", b"\x1b[?2027;2$"])
def test_what_is_unfinished_at_the_end_was_typed(end: bytes) -> None:
    parser = ReplyParser(row=2)
    assert parser.feed(b"x" + end) == []
    assert parser.keys == b"x" and parser.unfinished
    assert parser.close() == b"x" + end and not parser.unfinished


def test_a_single_escape_before_an_answer_stays_a_key() -> None:
    parser = ReplyParser(row=2)
    assert parser.feed(b"\x1b\x1b[2;3R") == [CursorAt(2, 3)]
    assert parser.close() == b"\x1b"


def test_a_sequence_without_end_does_not_swallow_what_follows() -> None:
    parser = ReplyParser(row=2)
    endless = b"\x1b[" + b"1;" * 500
    assert parser.feed(endless) == [] and not parser.unfinished and parser.keys == endless
    assert parser.feed(b"\x1b[2;7R") == [CursorAt(2, 7)]
    assert parser.close() == endless
