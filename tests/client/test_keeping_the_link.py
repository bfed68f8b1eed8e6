"""Attempts, delays, refusals, the heartbeat, and the end of a link or a session."""

from __future__ import annotations

import asyncio

import pytest

from tui_tapback.client.ports import Transport
from tui_tapback.client.reconnect import ReconnectPolicy
from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.domain.errors import GatewayRefused, GatewayUnreachable, LinkDown
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
from tui_tapback.testing.scripted_gateway import ScriptedGateway

KINDS = pytest.mark.parametrize("hermes", [False, True], ids=["ours", "hermes"])


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


async def test_the_reason_stays_while_the_next_attempt_is_under_way() -> None:
    gateway = ScriptedGateway()
    gateway.refusal = GatewayUnreachable("The data file is no database.", hint="Move it away.")
    attempts = asyncio.Semaphore(2)

    async def connect() -> Transport:
        await attempts.acquire()
        return await gateway()

    async with running_client(connect) as client:
        await until(client, lambda s: s.connection.attempt == 2 and s.connection.retry_at is None)
        assert client.state.connection.detail == "The data file is no database. Move it away."
        gateway.refusal = None
        attempts.release()
        assert (await opened(client)).connection.detail == ""
