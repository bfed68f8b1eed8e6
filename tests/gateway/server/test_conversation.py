"""Two clients on one gateway: rows, answers and reactions reach both, in order, numbered."""

from __future__ import annotations

import asyncio

import pytest

from tui_tapback.domain.errors import RpcError
from tui_tapback.testing.agents import Call, Say, Wait
from tui_tapback.testing.gateway import RawClient, RunningServer


async def _session(client: RawClient) -> str:
    return (await client.call("session.create", source="desktop"))["session_id"]


async def test_the_first_frame_names_the_run_of_the_gateway(running: RunningServer) -> None:
    client = await running.client()
    assert client.frames == [
        {
            "jsonrpc": "2.0",
            "method": "event",
            "params": {
                "type": "gateway.ready",
                "session_id": "",
                "payload": {"heartbeat": True, "change_events": True, "replay_epoch": f"{1:032x}"},
            },
        }
    ]


async def test_capabilities_announce_our_additions(running: RunningServer) -> None:
    client = await running.client()
    answer = await client.call("gateway.capabilities")
    assert answer["tapback"]["protocol"] == 1
    assert answer["tapback"]["max_message_chars"] > 1000
    assert await client.call("client.capabilities", server_requests=True) == {
        "server_requests": ["approval", "clarify"]
    }
    assert await client.call("ping") == {"pong": True}
    assert await client.call("gateway.ping") == {"ok": True}


async def test_a_second_client_sees_rows_answers_and_reactions_live(running: RunningServer) -> None:
    one, two = await running.client(), await running.client()
    session_id = await _session(one)
    assert (await two.call("session.resume", session_id=session_id))["messages"] == []
    sent = await one.call("prompt.submit", session_id=session_id, text="hello", client_ref="r-1")
    assert sent["status"] == "streaming"
    for client in (one, two):
        row = await client.event("tapback.row", lambda payload: payload.get("client_ref") == "r-1")
        assert row["payload"]["row"]["row_id"] == sent["user_row_id"]
        ended = await client.event("message.complete")
        assert ended["payload"]["text"] == "ok"
    answer_id = ended["payload"]["persisted_turn"]["final_assistant_row_id"]
    reacted = await two.call("reaction.set", session_id=session_id, row_id=answer_id, emoji="❤", op_id="op-1")
    assert [(r["emoji"], r["author"]) for r in reacted["reactions"]] == [("❤️", "user")]
    seen = await one.event("message.reaction")
    assert seen["seq"] == reacted["seq"]
    assert seen["payload"]["reactions"] == reacted["reactions"]


async def test_numbers_rise_and_a_reaction_and_its_removal_differ(running: RunningServer) -> None:
    client = await running.client()
    session_id = await _session(client)
    row_id = (await client.call("prompt.submit", session_id=session_id, text="x"))["user_row_id"]
    await client.event("message.complete")
    target = {"session_id": session_id, "row_id": row_id}
    await client.call("reaction.set", **target, emoji="👍", op_id="a")
    await client.call("reaction.set", **target, emoji=None, op_id="b")
    events = [event for event in client.events if event["session_id"] == session_id]
    numbers = [event["seq"] for event in events]
    assert numbers == list(range(1, len(numbers) + 1))
    reactions = [event["payload"]["reactions"] for event in events if event["type"] == "message.reaction"]
    assert [len(entries) for entries in reactions] == [1, 0]
    rows = (await client.call("session.history", session_id=session_id))["messages"]
    assert "reactions" not in rows[0].get("display_metadata", {})


async def test_the_agents_tapback_reaches_everyone(running: RunningServer) -> None:
    one, two = await running.client(), await running.client()
    session_id = await _session(one)
    await two.call("session.resume", session_id=session_id)

    async def react(turn: object) -> str:
        await running.bench.service.react_as_agent(session_id, "🔥")
        return '{"success": true}'

    running.bench.agent.expect(Call("send_message", result=react), Say("done"))
    await one.call("prompt.submit", session_id=session_id, text="look")
    for client in (one, two):
        event = await client.event("message.reaction")
        assert [(r["emoji"], r["author"]) for r in event["payload"]["reactions"]] == [("🔥", "agent")]


