"""What the person sees and what the gateway gets when the link breaks, in every state."""

from __future__ import annotations

import asyncio

import pytest

from tui_tapback.client.reconnect import ReconnectPolicy
from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.domain.errors import Busy, GatewayRefused, GatewayUnreachable, LinkDown, RpcError
from tui_tapback.domain.messages import Status
from tui_tapback.testing.client import (
    QUICK,
    emojis,
    message_with,
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


async def test_delays_grow_to_a_cap_and_a_short_lived_link_counts_as_a_failure() -> None:
    policy = ReconnectPolicy(first=0.3, cap=15.0, stable=5.0)
    delays = [policy.delay(failures, 0.999999) for failures in range(1, 12)]
    assert delays == sorted(delays)
    assert (round(delays[0], 2), round(delays[-1], 1)) == (0.3, 15.0)
    assert policy.delay(4, 0.0) == policy.delay(4, 0.999999) / 2 or policy.delay(4, 0.0) >= 1.2
    assert policy.delay(100_000, 0.5) <= 15.0
    assert policy.failures_after(3, ready=True, lived=4.9) == 4
    assert policy.failures_after(3, ready=False, lived=60.0) == 4
    assert policy.failures_after(3, ready=True, lived=5.0) == 0


async def test_one_attempt_at_a_time_and_the_state_says_when_the_next_one_is() -> None:
    gateway = ScriptedGateway()
    gateway.refusal = GatewayUnreachable("Nobody is there.", hint="Start it.")
    policy = ReconnectPolicy(first=100.0, cap=100.0, patience=2)
    async with running_client(gateway, policy=policy) as client:
        state = await until(client, lambda s: s.connection.phase is Phase.RECONNECTING)
        assert state.connection == ConnectionState(
            Phase.RECONNECTING, "Nobody is there. Start it.", 1, 2050.0, ""
        )
        assert gateway.connects == 1
        client.reconnect_now()
        state = await until(client, lambda s: s.connection.retry_at is not None and s.connection.attempt == 2)
        assert (state.connection.phase, gateway.connects) == (Phase.OFFLINE, 2)


@pytest.mark.parametrize("reason", ["token", "version"])
async def test_a_refusal_is_final_until_the_person_tries_again(reason: str) -> None:
    gateway = ScriptedGateway(protocol=99 if reason == "version" else 1)
    if reason == "token":
        gateway.refusal = GatewayRefused("The gateway refused the connection.", hint="Check the token.")
    async with running_client(gateway) as client:
        key = client.send("kept")
        state = await until(client, lambda s: s.connection.phase is Phase.REFUSED)
        assert state.connection.retry_at is None
        expected = "token" if reason == "token" else "version 99"
        assert expected in state.connection.detail
        await asyncio.sleep(QUICK.cap * 3)  # time in which a retry would have come
        assert gateway.connects == 1
        assert message_with(client.state, "kept").key == key
        gateway.refusal, gateway._protocol = None, 1  # pyright: ignore[reportPrivateUsage]
        client.reconnect_now()
        await until(client, lambda s: s.connection.phase is Phase.ONLINE)


async def test_a_frozen_peer_is_noticed_by_the_heartbeat() -> None:
    gateway = ScriptedGateway()
    gateway.sessions.add(("assistant", "hello"))
    policy = ReconnectPolicy(first=0.01, cap=0.05, stable=0.0, ping=0.03, silence=0.12)
    async with running_client(gateway, policy=policy) as client:
        key = (await opened(client)).messages[0].key
        await wait_for(lambda: len(gateway.called("gateway.ping")) > 2)
        assert client.state.connection.phase is Phase.ONLINE
        gateway.frozen = True
        client.set_reaction(key, "👍")  # typed into the dead line
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        gateway.frozen = False
        state = await quiet(client)
        assert emojis(state.messages[0]) == ["user 👍"]


async def test_after_a_leap_of_the_wall_clock_a_dead_line_is_found_within_a_ping() -> None:
    gateway = ScriptedGateway()
    wall = [1000.0]
    policy = ReconnectPolicy(first=0.01, cap=0.05, stable=0.0, ping=0.06, silence=3600.0)
    async with running_client(gateway, policy=policy, clock=lambda: wall[0]) as client:
        await opened(client)
        gateway.frozen = True
        wall[0] += 300.0  # the machine slept
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        gateway.frozen = False
        await until(client, lambda s: s.connection.phase is Phase.ONLINE)


async def test_a_call_that_is_never_answered_ends_the_link() -> None:
    gateway = ScriptedGateway()
    gateway.sessions.add(("assistant", "hello"))
    policy = ReconnectPolicy(first=0.01, cap=0.05, stable=0.0, call=0.1)
    async with running_client(gateway, policy=policy) as client:
        await opened(client)
        gateway.rule("session.list", "hold")
        with pytest.raises(LinkDown, match=r"session\.list"):
            await client.list_sessions()
        await until(client, lambda s: s.connection.phase is Phase.ONLINE and gateway.connects == 2)


async def test_a_peer_that_never_greets_is_given_up_and_tried_again() -> None:
    gateway = ScriptedGateway()
    gateway.silent = True
    policy = ReconnectPolicy(first=0.01, cap=0.05, handshake=0.05)
    async with running_client(gateway, policy=policy) as client:
        await until(client, lambda s: "said nothing" in s.connection.detail)
        gateway.silent = False
        await opened(client)


async def test_closing_fails_what_is_not_delivered_with_a_reason() -> None:
    gateway = ScriptedGateway()
    gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.refusal = GatewayUnreachable("Nobody is there.")
        gateway.cut()
        await until(client, lambda s: s.connection.phase is Phase.OFFLINE)
        client.set_reaction(key, "👍")
        said = client.send("too late")
        await client.close()
        notices = [notice async for notice in client.notices()]
        assert [notice.key for notice in notices] == [key, said]
        assert all("closed" in notice.text for notice in notices)
        (state,) = [state async for state in client.changes()]
        assert state.connection.phase is Phase.CLOSED
        assert message_with(state, "too late").status is Status.FAILED
        with pytest.raises(LinkDown, match="closed"):
            client.send("more")


async def test_what_has_left_cannot_be_withdrawn() -> None:
    gateway = ScriptedGateway()
    async with running_client(gateway) as client:
        await opened(client)
        gateway.rule("prompt.submit", "hold")
        key = client.send("gone")
        await wait_for(lambda: bool(gateway.called("prompt.submit")))
        with pytest.raises(Busy):
            client.discard(key)


@KINDS
async def test_a_session_that_the_gateway_gave_up_is_opened_again_by_its_durable_id(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.refuse("message.react" if hermes else "reaction.set", 4001, "session not live")
        client.set_reaction(key, "👍")
        state = await quiet(client)
    assert emojis(state.messages[0]) == ["user 👍"]
    assert [p["session_id"] for p in gateway.called("session.resume")] == [session.id, session.id]


async def test_a_session_that_is_gone_says_so_and_leaves_an_empty_chat() -> None:
    gateway = ScriptedGateway()
    async with running_client(gateway, session_id="20200101_000000_aaaaaa") as client:
        notice = await anext(client.notices())
        assert "could not be opened" in notice.text
        state = await opened(client)
        assert state.session_id is None
        gateway.sessions.auto_reply = "ok"
        client.send("hello")
        await until(client, lambda s: texts(s) == ["hello", "ok"])


async def test_a_reaction_pressed_before_the_session_answered_is_not_lost() -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "hello"))
    gateway.rule("session.resume", "hold")
    async with running_client(gateway) as client:
        await wait_for(lambda: bool(gateway.called("session.resume")))
        client.send("typed while loading")
        gateway.release()
        state = await until(client, lambda s: len(s.messages) == 2 and not s.waiting)
        assert texts(state) == ["hello", "typed while loading"]
        assert session.user_row == state.messages[1].row_id


