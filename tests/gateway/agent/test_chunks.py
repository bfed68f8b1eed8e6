"""Chunks of all dialects are read alike, and no JSON whatever does more than fail with a named field."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_tapback.gateway.agent.calls import CallAssembler
from tui_tapback.gateway.agent.chunks import read_chunk
from tui_tapback.gateway.agent.provider import CallPiece, Piece, ReasoningPiece, TextPiece


def pieces(*choices: dict[str, Any]) -> list[Piece]:
    return list(read_chunk({"choices": list(choices)}).pieces())


@pytest.mark.parametrize(
    ("delta", "expected"),
    [
        ({"content": "hi"}, [TextPiece("hi")]),
        ({"content": [{"type": "text", "text": "h"}, {"text": "i"}]}, [TextPiece("hi")]),
        ({"content": ""}, []),
        ({"content": None, "refusal": "I will not."}, [TextPiece("I will not.")]),
        ({"reasoning_content": "hm"}, [ReasoningPiece("hm")]),
        ({"reasoning": "hm", "content": "hi"}, [ReasoningPiece("hm"), TextPiece("hi")]),
        ({"reasoning": "hm", "reasoning_content": "hm"}, [ReasoningPiece("hm")]),
        ({"tool_calls": [{"function": {"name": "f"}}]}, [CallPiece(None, "", "f", "")]),
        (
            {"tool_calls": [{"index": 1, "id": "a", "function": {"arguments": {"e": "👍"}}}]},
            [CallPiece(1, "a", "", '{"e": "👍"}')],
        ),
        ({"role": "assistant", "unknown": {"x": 1}}, []),
        (None, []),
    ],
)
def test_the_dialects(delta: dict[str, Any] | None, expected: list[Piece]) -> None:
    assert pieces({"index": 0, "delta": delta}) == expected


def test_only_the_first_answer_counts_and_chunks_without_one_say_nothing() -> None:
    other = {"index": 1, "delta": {"content": "other"}, "finish_reason": "stop"}
    assert pieces({"delta": {"content": "first"}}, other) == [TextPiece("first")]
    assert read_chunk({"choices": [other]}).finish_reason == ""
    silent: list[dict[str, object]] = [{}, {"choices": []}, {"choices": None}, {"usage": {"total_tokens": 3}}]
    for empty in silent:
        assert (list(read_chunk(empty).pieces()), read_chunk(empty).finish_reason) == ([], "")
    assert read_chunk({"choices": [{"finish_reason": "stop"}]}).finish_reason == "stop"


NAMES = [
    "choices",
    "index",
    "delta",
    "content",
    "text",
    "tool_calls",
    "function",
    "arguments",
    "finish_reason",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.fixed_dictionaries({"choices": st.lists(st.fixed_dictionaries({"delta": JSON}), max_size=2)}) | JSON
)
@settings(max_examples=200, deadline=None)
def test_any_json_is_read_or_refused(data: object) -> None:
    try:
        chunk = read_chunk(data)
    except msgspec.ValidationError as error:
        assert "`" in str(error)
    else:
        for piece in chunk.pieces():
            assert isinstance(piece, TextPiece | ReasoningPiece | CallPiece)


@given(
    st.lists(st.tuples(st.sampled_from(["send_message", "look", "x"]), st.text(max_size=12)), max_size=3),
    st.randoms(use_true_random=False),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_calls_come_out_the_same_however_their_arguments_are_cut(
    calls: list[tuple[str, str]], random: Any, mixed: bool
) -> None:
    bits = [CallPiece(index, f"id{index}", name) for index, (name, _) in enumerate(calls)]
    queues = [[CallPiece(i, arguments=char) for char in arguments] for i, (_, arguments) in enumerate(calls)]
    while any(queues):
        waiting = [queue for queue in queues if queue]
        bits.append((random.choice(waiting) if mixed else waiting[0]).pop(0))
    assembler = CallAssembler()
    for bit in bits:
        assembler.add(bit)
    made = [(call.call_id, call.name, call.arguments) for call in assembler.finish("f")]
    assert made == [(f"id{index}", name, arguments) for index, (name, arguments) in enumerate(calls)]