async def test_the_hermes_call_toggles(running: RunningServer) -> None:
    client = await running.client()
    session_id = await _session(client)
    row_id = (await client.call("prompt.submit", session_id=session_id, text="x"))["user_row_id"]
    await client.event("message.complete")
    target = {"session_id": session_id, "row_id": row_id}
    assert len((await client.call("message.react", **target, emoji="👍"))["reactions"]) == 1
    assert (await client.call("message.react", **target, emoji="👍"))["reactions"] == []
    newest = await client.call("message.react", session_id=session_id, newest_role="user", emoji="😂")
    assert newest["row_id"] == row_id
    # Null and no emoji at all both remove; removing nothing is fine.
    assert (await client.call("message.react", **target, emoji=None))["reactions"] == []
    await client.call("message.react", **target, emoji="👍")
    assert (await client.call("message.react", **target))["reactions"] == []
    assert (await client.call("message.react", **target))["reactions"] == []


async def test_nobody_speaks_as_the_agent(running: RunningServer) -> None:
    client = await running.client()
    session_id = await _session(client)
    row_id = (await client.call("prompt.submit", session_id=session_id, text="x"))["user_row_id"]
    with pytest.raises(RpcError) as caught:
        await client.call("message.react", session_id=session_id, row_id=row_id, emoji="👍", author="agent")
    assert caught.value.code == 4025


async def test_a_late_client_replays_what_it_missed(running: RunningServer) -> None:
    one = await running.client()
    session_id = await _session(one)
    await one.call("prompt.submit", session_id=session_id, text="one")
    await one.event("message.complete")
    two = await running.client()
    replay = await two.call("session.events.since", session_id=session_id, last_seen=0)
    kinds = [event["type"] for event in replay["events"]]
    assert kinds[0] == "tapback.row"
    assert "message.complete" in kinds
    assert replay["truncated"] is False
    assert replay["epoch"] == f"{1:032x}"


async def test_a_client_that_comes_in_mid_turn_misses_nothing(running: RunningServer) -> None:
    one = await running.client()
    session_id = await _session(one)
    gate = Wait()
    running.bench.agent.expect(Say("first "), gate, Say("second"))
    await one.call("prompt.submit", session_id=session_id, text="go")
    await gate.reached.wait()
    two = await running.client()
    snapshot = await two.call("session.resume", session_id=session_id)
    assert snapshot["running"] is True
    assert snapshot["inflight"]["assistant"] == "first "
    gate.event.set()
    await two.event("message.complete")
    deltas = [e for e in two.events if e["type"] == "message.delta"]
    assert [delta["payload"]["text"] for delta in deltas] == ["second"]
    assert deltas[0]["seq"] > snapshot["seq"]


async def test_a_client_that_goes_does_not_stop_the_turn(running: RunningServer) -> None:
    one = await running.client()
    session_id = await _session(one)
    gate = Wait()
    running.bench.agent.expect(Say("a"), gate, Say("b"))
    await one.call("prompt.submit", session_id=session_id, text="go")
    await gate.reached.wait()
    await one.close()
    await running.server.presence.gone()
    gate.event.set()
    await running.bench.quiet(session_id)
    two = await running.client()
    rows = (await two.call("session.resume", session_id=session_id))["messages"]
    assert [row["text"] for row in rows] == ["go", "ab"]


async def test_closing_a_session_detaches_this_client_only(running: RunningServer) -> None:
    one, two = await running.client(), await running.client()
    session_id = await _session(one)
    await two.call("session.resume", session_id=session_id)
    assert await two.call("session.close", session_id=session_id) == {"ok": True}
    await one.call("prompt.submit", session_id=session_id, text="x")
    await one.event("message.complete")
    await two.call("ping")
    assert not [event for event in two.events if event["session_id"] == session_id]


async def test_a_reaction_alone_starts_no_turn(running: RunningServer) -> None:
    client = await running.client()
    session_id = await _session(client)
    await client.call("prompt.submit", session_id=session_id, text="Shall I?")
    done = await client.event("message.complete")
    row_id = done["payload"]["persisted_turn"]["final_assistant_row_id"]
    await client.call("reaction.set", session_id=session_id, row_id=row_id, emoji="✅", op_id="1")
    lines = (await client.call("reactions.pending", session_id=session_id))["head"]
    assert len(lines) == 1
    assert "✅" in lines[0]
    assert len(running.bench.agent.requests) == 1
    await client.call("prompt.submit", session_id=session_id, text=".")
    await client.event("message.complete", lambda payload: payload["persisted_turn"]["row_ids"][0] > row_id)
    assert running.bench.last_user_content().count("✅") == 1
    assert (await client.call("reactions.pending", session_id=session_id))["head"] == []


