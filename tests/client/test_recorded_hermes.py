"""What a real Hermes gateway once sent, replayed: the agent's tapback is there once, however it was told."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tui_tapback.client.conversation import Conversation
from tui_tapback.client.state import Counters
from tui_tapback.testing.client import emojis, silent_conversation
from tui_tapback.wire.events import event_params
from tui_tapback.wire.methods import Snapshot

RECORDED = json.loads((Path(__file__).parent / "data" / "hermes_reactions.json").read_text())


def replayed(name: str) -> tuple[Conversation, Counters, int]:
    """The conversation after the recording, what was counted, and the row that the agent reacted to."""
    events = RECORDED[name]
    runtime_id = events[0]["session_id"]
    told = next(e for e in RECORDED["A" if name == "B" else name] if e["type"] == "message.reaction")
    row_id = told["payload"]["row_id"]
    counters = Counters()
    conversation = silent_conversation(told["session_id"], counters, foreign=True)
    row = {"role": "user", "text": "[[hang 3]] a joke", "row_id": row_id, "timestamp": 1.0}
    snapshot = {"session_id": runtime_id, "stored_session_id": told["session_id"], "messages": [row]}
    conversation.load(msgspec.convert(snapshot | {"running": name == "B"}, Snapshot))
    for raw in events:
        conversation.event(event_params(raw))
    return conversation, counters, row_id


# F1, F14, cases B061, B062, B078: told by its own event (under the stored id), by the tool's report, by both.
@pytest.mark.parametrize("name", ["A", "B", "quiet"])
def test_the_agents_tapback_is_on_its_row_once_whichever_way_it_was_told(name: str) -> None:
    kinds = [event["type"] for event in RECORDED[name]]
    assert {"A": 2, "B": 1, "quiet": 1}[name] == kinds.count("message.reaction") + kinds.count(
        "tool.complete"
    )
    conversation, counters, row_id = replayed(name)
    message = next(m for m in conversation.messages if m.row_id == row_id)
    assert emojis(message) == ["agent 😂"]
    assert sum(len(m.reactions) for m in conversation.messages) == 1
    assert (counters.malformed_frames, counters.gaps, counters.duplicate_events) == (0, 0, 0)
    assert not conversation.mirror.running
    assert conversation.stale, "after a turn of such a gateway the rows are read again"


def test_a_doubled_recording_changes_nothing() -> None:
    conversation, counters, _ = replayed("A")
    before = conversation.messages
    for raw in RECORDED["A"]:
        conversation.event(event_params(raw))
    assert conversation.messages == before
    assert counters.duplicate_events == len(RECORDED["A"])
