"""What the person sees and what the gateway gets when the link breaks, in every state."""

from __future__ import annotations

import time

import pytest

from tui_tapback.client.state import Phase
from tui_tapback.domain.errors import GatewayUnreachable, LinkDown
from tui_tapback.domain.messages import Status
from tui_tapback.testing.client import (
    emojis,
    opened,
    quiet,
    running_client,
    texts,
    until,
    wait_for,
)
from tui_tapback.testing.scripted_gateway import Fate, ScriptedGateway

KINDS = pytest.mark.parametrize("hermes", [False, True], ids=["ours", "hermes"])
LOSSES = pytest.mark.parametrize("loss", ["lose answer", "lose call"])


@KINDS
@LOSSES
async def test_a_message_whose_answer_is_lost_is_stored_once(hermes: bool, loss: Fate) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    gateway.sessions.add(("user", "continue"), ("assistant", "ok"))
    gateway.sessions.auto_reply = "ok"
    async with running_client(gateway) as client:
        await opened(client)
        gateway.rule("prompt.submit", loss)
        key = client.send("continue")
        state = await until(client, lambda s: len(s.messages) == 4 and not s.running and not s.waiting)
    assert texts(state) == ["continue", "ok", "continue", "ok"]
    assert state.messages[2].key == key
    assert set(gateway.sessions.effects.values()) == {1}


@KINDS
@LOSSES
async def test_a_reaction_whose_answer_is_lost_is_set_and_stays_set(hermes: bool, loss: Fate) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "ok"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.rule("message.react" if hermes else "reaction.set", loss)
        client.set_reaction(key, "👍")
        seen: set[tuple[str, ...]] = set()
        async for state in client.changes():
            seen.add(tuple(r.emoji for r in state.messages[0].reactions))
            if gateway.connects == 2 and state.connection.phase is Phase.ONLINE and not state.waiting:
                break
        await quiet(client)
    assert seen == {("👍",)}
    assert gateway.sessions.reactions(session, 1) == [("user", "👍")]
    if hermes:  # where the history shows it, nothing is toggled again
        assert len(gateway.called("message.react")) == (1 if loss == "lose answer" else 2)


