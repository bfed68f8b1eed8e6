"""Edits, undo, branches, summaries and lines kept back over the wire: shapes, codes, and who is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tui_tapback.domain.errors import RpcError
from tui_tapback.testing.agents import Count, Say, Wait
from tui_tapback.testing.gateway import RawClient, RunningServer

LONG = "word " * 60


async def chat(client: RawClient, turns: int = 2) -> tuple[str, list[int]]:
    session_id = (await client.call("session.create"))["session_id"]
    rows: list[int] = []
    for n in range(turns):
        sent = await client.call("prompt.submit", session_id=session_id, text=f"prompt {n} {LONG}")
        rows.append(sent["user_row_id"])
        await quiet(client, n + 1)
    return session_id, rows


def compress(session_id: str) -> str:
    request = {"jsonrpc": "2.0", "id": "sum", "method": "session.compress"}
    return json.dumps(request | {"params": {"session_id": session_id}})


async def quiet(client: RawClient, turns: int) -> None:
    """Wait for the end of a number of turns, all told."""
    seen = 0

    def counts(payload: dict[str, Any]) -> bool:
        nonlocal seen
        seen += payload.get("running") is False
        return seen == turns

    await client.event("session.info", counts)


async def refused(client: RawClient, method: str, **params: Any) -> RpcError:
    with pytest.raises(RpcError) as refusal:
        await client.call(method, **params)
    return refusal.value


async def test_an_edit_reaches_every_client(running: RunningServer) -> None:
    one, two = await running.client(), await running.client()
    session_id, rows = await chat(one, 3)
    await two.call("session.resume", session_id=session_id)
    answer = await one.call(
        "prompt.submit",
        session_id=session_id,
        text="edited",
        truncate_before_row_id=rows[1],
        confirm_truncate=True,
    )
    assert answer["status"] == "streaming"
    assert answer["survivor_user_row_ids"] == [rows[0]]
    for client in (one, two):
        gone = await client.event("tapback.rows_removed")
        assert gone["payload"]["row_ids"] == list(range(rows[1], rows[2] + 2))
        changed = await client.event("history.changed")
        assert changed["payload"] == {"reason": "edit", "from_row_id": rows[1]}
        assert changed["seq"] == gone["seq"] + 1


async def test_the_codes_of_an_edit_are_those_of_hermes(running: RunningServer) -> None:
    client = await running.client()
    session_id, rows = await chat(client)
    edit = {"session_id": session_id, "text": "edited"}
    cases: list[tuple[int, dict[str, Any]]] = [
        (4029, {"truncate_before_row_id": rows[1]}),
        (4029, {"truncate_before_user_ordinal": 1}),
        (4004, {"truncate_before_user_ordinal": 1, "confirm_truncate": True}),
        (4004, {"confirm_truncate": True}),
        (4018, {"truncate_before_row_id": rows[1] + 1, "confirm_truncate": True}),
        (4018, {"truncate_before_row_id": 99999, "confirm_truncate": True}),
        (4028, {"truncate_before_row_id": rows[0], "confirm_truncate": True}),
        (-32602, {"truncate_before_row_id": True, "confirm_truncate": True}),
        (-32602, {"truncate_before_row_id": "4", "confirm_truncate": True}),
        (-32602, {"truncate_before_row_id": 2.5, "confirm_truncate": True}),
        (
            4002,
            {
                "truncate_before_row_id": rows[1],
                "confirm_truncate": True,
                "rebind_survivor_row_ids": list(range(1001)),
            },
        ),
        (4801, {"truncate_before_row_id": rows[1], "confirm_truncate": True, "text": " "}),
    ]
    for code, params in cases:
        assert (await refused(client, "prompt.submit", **{**edit, **params})).code == code, params
    gone = await refused(client, "prompt.submit", **edit, truncate_before_row_id=99999, confirm_truncate=True)
    assert gone.data == {
        "user_turn_count": 2,
        "ordinal": None,
        "segment_ordinal": None,
        "prefix_user_count": 0,
    }
    assert len((await client.call("session.history", session_id=session_id))["messages"]) == 4


async def test_survivors_are_named_where_that_is_asked(running: RunningServer) -> None:
    client = await running.client()
    session_id, rows = await chat(client)
    answer = await client.call(
        "prompt.submit",
        session_id=session_id,
        text="edited",
        truncate_before_row_id=rows[0],
        confirm_truncate=True,
        confirm_empty_truncate=True,
        confirm_deep_truncate=True,
        rebind_survivor_row_ids=[rows[0], rows[1]],
    )
    assert answer["survivor_row_id_map"] == {str(rows[0]): None, str(rows[1]): None}
    assert "survivor_user_row_ids" not in answer


async def test_undo_busy_and_empty(running: RunningServer) -> None:
    client = await running.client()
    session_id, rows = await chat(client)
    hold = Wait()
    running.bench.agent.expect(Say("half"), hold)
    await client.call("prompt.submit", session_id=session_id, text="three")
    await hold.reached.wait()
    assert (await refused(client, "session.undo", session_id=session_id)).code == 4009
    hold.event.set()
    await quiet(client, 3)
    assert (await client.call("session.undo", session_id=session_id))["removed"] == 2
    undone = await client.call("session.undo", session_id=session_id, intent="retry")
    assert undone == {"removed": 2, "text": f"prompt 1 {LONG}", "from_row_id": rows[1]}
    await client.call("session.undo", session_id=session_id)
    assert await client.call("session.undo", session_id=session_id) == {"removed": 0}
    assert (await refused(client, "session.undo", session_id=session_id, intent="x")).code == -32602


async def test_a_branch_is_a_session_that_this_client_hears(running: RunningServer) -> None:
    client = await running.client()
    session_id, _ = await chat(client)
    branch = await client.call("session.branch", session_id=session_id, name="Other way", count=2)
    assert (branch["title"], branch["parent"], branch["message_count"]) == ("Other way", session_id, 2)
    assert branch["session_id"] == branch["stored_session_id"] != session_id
    assert [row["text"] for row in branch["messages"]] == [f"prompt 0 {LONG}", "ok"]
    await client.call("prompt.submit", session_id=branch["session_id"], text="go on")
    await client.event("message.complete", lambda _: client.events[-1]["session_id"] != session_id)
    assert (await refused(client, "session.branch", session_id=session_id, count=0)).code == 4002


async def test_a_summary_and_its_tokens(running: RunningServer) -> None:
    client = await running.client()
    session_id, _ = await chat(client, 4)
    running.bench.agent.expect(Say("ok"), Count(900, 9))
    await client.call("prompt.submit", session_id=session_id, text="five")
    await quiet(client, 5)
    told = await client.event("session.usage")
    assert told["payload"]["usage"]["context_used"] > 0
    done = await client.call("session.compress", session_id=session_id, focus_topic="words")
    assert done["status"] == "compressed"
    assert set(done["summary"]) == {
        "noop",
        "aborted",
        "refused_would_grow",
        "headline",
        "token_line",
        "note",
    }
    assert done["summary"]["noop"] is False
    assert (done["before_messages"], done["after_messages"]) == (10, 3)
    assert len(done["messages"]) == 10
    assert (await client.event("history.changed"))["payload"] == {"reason": "compress"}
    usage = await client.call("session.usage", session_id=session_id)
    assert usage == done["usage"]
    assert (usage["total"], usage["compressions"], usage["context_max"]) == (909, 1, 32_000)


async def test_steering_and_redirecting(running: RunningServer) -> None:
    client = await running.client()
    session_id, _ = await chat(client, 1)
    for method in ("session.steer", "session.redirect"):
        answer = await client.call(method, session_id=session_id, text="left")
        assert answer == {"status": "rejected", "text": "left"}
    hold = Wait()
    running.bench.agent.expect(Say("half"), hold)
    await client.call("prompt.submit", session_id=session_id, text="two")
    await hold.reached.wait()
    answer = await client.call("session.redirect", session_id=session_id, text="left")
    assert answer == {"status": "redirected", "text": "left"}
    await quiet(client, 2)
    rows = (await client.call("session.history", session_id=session_id))["messages"]
    assert [row["text"] for row in rows[2:]] == ["two", "half", "left", "ok"]


async def test_parts_and_lines_kept_back(running: RunningServer) -> None:
    one, two = await running.client(), await running.client()
    session_id, rows = await chat(one, 1)
    await two.call("session.resume", session_id=session_id)
    target = {"session_id": session_id, "row_id": rows[0] + 1}
    part = {"anchor": "p1", "quote": "ok"}
    reacted = await one.call("reaction.set", **target, emoji="👍", op_id="1", part=part)
    assert reacted["reactions"][0]["part"] == part
    assert (await two.event("message.reaction"))["payload"]["reactions"][0]["part"] == part
    line = '[The user reacted 👍 to this part of your message: "ok"]'
    pending = await two.call("reactions.pending", session_id=session_id)
    entry = {"row_id": rows[0] + 1, "text": line, "part": "p1", "withheld": False}
    assert pending == {"lines": [entry], "head": [line]}
    kept = await two.call("reactions.withhold", **target, part="p1", withheld=True)
    assert kept == {"lines": [entry | {"withheld": True}], "head": []}
    assert (await one.event("reactions.pending"))["payload"] == kept
    assert (await refused(one, "reactions.withhold", **target, withheld=True)).code == 4002
    gone = await refused(one, "reactions.withhold", session_id=session_id, row_id=99, withheld=True)
    assert gone.code == 4040
    assert (await refused(one, "reactions.withhold", **target, withheld="yes")).code == -32602
    bad = await refused(
        one, "reaction.set", **target, emoji="👍", op_id="2", part={"anchor": "", "quote": "x"}
    )
    assert bad.code == 4002
    wrong = await refused(one, "reaction.set", **target, emoji="👍", op_id="3", part={"quote": "x"})
    assert wrong.code == -32602
    assert (await one.call("reaction.set", **target, emoji=None, op_id="4", part="p1"))["reactions"] == []


async def test_while_a_summary_is_made_other_requests_of_the_client_are_answered(
    running: RunningServer,
) -> None:
    client = await running.client()
    session_id, rows = await chat(client, 3)
    hold = Wait()
    running.bench.agent.summaries.append(hold)
    await client.transport.send(compress(session_id))
    await hold.reached.wait()
    target = {"session_id": session_id, "row_id": rows[0], "emoji": "👍", "op_id": "1"}
    assert len((await client.call("reaction.set", **target))["reactions"]) == 1
    snapshot = await client.call("session.resume", session_id=session_id, omit_messages=True)
    assert (snapshot["status"], snapshot["running"]) == ("compacting", False)
    again = await refused(client, "session.compress", session_id=session_id)
    assert again.code == 4009
    hold.event.set()
    while not (answers := [frame["result"] for frame in client.frames if frame.get("id") == "sum"]):
        await client.read()
    assert answers[0]["summary"]["noop"] is False
    assert (await client.event("status.update", lambda p: p["kind"] == "ready"))["payload"]["text"] == ""


async def test_a_client_that_leaves_does_not_stop_the_summary(running: RunningServer) -> None:
    one, two = await running.client(), await running.client()
    session_id, _ = await chat(one, 3)
    await two.call("session.resume", session_id=session_id)
    hold = Wait()
    running.bench.agent.summaries.append(hold)
    await one.transport.send(compress(session_id))
    await hold.reached.wait()
    await one.close()
    hold.event.set()
    assert (await two.event("history.changed"))["payload"] == {"reason": "compress"}