async def test_wishes_that_changed_nothing_are_settled_and_never_come_back() -> None:
    """Of such a wish no event tells, so the client asks; a second one may be accepted while it asks."""
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "a"), ("assistant", "b"))
    async with running_client(gateway) as client:
        first, second = (m.key for m in (await opened(client)).messages)
        gateway.hold_events = True
        for row in (1, 2):
            gateway.sessions.user_reacts_elsewhere(session, row, "👍")
        gateway.rule("reaction.set", "hold", times=2)
        gateway.rule("session.events.since", "hold", times=2)
        client.set_reaction(first, "👍")
        client.set_reaction(second, "👍")
        await wait_for(lambda: len(gateway.called("reaction.set")) == 2)
        gateway.release_one()
        await wait_for(lambda: len(gateway.called("session.events.since")) == 1)
        gateway.release_one()  # the second is accepted while the question is on its way
        await until(client, lambda s: not s.waiting)
        client.set_reaction(second, "❤️")
        gateway.release_events()
        gateway.release_one()
        state = await until(client, lambda s: not s.waiting and s.messages[1].reactions.items[0].confirmed)
        await wait_for(lambda: len(gateway.called("session.events.since")) == 2)
        assert [emojis(m) for m in state.messages] == [["user 👍"], ["user ❤️"]]
        assert [emojis(m) for m in client.state.messages] == [["user 👍"], ["user ❤️"]]
        gateway.release()
        gateway.sessions.user_reacts_elsewhere(session, 1, "😂")
        await until(client, lambda s: [emojis(m) for m in s.messages] == [["user 😂"], ["user ❤️"]])


