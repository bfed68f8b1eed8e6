"""The confirmed state: identity of bubbles, orphans, pages, order, and a recorded Hermes session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tui_tapback.client.mirror import Mirror
from tui_tapback.client.orphans import LIMIT
from tui_tapback.client.sequence import Sequence
from tui_tapback.client.state import Counters
from tui_tapback.domain import events as ev
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.testing.client import counted, emojis, silent_conversation
from tui_tapback.wire.events import EventParams, event_params
from tui_tapback.wire.methods import Inflight, Snapshot
from tui_tapback.wire.rows import WireRow

RECORDED = json.loads((Path(__file__).parent / "data" / "hermes_turns.json").read_text("utf-8"))


def mirror(*, foreign: bool = False) -> Mirror:
    return Mirror(clock=lambda: 100.0, ids=counted(), foreign=foreign)


def row(number: int, role: str = "assistant", text: str = "text", **meta: Any) -> WireRow:
    return WireRow(
        role=role, text=text, row_id=number, timestamp=float(number), display_metadata=meta or None
    )


def reacted(emoji: str = "❤️", author: Author = Author.USER) -> ReactionSet:
    return ReactionSet((Reaction(emoji, author, 1.0),))


def stored(number: int, text: str = "text", role: Role = Role.ASSISTANT, **fields: Any) -> ev.RowStored:
    message = Message(key=f"row-{number}", role=role, text=text, at=1.0, row_id=number)
    return ev.RowStored(message, **fields)


def test_a_reaction_before_its_message_is_kept_for_it() -> None:
    state = mirror()
    state.apply(ev.ReactionsChanged(51, reacted()))
    assert state.messages == ()
    state.apply(stored(51, tells_reactions=False))
    assert emojis(state.messages[0]) == ["user ❤️"]


def test_reactions_without_a_message_are_given_up_after_a_while() -> None:
    state = mirror()
    for number in range(1, LIMIT + 50):
        state.apply(ev.ReactionsChanged(number, reacted()))
    state.apply(stored(1, tells_reactions=False))
    state.apply(stored(LIMIT + 40, tells_reactions=False))
    assert [emojis(m) for m in state.messages] == [[], ["user ❤️"]]
    for _ in range(4):
        state.apply(ev.TurnStarted())
        state.apply(ev.TurnEnded("complete"))
    state.apply(stored(LIMIT + 41, tells_reactions=False))
    assert emojis(state.messages[2]) == []


def test_a_page_that_does_not_mention_reactions_keeps_them_and_an_empty_list_clears_them() -> None:
    state = mirror()
    state.load([row(30, reactions=[{"emoji": "❤️", "author": "user", "at": 1.0}])], running=False)
    state.extend([row(n) for n in range(1, 31)], older=True)
    assert [m.row_id for m in state.messages] == list(range(1, 31))
    assert emojis(state.messages[-1]) == ["user ❤️"]
    state.extend([row(30, reactions=[])], older=True)
    assert emojis(state.messages[-1]) == []


def test_loading_the_same_history_again_gives_the_same_objects() -> None:
    state = mirror()
    state.load([row(1, "user"), row(2, reactions=[{"emoji": "👍", "at": 1.0}]), row(3)], running=False)
    before = state.messages
    state.load([row(1, "user"), row(2), row(3)], running=False)
    assert state.messages[0] is before[0]
    assert state.messages[2] is before[2]
    assert emojis(state.messages[1]) == []


def test_white_space_does_not_make_two_bubbles_of_one_answer() -> None:
    state = mirror()
    state.apply(ev.TurnStarted(2))
    state.apply(ev.TextArrived("Hello \nworld"))
    key = state.messages[0].key
    state.apply(stored(2, "Hello\nworld"))
    state.apply(ev.TurnEnded("complete", "Hello\nworld", row_ids=(2,), final_row_id=2))
    state.load([row(2, text="Hello\nworld")], running=False)
    assert [(m.key, m.text) for m in state.messages] == [(key, "Hello\nworld")]


def test_two_answers_that_begin_alike_stay_two() -> None:
    state = mirror(foreign=True)
    for number in (2, 4):
        state.apply(ev.TurnStarted())
        state.apply(ev.TextArrived("x" * 300))
        state.apply(ev.TurnEnded("complete", "x" * 300, row_ids=(number,), final_row_id=number))
    assert [m.row_id for m in state.messages] == [2, 4]
    state.load([row(2, text="x" * 300), row(4, text="x" * 300)], running=False)
    assert len({m.key for m in state.messages}) == 2


def test_a_message_that_waited_takes_its_place_when_its_turn_comes() -> None:
    state = mirror()
    state.apply(stored(1, "first", Role.USER))
    state.apply(ev.TurnStarted(2))
    state.apply(ev.TextArrived("part one"))
    waiting = Message(key="row-3", role=Role.USER, text="second", at=1.0, row_id=3, status=Status.WAITING)
    state.apply(ev.RowStored(waiting))
    state.apply(stored(2, "part one"))
    state.apply(ev.ToolStarted("c1", "read_file"))
    state.apply(ev.ToolFinished("c1", "read_file", "ok"))
    state.apply(ev.TurnStarted(4))
    state.apply(ev.TextArrived("part two"))
    assert [m.text for m in state.messages] == ["first", "part one", "", "part two", "second"]
    state.apply(stored(4, "part two"))
    state.apply(ev.TurnEnded("complete", row_ids=(1, 2, 4)))
    state.apply(stored(3, "second", Role.USER))
    state.apply(ev.TurnStarted(5))
    state.apply(ev.TextArrived("answer"))
    assert [m.text for m in state.messages] == ["first", "part one", "", "part two", "second", "answer"]


def test_rewound_rows_go_and_an_interrupted_answer_says_so() -> None:
    state = mirror()
    state.load([row(1, "user"), row(2, interrupted=True), row(3, "user")], running=False)
    assert state.messages[1].status is Status.INTERRUPTED
    state.apply(ev.RowsRemoved((2, 3, 99)))
    assert [m.row_id for m in state.messages] == [1]


def test_a_failed_turn_on_a_foreign_gateway_shows_its_reason() -> None:
    state = mirror(foreign=True)
    state.apply(ev.TurnStarted())
    state.apply(ev.TextArrived("half an ans"))
    state.apply(ev.TurnEnded("error", "The model failed.", error="HTTP 500", row_ids=(1, 2)))
    (failed,) = state.messages
    assert (failed.status, failed.text, failed.error) == (Status.FAILED, "half an ans", "HTTP 500")
    assert not state.running


def test_the_reason_of_a_failed_turn_is_said_once_live_and_after_a_reload() -> None:
    """It is no text of the agent: not in the bubble, not in a copy, not in an export."""
    reason = "No model server answers. Start it."
    for text, error in ((reason, reason), (reason, "")):
        state = mirror(foreign=True)
        state.apply(ev.TurnStarted())
        state.apply(ev.TurnEnded("error", text, error=error, row_ids=(1, 2)))
        (live,) = state.messages
        assert (live.status, live.text, live.error) == (Status.FAILED, "", reason)
    read = msgspec.structs.replace(row(2, text=reason, error=reason), display_kind="failed_turn")
    state = mirror()
    state.load([row(1, "user"), read], running=False)
    failed = state.messages[1]
    assert (failed.status, failed.text, failed.error) == (Status.FAILED, "", reason)
    other = msgspec.structs.replace(row(2, text="The turn failed.", error=reason), display_kind="failed_turn")
    state.load([row(1, "user"), other], running=False)
    assert (state.messages[1].text, state.messages[1].error) == ("The turn failed.", reason)


def test_a_failure_that_no_row_tells_of_stays_where_it_happened() -> None:
    """A Hermes gateway on which no model is set up stores the question and nothing else."""
    reason = "Hermes is not connected to any AI provider yet."
    state = mirror(foreign=True)
    state.load([row(1, "user", "Hello")], running=False)
    state.apply(ev.TurnEnded("error", reason, error=reason))
    state.load([row(1, "user", "Hello")], running=False)
    assert [(m.text, m.error) for m in state.messages] == [("Hello", ""), ("", reason)]
    state.load([row(1, "user", "Hello"), row(2, "user", "Still there?")], running=False)
    assert [m.text or m.error for m in state.messages] == ["Hello", reason, "Still there?"]
    # What the gateway does tell of, and a question that was taken back, leave nothing of it.
    state.load([row(1, "user", "Hello"), row(3, text="Hi.")], running=False)
    assert [m.text for m in state.messages] == ["Hello", "Hi."]
    state.apply(ev.TurnEnded("error", reason, error=reason))
    state.load([], running=False)
    assert state.messages == ()


@pytest.mark.parametrize("began", [False, True])
def test_a_refusal_ends_the_wait_for_a_turn_and_no_turn_that_began(began: bool) -> None:
    """Hermes ends a turn that is stopped before its agent is ready with ``error`` and nothing else."""
    state = mirror(foreign=True)
    state.expect_turn(since=state.turns)
    state.apply(ev.SessionInfo(running=True))
    if began:
        state.apply(ev.TurnStarted())
    state.apply(ev.Notice("Turn cancelled before the agent was ready", "error", refusal=True))
    assert state.idle is not began


def test_a_running_turn_is_taken_up_from_a_snapshot() -> None:
    state = mirror(foreign=True)
    running = Inflight(user="question", assistant="so far", streaming=True)
    state.load([row(1, "user"), row(2)], running=True, inflight=running)
    assert [(str(m.role), m.text) for m in state.messages[2:]] == [
        ("user", "question"),
        ("assistant", "so far"),
    ]
    asked, answer = state.messages[2:]
    state.apply(ev.TextArrived(" and on"))
    state.apply(ev.TurnEnded("complete", "so far and on", row_ids=(3, 4), user_row_id=3, final_row_id=4))
    assert [(m.key, m.row_id) for m in state.messages[2:]] == [(asked.key, 3), (answer.key, 4)]


def test_reactions_of_an_answer_that_is_written_come_with_the_snapshot() -> None:
    state = mirror()
    raw = {"assistant": "so", "streaming": True, "row_id": 2, "reactions": [{"emoji": "👍", "at": 1.0}]}
    state.load([row(1, "user")], running=True, inflight=msgspec.convert(raw, Inflight))
    assert emojis(state.messages[1]) == ["user 👍"]
    state.apply(ev.ReactionsChanged(2, reacted("🔥", Author.AGENT)))
    assert emojis(state.messages[1]) == ["agent 🔥"]


def test_a_sequence_drops_doubles_holds_gaps_and_gives_up_what_will_not_come() -> None:
    stream = Sequence()
    events = [EventParams("x", "s", None, n) for n in range(8)]
    stream.hold()
    assert stream.offer(events[3]) == stream.offer(events[5]) == []
    assert stream.release(3) == []  # the snapshot has the third
    assert stream.gap
    assert stream.offer(events[4]) == [events[4], events[5]]
    assert (stream.offer(events[4]), stream.duplicates) == ([], 1)
    assert stream.offer(events[7]) == []
    assert stream.settle(6) == [events[7]]
    assert (stream.last, stream.gap) == (7, False)
    assert stream.offer(EventParams("global", "")) == [EventParams("global", "")]


def test_a_recorded_hermes_session_reads_the_same_live_and_from_its_history() -> None:
    counters = Counters()
    conversation = silent_conversation("20261130_123140_0b43f7", counters, foreign=True)
    conversation.load(Snapshot("c1c8a66e", stored_session_id="20261130_123140_0b43f7"))
    for raw in RECORDED["events"]:
        conversation.event(event_params(raw))
    live = conversation.messages
    assert [(str(m.role), m.text) for m in live] == [
        ("assistant", "echo: hello"),
        ("assistant", "answer"),
        ("tool", ""),
        ("assistant", "done"),
        ("tool", ""),
        ("assistant", "done"),
        ("assistant", "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10"),
    ]
    assert [m.row_id for m in live] == [2, 5, None, 9, None, 13, 15]
    assert live[1].reasoning == "I am thinking about it"
    assert live[-1].status is Status.INTERRUPTED
    assert conversation.mirror.agent_reacts is True
    assert conversation.mirror.title == "About hello"
    assert (counters.malformed_frames, counters.gaps, counters.duplicate_events) == (0, 0, 0)
    assert set(counters.unknown_events) <= {"thinking.delta", "reasoning.available", "tool.generating"}

    conversation.mirror.load(msgspec.convert(RECORDED["history"], list[WireRow]), running=False)
    after = {m.key: m for m in conversation.messages}
    assert len(after) == 12
    for message in live:
        same = after[message.key]
        assert (same.text, same.row_id, same.status) == (message.text, message.row_id, message.status)
        assert same.tool is None or message.tool is None or same.tool.result == message.tool.result


def test_tools_in_another_shape_do_not_cost_the_end_of_the_turn() -> None:
    conversation = silent_conversation("s", Counters(), foreign=True)
    conversation.load(Snapshot("runtime", stored_session_id="s"))
    for payload in ({"running": True}, {"running": False, "tools": ["flat", "list"], "model": "m"}):
        conversation.event(EventParams("session.info", "runtime", payload))
    assert not conversation.mirror.running
    assert conversation.mirror.model == "m"
    assert conversation.mirror.agent_reacts is None


@pytest.mark.parametrize("foreign", [False, True])
def test_an_answer_after_an_end_that_could_not_be_read_is_another_bubble(foreign: bool) -> None:
    conversation = silent_conversation("s", Counters(), foreign=foreign)
    conversation.load(Snapshot("s", stored_session_id="s"))
    for text in ("one", "two"):
        conversation.event(EventParams("message.start", "s"))
        conversation.event(EventParams("message.delta", "s", {"text": text}))
        conversation.event(EventParams("message.complete", "s", {"text": ["nonsense"]}))
        conversation.event(EventParams("session.info", "s", {"running": False}))
    assert [m.text for m in conversation.messages] == ["one", "two"]
    assert all(m.status is Status.STORED for m in conversation.messages)
    assert conversation.stale  # the history knows more
