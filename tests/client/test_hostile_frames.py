"""Frames bent out of shape never break a client: nothing escapes, and what was set aside is counted."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any, cast

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tui_tapback.client.ports import Transport
from tui_tapback.client.reconnect import ReconnectPolicy
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import Counters
from tui_tapback.domain.errors import MalformedFrame
from tui_tapback.testing.client import (
    counted,
    opened,
    quiet,
    running_client,
    silent_conversation,
    texts,
    until,
)
from tui_tapback.testing.scripted_gateway import ScriptedGateway
from tui_tapback.wire.events import DECODERS, event_params
from tui_tapback.wire.methods import Snapshot
from tui_tapback.wire.peer import Peer


def shaped(required: dict[str, Any], *, optional: dict[str, Any] | None = None) -> Any:
    """Objects with these members."""
    return st.fixed_dictionaries(required, optional=optional or {})


SCALARS: Any = (
    st.none()
    | st.booleans()
    | st.integers(-5, 10)
    | st.sampled_from(
        [2**63, -(2**70), 1e308, "", "user", "agent", "👍", "\u202e\x1b[31m", "[/red]", "x" * 500]
    )
    | st.text(max_size=5)
)
VALUES: Any = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)
FIELDS = (
    "text", "row_id", "reactions", "row", "tool_id", "name", "result", "status", "persisted_turn", "error",
    "running", "title", "tools", "model", "client_ref", "row_ids", "level", "context", "reasoning", "args",
    "todos", "revision", "goal", "subagent_id", "delegation_id", "depth", "tool_count", "tool_name",
    "summary", "duration_seconds", "task_id", "question", "inline_diff", "usage", "key", "value", "message",
)  # fmt: skip
ROWS: Any = shaped(
    {"role": st.sampled_from(["user", "assistant", "tool", "system", "alien"])},
    optional={
        "text": st.sampled_from(["hi", "", " ", "\x1b]0;x\x07"]),
        "row_id": st.integers(-1, 6),
        "timestamp": st.floats(allow_nan=False, allow_infinity=False),
        "display_metadata": st.dictionaries(
            st.sampled_from(["reactions", "interrupted", "_queued_prompt", "error", "client_ref"]), VALUES
        ),
        "display_kind": st.sampled_from(["failed_turn", "steer", ""]),
        "tool_call_id": st.sampled_from(["c1", ""]),
        "name": st.text(max_size=3),
    },
)
REACTIONS: Any = st.lists(
    shaped({"emoji": VALUES}, optional={"author": VALUES, "at": VALUES, "part": VALUES})
)
PLAUSIBLE: dict[str, Any] = {
    "row_id": st.integers(1, 6),
    "row": ROWS,
    "reactions": REACTIONS,
    "row_ids": st.lists(st.integers(0, 6)),
    "tool_id": st.sampled_from(["c1", "c2"]),
    "text": st.text(max_size=6),
    "status": st.sampled_from(["complete", "interrupted", "error", "odd"]),
    "persisted_turn": shaped(
        {"row_ids": st.lists(st.integers(1, 6))},
        optional={"user_row_id": st.integers(1, 6), "final_assistant_row_id": st.integers(1, 6)},
    ),
}
PAYLOADS: Any = shaped(
    {}, optional={name: PLAUSIBLE[name] | VALUES if name in PLAUSIBLE else VALUES for name in FIELDS}
)
EVENTS: Any = shaped(
    {"type": st.sampled_from([*DECODERS, "thinking.delta", "no.such"])},
    optional={
        "session_id": st.sampled_from(["s", "runtime", "other", ""]),
        "payload": PAYLOADS,
        "seq": st.integers(0, 12) | st.none(),
    },
)
QUICKLY = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.slow
@QUICKLY
@given(st.lists(EVENTS, max_size=20), st.booleans(), st.lists(ROWS, max_size=6))
def test_no_event_breaks_a_conversation(events: list[Any], foreign: bool, rows: list[Any]) -> None:
    counters = Counters()
    conversation = silent_conversation("s", counters, foreign=foreign)
    conversation.load(Snapshot("runtime" if foreign else "s", stored_session_id="s"))
    unknown = 0
    for raw in events:
        params = event_params(raw)
        unknown += params.type not in DECODERS
        conversation.event(params)
        messages = conversation.messages
        assert len({m.key for m in messages}) == len(messages)
        row_ids = [m.row_id for m in messages if m.row_id is not None]
        assert len(set(row_ids)) == len(row_ids)
        assert not any("\x1b" in m.text + m.error + m.reasoning for m in messages)
    assert sum(counters.unknown_events.values()) <= unknown
    for snapshot in ({"messages": rows}, {"messages": rows, "running": True, "inflight": {"assistant": "x"}}):
        try:
            from_wire = msgspec_snapshot(snapshot)
        except MalformedFrame:
            return
        conversation.load(from_wire)
        messages = conversation.messages
        assert len({m.key for m in messages}) == len(messages)


def msgspec_snapshot(raw: dict[str, Any]) -> Snapshot:
    """As the peer reads it. Raises MalformedFrame."""
    try:
        return msgspec.convert({"session_id": "s", "stored_session_id": "s", **raw}, Snapshot)
    except msgspec.ValidationError as error:
        raise MalformedFrame(str(error)) from error


@pytest.mark.slow
@QUICKLY
@given(st.text() | VALUES.map(json.dumps) | st.binary(max_size=60))
def test_no_frame_breaks_the_peer(frame: str | bytes) -> None:
    Peer().receive(frame)


# --- a whole client behind a link that garbles ---------------------------------------------------------


class GarblingLink:
    """Hands on what a scripted gateway sends, the n-th frame changed in one place."""

    def __init__(self, inner: Transport, changes: dict[int, tuple[int, Any]]) -> None:
        self._inner = inner
        self._changes = changes
        self._count = 0

    async def send(self, text: str) -> None:
        """From the client."""
        await self._inner.send(text)

    async def receive(self) -> str:
        """To the client."""
        text = await self._inner.receive()
        self._count += 1
        if self._count not in self._changes:
            return text
        place, value = self._changes[self._count]
        return json.dumps(_garbled(json.loads(text), place, value))

    async def close(self) -> None:
        """From the client."""
        await self._inner.close()


def _places(value: object) -> list[tuple[Any, Any]]:
    """Every container and key inside."""
    container: Any = value
    if isinstance(value, dict):
        keys = list(cast("dict[str, object]", value))
    elif isinstance(value, list):
        keys = list(range(len(cast("list[object]", value))))
    else:
        return []
    return [(container, key) for key in keys] + [place for key in keys for place in _places(container[key])]


def _garbled(frame: Any, place: int, value: Any) -> Any:
    places = _places(frame)
    container, key = places[place % len(places)]
    container[key] = value
    return frame


PATIENT = ReconnectPolicy(
    first=0.0, cap=0.0, stable=0.0, handshake=0.02, call=0.02, ping=1e6, silence=1e9, again=0.0
)
CHANGES: Any = st.dictionaries(st.integers(1, 30), st.tuples(st.integers(0, 60), VALUES), max_size=6)


async def talk(hermes: bool, changes: dict[int, tuple[int, Any]]) -> list[str]:
    """A short chat over a link that garbles, then an honest one; returns what escaped."""
    escaped: list[str] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: escaped.append(str(context)))
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("user", "hi"), ("assistant", "hello"))
    gateway.sessions.auto_reply = "ok"

    async def connect() -> Transport:
        return GarblingLink(await gateway(), {} if gateway.connects >= 4 else changes)

    client = ChatClient(connect, policy=PATIENT, clock=lambda: 2.0, ids=counted(), jitter=lambda: 0.0)
    await client.start()
    for number in range(12):
        await asyncio.sleep(0.002)
        for message in client.state.messages[-1:]:
            if message.reactable:
                client.set_reaction(message.key, ("👍", "❤️", None)[number % 3])
        if number in (2, 5):
            client.send(f"message {number}")
        gateway.sessions.agent_reacts(session, 1, ("😂", None)[number % 2])
        if number == 8:
            gateway.cut()
    assert "The client failed" not in client.state.connection.detail, escaped
    await client.close()
    return escaped


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.booleans(), CHANGES)
def test_no_garbled_frame_breaks_a_client(hermes: bool, changes: dict[int, tuple[int, Any]]) -> None:
    assert asyncio.run(talk(hermes, copy.deepcopy(changes))) == []


@pytest.mark.parametrize("hermes", [False, True], ids=["ours", "hermes"])
async def test_a_row_that_makes_no_sense_costs_only_itself_and_is_told_once(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("user", "one"), ("assistant", "two"), ("user", "three"))
    session.rows[1]["text"] = {"not": "a text"}
    async with running_client(gateway) as client:
        state = await opened(client)
        assert texts(state) == ["one", "three"]
        notice = await anext(client.notices())
        assert "One message of this chat could not be read" in notice.text
        gateway.restart()
        await quiet(client)
        session.rows[1]["text"] = "two"
        gateway.restart()
        await until(client, lambda s: texts(s) == ["one", "two", "three"])
    assert [n async for n in client.notices()] == []
    assert client.counters.bad_items >= 1
