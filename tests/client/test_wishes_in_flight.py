"""Races between wishes, their answers and what others do meanwhile."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from tui_tapback.domain.errors import Busy, RpcError
from tui_tapback.testing.client import (
    QUICK,
    emojis,
    opened,
    quiet,
    running_client,
    texts,
    until,
    wait_for,
)
from tui_tapback.testing.scripted_gateway import ScriptedGateway
from tui_tapback.testing.scripted_turns import reactions_in


async def test_what_has_left_cannot_be_withdrawn() -> None:
    gateway = ScriptedGateway()
    async with running_client(gateway) as client:
        await opened(client)
        gateway.rule("prompt.submit", "hold")
        key = client.send("gone")
        await wait_for(lambda: bool(gateway.called("prompt.submit")))
        with pytest.raises(Busy):
            client.discard(key)


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


async def test_only_what_takes_longer_than_a_moment_is_called_overdue() -> None:
    gateway = ScriptedGateway()
    gateway.sessions.add(("assistant", "hello"))
    now = [2000.0]
    async with running_client(gateway, clock=lambda: now[0]) as client:
        key = (await opened(client)).messages[0].key
        gateway.rule("reaction.set", "hold")
        client.set_reaction(key, "👍")
        assert (client.state.waiting, client.state.overdue) == (1, 0)
        await wait_for(lambda: bool(gateway.called("reaction.set")))
        assert client.state.overdue == 0
        now[0] += 1.0  # nothing else happens: the client looks by itself
        await until(client, lambda s: s.overdue == 1)
        gateway.release()
        await until(client, lambda s: s.overdue == s.waiting == 0)


@pytest.mark.parametrize("hermes", [False, True], ids=["ours", "hermes"])
async def test_a_tap_and_a_message_just_before_the_end_still_go_out(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        client.set_reaction(key, "👍")
        client.send("good night")
    assert gateway.sessions.reactions(session, 1) == [("user", "👍")]
    assert [row["text"] for row in session.rows] == ["hello", "good night"]
    async with running_client(gateway, new=True) as client:
        await opened(client)
        client.send("a new chat")
    assert [[r["text"] for r in s.rows] for s in gateway.sessions.sessions.values()][-1] == ["a new chat"]


async def test_the_end_does_not_wait_for_a_gateway_that_does_not_answer() -> None:
    gateway = ScriptedGateway()
    gateway.sessions.add(("assistant", "hello"))
    policy = replace(QUICK, farewell=0.05)
    async with running_client(gateway, policy=policy) as client:
        key = (await opened(client)).messages[0].key
        gateway.frozen = True
        client.set_reaction(key, "👍")
        began = time.monotonic()
        await client.close()
        assert time.monotonic() - began < 0.8
        assert (await anext(client.notices())).key == key


async def test_a_tapback_that_stands_here_and_not_where_the_message_went_can_be_sent_again() -> None:
    """It was accepted, so that nothing is rolled back; the other chat did not take it, and says so later."""
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "to Alice: hello"))
    complained = "Alice's chat takes no 👍.\x1b[2J"

    def told(complaint: str) -> None:
        payload = {"row_id": 1, "reactions": reactions_in(session.row(1)), "complaint": complaint}
        gateway.sessions.tell(session, "message.reaction", payload)

    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        client.set_reaction(key, "👍")
        await quiet(client)
        told(complained)
        state = await until(client, lambda s: s.messages[0].retriable)
        assert state.messages[0].reaction_note == "Alice's chat takes no 👍.␛[2J"
        assert emojis(state.messages[0]) == ["user 👍"]
        client.retry(key)
        await wait_for(lambda: len(gateway.called("reaction.set")) == 2)
        await quiet(client)
        first, second = gateway.called("reaction.set")
        assert (first["emoji"], second["emoji"]) == ("👍", "👍")
        assert first["op_id"] != second["op_id"], "the same id would only be answered as before"
        told("")
        state = await until(client, lambda s: not s.messages[0].retriable)
        assert emojis(state.messages[0]) == ["user 👍"]
