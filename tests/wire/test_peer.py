"""The sans-IO peer: calls find their answers, and nothing that a gateway sends can break it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.errors import MalformedFrame, RpcError
from tui_tapback.wire.methods import (
    METHODS,
    MostRecent,
    NoParams,
    Ok,
    ReactionSetParams,
    ReactParams,
    SubmitParams,
    Submitted,
)
from tui_tapback.wire.peer import NOT_SHOWN_QUESTIONS, Answered, EventCame, Nothing, Peer, Refused, Reply


def answer(number: object, **members: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, **members})


def test_answers_find_their_calls_in_any_order() -> None:
    peer = Peer()
    first, _ = peer.call("prompt.submit", SubmitParams("s", "hi"))
    second, _ = peer.call("session.most_recent", NoParams())
    match peer.receive(answer(second, result={"session_id": "x", "unknown": 1})):
        case Answered(number, MostRecent(session_id="x")):
            assert number == second
        case other:
            pytest.fail(str(other))
    assert peer.pending == (first,)
    match peer.receive(answer(first, result={"status": "streaming", "user_row_id": 7})):
        case Answered(number, Submitted(status="streaming", user_row_id=7)):
            assert number == first
        case other:
            pytest.fail(str(other))
    assert peer.pending == ()


def test_a_call_is_a_json_rpc_request_without_members_that_were_not_given() -> None:
    _, text = Peer().call("prompt.submit", SubmitParams("s", "hi"))
    assert json.loads(text) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "prompt.submit",
        "params": {"session_id": "s", "text": "hi"},
    }


def test_removing_a_reaction_says_null_and_an_expectation_of_nothing_too() -> None:
    _, text = Peer().call("message.react", ReactParams("s", row_id=4, emoji=None))
    assert json.loads(text)["params"] == {"session_id": "s", "row_id": 4, "emoji": None}
    _, text = Peer().call("reaction.set", ReactionSetParams("s", 4, None, "op", expected=None))
    assert json.loads(text)["params"] == {
        "session_id": "s",
        "row_id": 4,
        "emoji": None,
        "op_id": "op",
        "expected": None,
    }
    _, text = Peer().call("reaction.set", ReactionSetParams("s", 4, "👍", "op"))
    assert "expected" not in json.loads(text)["params"]


def test_parameters_of_another_method_are_a_fault_of_ours() -> None:
    with pytest.raises(TypeError, match=r"prompt\.submit takes SubmitParams"):
        Peer().call("prompt.submit", NoParams())
    with pytest.raises(KeyError):
        Peer().call("no.such.method", NoParams())


def test_a_refusal_carries_code_sentence_and_data() -> None:
    peer = Peer()
    number, _ = peer.call("gateway.ping", NoParams())
    error: dict[str, Any] = {
        "code": 4803,
        "message": "Meanwhile\x1b[2J it \u202ewas\nchanged.",
        "data": {"reactions": []},
    }
    match peer.receive(answer(number, error=error)):
        case Refused(_, RpcError(code=4803, data={"reactions": []}) as refusal):
            assert str(refusal).isprintable()
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize("result", [[], "text", 5, {"status": 5}, {"status": "x", "user_row_id": "7"}, None])
def test_an_answer_of_the_wrong_shape_fails_the_call_with_its_name(result: object) -> None:
    peer = Peer()
    number, _ = peer.call("prompt.submit", SubmitParams("s", "hi"))
    match peer.receive(answer(number, result=result)):
        case Refused(_, MalformedFrame(field="prompt.submit")):
            assert peer.counters.malformed == 1
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize("number", [99, "1", None, "srq-1", 1.0])
def test_an_answer_nobody_waits_for_is_counted_and_set_aside(number: object) -> None:
    peer = Peer()
    peer.call("gateway.ping", NoParams())
    assert isinstance(peer.receive(answer(number, result={"ok": True})), Nothing)
    assert peer.counters.stray_answers + peer.counters.malformed == 1
    assert peer.pending == (1,)


def test_an_answer_that_comes_twice_or_too_late_counts_as_stray() -> None:
    peer = Peer()
    one, _ = peer.call("gateway.ping", NoParams())
    two, _ = peer.call("gateway.ping", NoParams())
    peer.forget(two)
    assert isinstance(peer.receive(answer(one, result={})), Answered)
    assert isinstance(peer.receive(answer(one, result={})), Nothing)
    assert isinstance(peer.receive(answer(two, result={})), Nothing)
    assert peer.counters.stray_answers == 2


@pytest.mark.parametrize("method", sorted(NOT_SHOWN_QUESTIONS))
def test_a_question_that_is_not_shown_here_is_declined_politely(method: str) -> None:
    peer = Peer()
    match peer.receive(json.dumps({"id": "srq-a1", "method": method, "params": {}})):
        case Reply(text):
            assert json.loads(text) == {
                "jsonrpc": "2.0",
                "id": "srq-a1",
                "error": {"code": 4404, "message": "not shown here"},
            }
        case other:
            pytest.fail(str(other))


def test_an_unknown_question_is_answered_as_unknown() -> None:
    match Peer().receive(json.dumps({"id": 5, "method": "make.coffee"})):
        case Reply(text):
            assert json.loads(text)["error"]["code"] == -32601
        case other:
            pytest.fail(str(other))


MALFORMED = [
    "",
    "{",
    "null",
    "[]",
    "[1, 2]",
    '"text"',
    "{}",
    '{"id": 1}',
    '{"jsonrpc": "2.0", "method": "event"}',
    '{"jsonrpc": "2.0", "method": "event", "params": []}',
    '{"jsonrpc": "2.0", "method": "event", "params": {"type": 5}}',
    '{"jsonrpc": "2.0", "method": "event", "params": {"type": "x", "seq": "1"}}',
    '{"jsonrpc": "2.0", "method": "event", "params": {"type": "x", "payload": "text"}}',
    '{"jsonrpc": "2.0", "id": {"a": 1}, "result": {}}',
    '{"jsonrpc": "2.0", "id": 1, "error": "no"}',
    "[" * 100_000,
    '{"method": "notice"}',
]


@pytest.mark.parametrize("text", MALFORMED, ids=[text[:40] for text in MALFORMED])
def test_malformed_frames_are_counted_and_nothing_else_happens(text: str) -> None:
    peer = Peer()
    number, _ = peer.call("gateway.ping", NoParams())
    assert isinstance(peer.receive(text), Nothing)
    assert peer.counters.malformed == 1
    assert isinstance(peer.receive(answer(number, result={"ok": True})), Answered)


def test_an_event_keeps_its_number_and_session() -> None:
    params = {"type": "message.delta", "session_id": "s", "payload": {"text": "x"}, "seq": 3}
    match Peer().receive(json.dumps({"jsonrpc": "2.0", "method": "event", "params": params})):
        case EventCame(event):
            assert (event.type, event.session_id, event.seq) == ("message.delta", "s", 3)
        case other:
            pytest.fail(str(other))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FRAMES = st.dictionaries(
    st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), JSON, max_size=6
)


@given(st.lists(FRAMES | JSON, max_size=8), st.sampled_from(sorted(METHODS)))
def test_no_frame_of_a_hostile_gateway_raises(frames: list[Any], name: str) -> None:
    peer = Peer()
    if METHODS[name].params is NoParams:
        peer.call(name, NoParams())
    for frame in frames:
        peer.receive(json.dumps(frame))


@given(st.binary(max_size=60))
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(Peer().receive(data), Nothing | Reply | EventCame)


def test_results_ignore_fields_of_a_newer_gateway() -> None:
    peer = Peer()
    number, _ = peer.call("gateway.ping", NoParams())
    match peer.receive(answer(number, result={"ok": True, "new": {"deep": [1]}})):
        case Answered(_, Ok(ok=True)):
            pass
        case other:
            pytest.fail(str(other))