@KINDS
async def test_while_offline_everything_waits_and_then_goes_out_in_order(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    gateway.sessions.auto_reply = "re: {}"
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.refusal = GatewayUnreachable("Nobody is there.")
        gateway.cut()
        await until(client, lambda s: s.connection.phase is Phase.OFFLINE)
        client.set_reaction(key, "👍")
        first, second = client.send("one"), client.send("two")
        client.set_reaction(second, "❤️")
        state = client.state
        assert state.waiting == 4
        assert [m.status for m in state.messages] == [Status.STORED, Status.WAITING, Status.WAITING]
        assert emojis(state.messages[2]) == ["user ❤️"]
        with pytest.raises(LinkDown, match="no connection"):
            await client.list_sessions()
        gateway.refusal = None
        client.reconnect_now()
        state = await quiet(client)
    assert texts(state) == ["hello", "one", "re: one", "two", "re: two"]
    assert [state.messages[1].key, state.messages[3].key] == [first, second]
    assert gateway.sessions.reactions(session, 1) == [("user", "👍")]
    assert emojis(state.messages[3]) == ["user ❤️"]
    order = [name for name, _ in gateway.calls if name in ("prompt.submit", "reaction.set", "message.react")]
    assert order[0] != "prompt.submit"  # so that the model is told with the first message


@KINDS
async def test_another_devices_choice_during_the_outage_is_seen(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"), ("assistant", "again"))
    async with running_client(gateway) as client:
        await opened(client)
        gateway.cut()
        gateway.sessions.user_reacts_elsewhere(session, 2, "👎")
        state = await until(client, lambda s: bool(s.messages[1].reactions))
        assert emojis(state.messages[1]) == ["user 👎"]


@KINDS
async def test_a_newer_choice_of_another_device_beats_one_made_offline(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    gateway.sessions.user_reacts_elsewhere(session, 1, "😂")
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.refusal = GatewayUnreachable("Nobody is there.")
        gateway.cut()
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        client.set_reaction(key, "👍")
        gateway.sessions.user_reacts_elsewhere(session, 1, "❤️")
        gateway.refusal = None
        client.reconnect_now()
        state = await until(client, lambda s: bool(s.messages[0].reaction_error))
        assert emojis(state.messages[0]) == ["user ❤️"]
        assert "eanwhile" in state.messages[0].reaction_error
        client.retry(key)  # now on purpose
        state = await quiet(client)
    assert gateway.sessions.reactions(session, 1) == [("user", "👍")]


@KINDS
async def test_an_offline_change_of_mind_is_no_conflict_with_itself(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.rule("message.react" if hermes else "reaction.set", "lose answer")
        client.set_reaction(key, "👍")
        await wait_for(lambda: gateway.links == 0)
        gateway.refusal = GatewayUnreachable("Nobody is there.")
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        client.set_reaction(key, "❤️")
        gateway.refusal = None
        client.reconnect_now()
        state = await quiet(client)
    assert not state.messages[0].reaction_error
    assert gateway.sessions.reactions(session, 1) == [("user", "❤️")]


@KINDS
@pytest.mark.parametrize("restart", [False, True], ids=["cut", "gateway killed"])
async def test_a_drop_in_the_middle_of_an_answer_shows_the_answer_once(hermes: bool, restart: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    async with running_client(gateway) as client:
        client.send("tell me")
        await until(client, lambda s: s.running)
        (session,) = gateway.sessions.sessions.values()
        gateway.sessions.write(session, "nine tenths ")
        live = (await until(client, lambda s: len(s.messages) == 2)).messages[1]
        client.set_reaction(live.key, "👍")
        if restart:
            gateway.restart()
        else:
            gateway.cut()
            gateway.sessions.write(session, "and the rest")
        await until(client, lambda s: s.connection.phase is Phase.ONLINE and gateway.connects == 2)
        if not restart:
            gateway.sessions.end(session)
        state = await until(client, lambda s: not s.running and not s.loading)
        whole = "nine tenths" if restart else "nine tenths and the rest"
        state = await until(client, lambda s: texts(s)[1].strip() == whole)
        assert len(state.messages) == 2
        state = await quiet(client)
        assert state.messages[1].key == live.key
        assert emojis(state.messages[1]) == ["user 👍"]


@KINDS
async def test_a_long_turn_is_followed_after_a_reconnect_without_touching_a_key(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    async with running_client(gateway) as client:
        client.send("a long one")
        await until(client, lambda s: s.running)
        (session,) = gateway.sessions.sessions.values()
        gateway.sessions.write(session, "a")
        gateway.cut()
        await until(client, lambda s: s.connection.phase is Phase.ONLINE and gateway.connects == 2)
        await until(client, lambda s: not s.loading)
        await wait_for(lambda: len(gateway.called("session.resume")) >= 1)
        gateway.sessions.tool(session, "read_file", "c1", "x")
        gateway.sessions.write(session, "b")
        state = await until(client, lambda s: texts(s)[-1] == "b")
        assert state.running
        assert [m.tool.name for m in state.messages if m.tool] == ["read_file"]


async def test_a_short_drop_replays_events_instead_of_reading_all_rows_again() -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(*[("assistant", str(n)) for n in range(50)])
    async with running_client(gateway) as client:
        gateway.sessions.agent_reacts(session, 1, "🔥")
        before = await opened(client)
        gateway.cut()
        gateway.sessions.agent_reacts(session, 2, "🔥")
        state = await until(client, lambda s: bool(s.messages[1].reactions))
    assert [p.get("omit_messages", False) for p in gateway.called("session.resume")] == [False, True]
    assert all(a is b for a, b in zip(before.messages[2:], state.messages[2:], strict=True))


async def test_a_ring_that_was_cut_leads_to_a_fresh_read() -> None:
    gateway = ScriptedGateway(ring=3)
    session = gateway.sessions.add(*[("assistant", str(n)) for n in range(8)])
    async with running_client(gateway) as client:
        await opened(client)
        gateway.cut()
        for row in range(1, 9):
            gateway.sessions.agent_reacts(session, row, "🔥")
        state = await until(client, lambda s: all(m.reactions for m in s.messages))
    assert [emojis(m) for m in state.messages] == [["agent 🔥"]] * 8


async def test_a_lost_event_is_noticed_by_the_next_and_fetched() -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "a"), ("assistant", "b"))
    async with running_client(gateway) as client:
        await opened(client)
        gateway.lost_events = 1
        gateway.sessions.agent_reacts(session, 1, "🔥")
        gateway.sessions.agent_reacts(session, 2, "😂")
        state = await until(client, lambda s: all(m.reactions for m in s.messages))
        assert [emojis(m) for m in state.messages] == [["agent 🔥"], ["agent 😂"]]
        assert client.counters.gaps == 1


async def test_doubled_and_reordered_events_change_nothing() -> None:
    gateway = ScriptedGateway()
    gateway.duplicate_events = True
    async with running_client(gateway) as client:
        client.send("go")
        await until(client, lambda s: s.running)
        (session,) = gateway.sessions.sessions.values()
        gateway.hold_events = True
        for piece in "abcdef":
            gateway.sessions.write(session, piece)
        gateway.release_events(order=lambda frames: list(reversed(frames)))
        gateway.sessions.end(session)
        state = await until(client, lambda s: not s.running and len(s.messages) == 2)
        assert texts(state) == ["go", "abcdef"]
        assert client.counters.duplicate_events > 0


@pytest.mark.slow
@KINDS
async def test_a_thousand_taps_made_offline_go_out_without_holding_up_the_screen(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(*[("assistant", str(number)) for number in range(3000)])
    async with running_client(gateway) as client:
        await opened(client)
        gateway.refusal = GatewayUnreachable("There is no network.")
        gateway.cut()
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        for message in client.state.messages[-1000:]:
            client.set_reaction(message.key, "👍")
        gateway.refusal = None
        began = time.process_time()
        state = await quiet(client)
        assert time.process_time() - began < 8  # it took minutes
    assert sum(bool(m.reactions) for m in state.messages) == 1000
    assert all(gateway.sessions.reactions(session, row["row_id"]) for row in session.rows[-1000:])