@pytest.mark.slow
async def test_three_clients_react_fifty_times_a_second(running: RunningServer) -> None:
    clients = [await running.client() for _ in range(3)]
    session_id = await _session(clients[0])
    rows: list[int] = []
    for client in clients:
        sent = await client.call("prompt.submit", session_id=session_id, text="mine")
        rows.append(sent["user_row_id"])
        await running.bench.quiet(session_id)

    async def tap(client: RawClient, row_id: int) -> None:
        for number in range(100):
            emoji = "👍" if number % 2 else "😂"
            await client.call(
                "reaction.set", session_id=session_id, row_id=row_id, emoji=emoji, op_id=f"{row_id}-{number}"
            )

    async with asyncio.timeout(20):
        await asyncio.gather(*(tap(client, row) for client, row in zip(clients, rows, strict=True)))
    history = (await clients[0].call("session.history", session_id=session_id))["messages"]
    stored = {row["row_id"]: row["display_metadata"]["reactions"] for row in history if row["row_id"] in rows}
    assert [[r["emoji"] for r in stored[row]] for row in rows] == [["👍"]] * 3


async def test_sessions_are_listed_named_and_deleted(running: RunningServer) -> None:
    client = await running.client()
    assert await client.call("session.most_recent") == {"session_id": None, "title": None}
    session_id = await _session(client)
    await client.call("prompt.submit", session_id=session_id, text="first words")
    await client.event("message.complete")
    await client.event("session.info", lambda payload: payload.get("running") is False)
    assert (await client.call("session.title", session_id=session_id, title="T"))["title"] == "T"
    listed = (await client.call("session.list"))["sessions"]
    assert [(row["id"], row["title"]) for row in listed] == [(session_id, "T")]
    assert (await client.call("session.most_recent"))["session_id"] == session_id
    assert await client.call("session.delete", session_id=session_id) == {"ok": True, "undo_seconds": 600}
    with pytest.raises(RpcError) as caught:
        await client.call("session.resume", session_id=session_id)
    assert caught.value.code == 4007
    restored = await client.call("session.restore", session_id=session_id)
    assert restored == {"session_id": session_id, "title": "T"}
    rows = (await client.call("session.resume", session_id=session_id))["messages"]
    assert [row["text"] for row in rows] == ["first words", "ok"]


async def test_interrupting_answers_and_keeps_what_was_said(running: RunningServer) -> None:
    client = await running.client()
    session_id = await _session(client)
    gate = Wait()
    running.bench.agent.expect(Say("half"), gate)
    await client.call("prompt.submit", session_id=session_id, text="go")
    await gate.reached.wait()
    assert await client.call("session.interrupt", session_id=session_id) == {"status": "interrupted"}
    ended = await client.event("message.complete")
    assert ended["payload"]["status"] == "interrupted"
    rows = (await client.call("session.history", session_id=session_id))["messages"]
    assert rows[-1]["text"] == "half"
    assert rows[-1]["display_metadata"]["interrupted"] is True


async def test_a_client_that_opened_nothing_hears_that_the_list_changed(running: RunningServer) -> None:
    onlooker, client = await running.client(), await running.client()
    session_id = await _session(client)
    await client.call("prompt.submit", session_id=session_id, text="hello")
    await onlooker.event("sessions.changed")
    assert {event["type"] for event in onlooker.events} == {"gateway.ready", "sessions.changed"}


async def test_a_client_that_left_holds_no_session_open(running: RunningServer) -> None:
    """What it made and never used is forgotten after a day, as if it had not been there."""
    guest, client = await running.client(), await running.client()
    session_id = await _session(guest)
    await guest.close()
    async with asyncio.timeout(10):
        while running.server.presence.count > 1:
            await client.call("ping")
    running.bench.clock.now += 25 * 3600
    await _session(client)
    with pytest.raises(RpcError) as caught:
        await client.call("session.history", session_id=session_id)
    assert caught.value.code == 4007