async def test_a_wish_accepted_while_the_client_asks_makes_it_ask_again() -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "a"), ("assistant", "b"))
    async with running_client(gateway) as client:
        first, second = (m.key for m in (await opened(client)).messages)
        for row in (1, 2):
            gateway.sessions.user_reacts_elsewhere(session, row, "👍")
        gateway.rule("reaction.set", "hold", times=2)
        gateway.rule("session.events.since", "hold")
        client.set_reaction(first, "👍")
        client.set_reaction(second, "👍")
        await wait_for(lambda: len(gateway.called("reaction.set")) == 2)
        gateway.release_one()
        await wait_for(lambda: len(gateway.called("session.events.since")) == 1)
        gateway.release_one()
        await until(client, lambda s: not s.waiting)
        gateway.release()
        gateway.sessions.user_reacts_elsewhere(session, 2, "😂")
        await until(client, lambda s: [emojis(m) for m in s.messages] == [["user 👍"], ["user 😂"]])


async def test_a_refusal_leaves_a_newer_wish_for_the_same_slot_alone() -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.rule("reaction.set", "hold")
        client.set_reaction(key, "👍")
        await wait_for(lambda: bool(gateway.called("reaction.set")))
        gateway.rule("reaction.set", "hold", RpcError(4024, "Not that one."))
        client.set_reaction(key, "❤️")
        seen = {tuple(r.emoji for r in client.state.messages[0].reactions)}
        gateway.release()
        await wait_for(lambda: len(gateway.called("reaction.set")) == 2)
        client.set_reaction(key, "😂")  # newer than the one that is being refused
        gateway.release()
        async for state in client.changes():
            seen.add(tuple(r.emoji for r in state.messages[0].reactions))
            assert not state.messages[0].reaction_error
            if not state.waiting:
                break
        await quiet(client)
    assert seen == {("❤️",), ("😂",)}
    assert gateway.sessions.reactions(session, 1) == [("user", "😂")]


async def test_a_toggle_that_took_away_what_another_device_had_set_is_put_right() -> None:
    gateway = ScriptedGateway(hermes=True)
    session = gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.sessions.user_reacts_elsewhere(session, 1, "👍")  # of which nobody is told
        client.set_reaction(key, "👍")
        state = await quiet(client)
        assert emojis(state.messages[0]) == ["user 👍"]
    assert gateway.sessions.reactions(session, 1) == [("user", "👍")]
    assert len(gateway.called("message.react")) == 2
