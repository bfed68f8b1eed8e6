"""Requests that cannot be carried out: each gets a code and a sentence, and the connection lives on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tui_tapback.domain import errors as err
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.server.dispatcher import Dispatcher
from tui_tapback.gateway.server.faults import fault_of
from tui_tapback.gateway.server.handlers import HANDLERS
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.gateway import RawClient, RunningServer
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.methods import METHODS


async def _chat(client: RawClient) -> tuple[str, int]:
    """A session and the row id of a message of the user in it."""
    session_id = (await client.call("session.create"))["session_id"]
    row_id = (await client.call("prompt.submit", session_id=session_id, text="x"))["user_row_id"]
    await client.event("message.complete")
    return session_id, row_id


async def _error(client: RawClient, method: str, **params: Any) -> dict[str, Any]:
    frame = await client.request(method, **params)
    assert "error" in frame, frame
    return frame["error"]


@pytest.mark.parametrize(
    ("method", "params", "code", "field"),
    [
        ("session.resume", {"session_id": "a", "wrong": 1}, 4000, "wrong"),
        ("session.resume", {"session_id": "a", "\x1b]0;x\x07": 1}, 4000, "␛"),
        ("session.resume", {}, -32602, "session_id"),
        ("session.resume", {"session_id": 5}, -32602, "session_id"),
        ("session.resume", {"session_id": None}, -32602, "session_id"),
        ("session.list", {"limit": "many"}, -32602, "limit"),
        ("session.list", {"limit": 2.5}, -32602, "limit"),
        ("prompt.submit", {"session_id": "a", "text": {"a": 1}}, -32602, "text"),
        ("reaction.set", {"session_id": "a", "row_id": 1, "emoji": "👍"}, -32602, "op_id"),
        ("message.react", {"session_id": "a", "row_id": "4", "emoji": "👍"}, -32602, "row_id"),
        ("message.react", {"session_id": "a", "row_id": True, "emoji": "👍"}, -32602, "row_id"),
        ("message.react", {"session_id": "a", "row_id": 2.5, "emoji": "👍"}, -32602, "row_id"),
        ("message.react", {"session_id": "a", "row_id": 1, "emoji": 5}, -32602, "emoji"),
        ("message.react", {"session_id": "a", "row_id": 1, "emoji": True}, -32602, "emoji"),
        ("no.such.method", {}, -32601, "no.such.method"),
        ("event", {}, -32601, "event"),
    ],
)
async def test_wrong_parameters_are_named(
    running: RunningServer, method: str, params: dict[str, Any], code: int, field: str
) -> None:
    client = await running.client()
    error = await _error(client, method, **params)
    assert error["code"] == code
    assert field in error["message"]
    assert "\x1b" not in error["message"]
    assert await client.call("ping") == {"pong": True}


@pytest.mark.parametrize("params", ["[]", "[1]", "3", '"x"', "true"])
async def test_parameters_must_be_an_object(running: RunningServer, params: str) -> None:
    client = await running.client()
    await client.transport.send(f'{{"id": 1, "method": "ping", "params": {params}}}')
    assert (await client.read())["error"]["code"] == -32602


@pytest.mark.parametrize(
    "emoji", ["abc", "", "  ", "\n", "👍👍👍", "x" * 10_000, "<b>x</b>", "\u202e", "\x00"]
)
async def test_what_is_no_emoji_is_refused(running: RunningServer, emoji: str) -> None:
    client = await running.client()
    session_id, row_id = await _chat(client)
    for method, rest in (("reaction.set", {"op_id": "1"}), ("message.react", {})):
        error = await _error(client, method, session_id=session_id, row_id=row_id, emoji=emoji, **rest)
        assert error["code"] == 4024
        assert error["message"].isprintable()
    rows = (await client.call("session.history", session_id=session_id))["messages"]
    assert all("reactions" not in row.get("display_metadata", {}) for row in rows)


async def test_rows_of_other_sessions_and_of_none_are_refused_alike(running: RunningServer) -> None:
    client = await running.client()
    mine, _ = await _chat(client)
    _, foreign = await _chat(client)
    messages: set[str] = set()
    for row_id in (foreign, 999_999, 0, -1, 2**62):
        error = await _error(
            client, "reaction.set", session_id=mine, row_id=row_id, emoji="👍", op_id=f"op{row_id}"
        )
        assert error["code"] == 4040
        messages.add(error["message"])
    assert len(messages) == 1
    for row_id in (10**30, -(10**30)):
        error = await _error(client, "reaction.set", session_id=mine, row_id=row_id, emoji="👍", op_id="x")
        assert error["code"] in (-32602, 4040)
    assert not [event for event in client.events if event["type"] == "message.reaction"]


async def test_a_reaction_without_target_says_what_is_missing(running: RunningServer) -> None:
    client = await running.client()
    session_id, _ = await _chat(client)
    for extra in ({}, {"newest_role": "tool"}):
        assert (await _error(client, "message.react", session_id=session_id, emoji="👍", **extra))[
            "code"
        ] == 4023
    for author in ("agent", "AGENT", "nobody"):
        error = await _error(
            client, "message.react", session_id=session_id, newest_role="user", emoji="👍", author=author
        )
        assert error["code"] == 4025


async def test_a_newer_choice_stays_and_is_told(running: RunningServer) -> None:
    client = await running.client()
    session_id, row_id = await _chat(client)
    target = {"session_id": session_id, "row_id": row_id}
    await client.call("reaction.set", **target, emoji="❤️", op_id="1")
    error = await _error(client, "reaction.set", **target, emoji="👍", op_id="2", expected=None)
    assert error["code"] == 4803
    assert [entry["emoji"] for entry in error["data"]["reactions"]] == ["❤️"]


async def test_an_op_id_of_another_request_is_refused(running: RunningServer) -> None:
    client = await running.client()
    session_id, row_id = await _chat(client)
    target = {"session_id": session_id, "row_id": row_id}
    first = await client.call("reaction.set", **target, emoji="❤️", op_id="1")
    error = await _error(client, "reaction.set", **target, emoji="👍", op_id="1")
    assert error["code"] == 4806
    assert "op_id" in error["message"]
    assert await client.call("reaction.set", **target, emoji="❤️", op_id="1") == first


@pytest.mark.parametrize(
    ("text", "code"), [("", 4801), (" \n\t", 4801), ("\u200b", 4801), ("x" * 1_048_576, 4802)]
)
async def test_messages_that_cannot_be_sent(running: RunningServer, text: str, code: int) -> None:
    client = await running.client()
    session_id = (await client.call("session.create"))["session_id"]
    error = await _error(client, "prompt.submit", session_id=session_id, text=text)
    assert error["code"] == code
    assert (await client.call("session.history", session_id=session_id))["messages"] == []


@pytest.mark.parametrize("title", ["", "   ", "\n"])
async def test_a_title_needs_a_letter(running: RunningServer, title: str) -> None:
    client = await running.client()
    session_id = (await client.call("session.create"))["session_id"]
    assert (await _error(client, "session.title", session_id=session_id, title=title))["code"] == 4021


async def test_a_boolean_setting_takes_only_words_that_say_it(running: RunningServer) -> None:
    client = await running.client()
    key = "display.message_reactions"
    for value, meaning in (("true", True), ("ON", True), ("0", False), (1, True)):
        assert await client.call("config.set", key=key, value=value) == {"key": key, "value": meaning}
    refused: tuple[object, ...] = ("maybe", "", None, 2, [], {})
    for value in refused:
        assert (await _error(client, "config.set", key=key, value=value))["code"] == 4002
    assert (await client.call("config.get", key="full"))["config"]["display"]["message_reactions"] is True


async def test_unknown_sessions_are_4007(running: RunningServer) -> None:
    client = await running.client()
    for method in ("session.resume", "session.history", "session.interrupt", "session.delete"):
        for session_id in ("20270101_000000_abcdef", "'; drop table messages", "\x1b[2J"):
            error = await _error(client, method, session_id=session_id)
            assert error["code"] == 4007
            assert error["message"].isprintable()


async def test_a_fault_of_ours_is_answered_and_the_connection_lives(tmp_path: Path) -> None:
    async def broken(c: object, p: object) -> object:
        raise ZeroDivisionError("secret details")

    dispatcher = Dispatcher({**HANDLERS, "ping": broken})
    async with RunningServer(tmp_path, dispatcher=dispatcher) as running:
        client = await running.client()
        error = await _error(client, "ping")
        assert error["code"] == -32603
        assert "secret" not in error["message"]
        assert "tapback" in await client.call("gateway.capabilities")


class SmallDisk(ServiceBench):
    """A service whose data file may not grow beyond some pages, as on a full disk."""

    def start(self) -> None:
        self.store = Store(self.path, page_limit=40)
        self.service = GatewayService(self.store, self.agent, clock=self.clock, ids=self.ids)


async def test_a_full_disk_is_a_sentence_and_nothing_is_half_stored(tmp_path: Path) -> None:
    async with RunningServer(tmp_path, bench=SmallDisk(tmp_path / "small.db")) as running:
        client = await running.client()
        session_id, row_id = await _chat(client)
        error = await _error(client, "prompt.submit", session_id=session_id, text="y" * 190_000)
        assert error["code"] == 5071
        assert "no space left" in error["message"]
        rows = (await client.call("session.history", session_id=session_id))["messages"]
        assert [row["text"] for row in rows] == ["x", "ok"]
        reacted = await client.call(
            "reaction.set", session_id=session_id, row_id=row_id, emoji="👍", op_id="1"
        )
        assert len(reacted["reactions"]) == 1


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (err.DiskFull("Full.", hint="Free some."), 5071),
        (err.StoreReadOnly("Read only."), 5007),
        (err.StoreLocked("Locked."), 5007),
        (err.StoreDamaged("Damaged."), 5007),
        (err.Busy("Busy."), 4009),
        (err.NotAnEmoji("No."), 4024),
        (err.WrongAuthor("No."), 4025),
        (err.InvalidInput("No."), 4002),
        (err.SessionNotFound("No."), 4007),
        (err.RowNotFound("No."), 4040),
        (err.RpcError(4021, "No."), 4021),
        (err.ModelTimeout("Slow."), -32603),
        (err.StaleReaction("Old.", ReactionSet((Reaction("👍", Author.USER, 1.0),))), 4803),
        (err.OperationReused("Used."), 4806),
    ],
)
def test_each_kind_of_error_has_its_code(error: err.TapbackError, code: int) -> None:
    fault = fault_of(error)
    assert fault.code == code
    assert fault.message == error.sentence()


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_FIELDS = sorted({name for method in METHODS.values() for name in method.params.__struct_fields__})


@given(
    requests=st.lists(
        st.tuples(
            st.sampled_from(sorted(METHODS)),
            st.dictionaries(st.sampled_from(_FIELDS) | st.text(max_size=5), _JSON, max_size=5),
        ),
        min_size=1,
        max_size=25,
    )
)
@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_asked_is_answered(tmp_path_factory: pytest.TempPathFactory, requests: Any) -> None:
    """Random parameters for every method: one answer each, with an allowed code, in order."""

    async def play() -> None:
        async with RunningServer(tmp_path_factory.mktemp("s")) as running:
            client = await running.client()
            for number, (method, params) in enumerate(requests):
                request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
                await client.transport.send(json.dumps(request))
            answers: list[dict[str, Any]] = []
            while len(answers) < len(requests):
                frame = await client.read()
                if frame.get("method") != "event":
                    answers.append(frame)
            by_id = {answer["id"]: answer for answer in answers}
            assert sorted(by_id) == list(range(len(requests)))
            for answer in answers:
                if "error" in answer:
                    assert answer["error"]["code"] != -32603, answer
                    assert answer["error"]["message"] == clean_line(answer["error"]["message"])

    asyncio.run(play())
