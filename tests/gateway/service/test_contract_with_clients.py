"""What the service sends is what the wire's own decoders read, and what the client's values need."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tui_tapback.domain import events as ev
from tui_tapback.domain.errors import ModelFailed, RowNotFound
from tui_tapback.domain.messages import Status
from tui_tapback.gateway.service.ports import ConversationTools, Turn
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agents import Call, Fail, Say, ScriptedAgent, Think, Wait
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.events import EventParams, decode_event
from tui_tapback.wire.methods import Snapshot
from tui_tapback.wire.rows import message_from_wire


def decoded(events: list[dict[str, Any]]) -> list[ev.SessionEvent]:
    """Through JSON and back, as a client gets them."""
    wire = msgspec.json.encode(events)
    return [decode_event(params) for params in msgspec.json.decode(wire, type=list[EventParams])]


async def test_every_event_of_an_eventful_session_is_understood(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    hold = Wait()

    async def react(turn: Turn) -> str:
        await bench.service.react_as_agent(turn.session_id, "😂")
        await bench.service.say(turn.session_id, "an aside")
        return "done"

    bench.agent.expect(Think("hm"), Say("a"), Call("send_message", "{}", react, "react 😂"), Say("b"), hold)
    first = await bench.service.submit(session_id, "one", "ref-1")
    await hold.reached.wait()
    queued = await bench.service.submit(session_id, "two", "ref-2")
    bench.agent.expect(Fail(ModelFailed("The model's server failed.")))
    await bench.service.interrupt(session_id)
    await bench.quiet(session_id)
    bench.agent.expect()
    await bench.say(session_id, "three")
    bench.service.title(session_id, "A title")

    told = decoded(sink.events)
    kinds = {type(event) for event in told}
    assert ev.Unknown not in kinds
    assert kinds == {
        ev.RowStored,
        ev.SessionInfo,
        ev.SessionsChanged,
        ev.TurnStarted,
        ev.ReasoningArrived,
        ev.TextArrived,
        ev.ToolStarted,
        ev.ToolFinished,
        ev.ReactionsChanged,
        ev.TurnEnded,
        ev.RowsRemoved,
    }
    stored = [event for event in told if isinstance(event, ev.RowStored)]
    assert [(event.client_ref, event.message.status) for event in stored if event.client_ref] == [
        ("ref-1", Status.STORED),
        ("ref-2", Status.WAITING),
        ("ref-2", Status.STORED),
    ]
    ended = [event for event in told if isinstance(event, ev.TurnEnded)]
    assert [event.status for event in ended] == ["interrupted", "error", "complete"]
    assert [event.user_row_id for event in ended[:2]] == [first.user_row_id, queued.user_row_id]
    assert [event.row_id for event in told if isinstance(event, ev.ReactionsChanged)] == [first.user_row_id]
    assert any(isinstance(event, ev.SessionInfo) and event.agent_reacts for event in told)


async def test_history_reads_as_the_messages_that_the_events_told(bench: ServiceBench) -> None:
    """What a client saw live is what another one finds afterwards."""
    session_id, sink = bench.new_session()
    bench.agent.expect(Think("hm"), Say("a"), Call("look"), Say("b"))
    await bench.say(session_id, "one")
    bench.agent.expect(Say("half"), Fail(ModelFailed("The model's server failed.")))
    await bench.say(session_id, "two")
    bench.agent.expect(Fail(ModelFailed("The model's server failed.")))
    await bench.say(session_id, "three")
    live = {
        event.message.row_id: event.message
        for event in decoded(sink.events)
        if isinstance(event, ev.RowStored)
    }
    text = msgspec.json.encode(bench.service.resume(session_id))
    snapshot = msgspec.json.decode(text, type=Snapshot)
    rows = [message_from_wire(row, lambda row: f"row-{row.row_id}") for row in snapshot.messages]
    assert [row for row in rows if row.row_id is not None] == list(live.values())
    assert [row.status for row in rows if row.tool is None] == [
        Status.STORED,
        Status.STORED,
        Status.STORED,
        Status.STORED,
        Status.INTERRUPTED,
        Status.STORED,
        Status.FAILED,
    ]


async def test_an_agent_can_be_built_around_the_tools_of_the_service(tmp_path: Path) -> None:
    given: list[ConversationTools] = []

    def build(tools: ConversationTools) -> ScriptedAgent:
        given.append(tools)
        return ScriptedAgent(model="built")

    service = GatewayService(Store(tmp_path / "state.db"), build)
    assert service.model == "built"
    session_id = service.create_session().session_id
    assert await given[0].say(session_id, "hello") == service.history(session_id).messages[0].row_id
    await service.close()


async def test_rows_that_were_rewound_are_out_of_reach(bench: ServiceBench) -> None:
    """B030: no reaction, no note, no context. What their turn told the model is due again (fault F6)."""
    session_id, _ = bench.new_session()
    first = await bench.say(session_id, "one")
    bench.service.set_reaction(session_id, first + 1, "❤️")
    bench.agent.expect(Say("rewound answer"))
    rewound = await bench.say(session_id, "two")
    assert bench.last_user_content().startswith("[The user reacted ❤️")
    bench.service.set_reaction(session_id, rewound + 1, "👍")
    await bench.service.close()
    raw = sqlite3.connect(bench.path)
    raw.execute("UPDATE messages SET active = 0 WHERE row_id >= ?", (rewound,))
    raw.commit()
    raw.close()
    bench.start()
    for row_id in (rewound, rewound + 1):
        with pytest.raises(RowNotFound):
            bench.service.set_reaction(session_id, row_id, "👍")
    due = '[The user reacted ❤️ to your message: "ok"]'
    assert bench.service.pending_notes(session_id) == [due]
    assert bench.service.history(session_id).count == 2
    outcome = await bench.service.react_as_agent(session_id, "👍")
    assert outcome.row_id == first
    await bench.say(session_id, "three")
    assert len(bench.agent.requests[-1].messages) == 4
    assert bench.last_user_content() == f"{due}\n\nthree"
