"""A chat from the first connect to the last reaction, on both kinds of gateway, without a network."""

from __future__ import annotations

import time

import pytest

from tui_tapback.client.state import Phase
from tui_tapback.domain.errors import EmptyMessage, MessageTooLong, NotAnEmoji, RowNotFound, RpcError
from tui_tapback.domain.messages import Role, Status
from tui_tapback.testing.client import (
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


@KINDS
async def test_the_last_session_is_opened_with_its_rows_and_reactions(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("user", "hi"), ("assistant", "hello"), title="Greetings")
    gateway.sessions.user_reacts_elsewhere(session, 2, "❤️")
    async with running_client(gateway) as client:
        state = await opened(client)
    assert texts(state) == ["hi", "hello"]
    assert emojis(state.messages[1]) == ["user ❤️"]
    assert (state.session_id, state.title, state.model) == (session.id, "Greetings", "scripted")
    assert state.connection.gateway == ("hermes" if hermes else "tapback")


@KINDS
async def test_a_message_is_shown_at_once_and_answered_live(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    async with running_client(gateway) as client:
        key = client.send("hello")
        (shown,) = client.state.messages
        assert (shown.key, shown.status, shown.row_id) == (key, Status.WAITING, None)
        await wait_for(lambda: bool(gateway.called("prompt.submit")))
        (session,) = gateway.sessions.sessions.values()
        gateway.sessions.write(session, "wel")
        state = await until(client, lambda s: texts(s) == ["hello", "wel"])
        assert state.running
        live = state.messages[1]
        assert live.status is Status.STREAMING
        gateway.sessions.write(session, "come")
        gateway.sessions.end(session)
        state = await until(client, lambda s: not s.running and all(m.row_id for m in s.messages))
    assert texts(state) == ["hello", "welcome"]
    assert [m.key for m in state.messages] == [key, live.key]
    assert [m.status for m in state.messages] == [Status.STORED, Status.STORED]


@KINDS
async def test_no_session_is_made_before_there_is_something_to_say(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    async with running_client(gateway, new=True) as client:
        state = await opened(client)
        assert state.session_id is None
        assert not gateway.called("session.create")
        with pytest.raises(RowNotFound):
            client.set_reaction("row-1", "👍")
        gateway.sessions.auto_reply = "ok"
        client.send("now")
        state = await until(client, lambda s: texts(s) == ["now", "ok"])
    assert gateway.called("session.create") == [{"source": "desktop" if hermes else "tui"}]
    assert state.session_id is not None


@KINDS
async def test_a_reaction_is_painted_at_once_and_confirmed_later(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("user", "hi"), ("assistant", "hello"))
    method = "message.react" if hermes else "reaction.set"
    async with running_client(gateway) as client:
        state = await opened(client)
        gateway.rule(method, "hold")
        client.set_reaction(state.messages[1].key, "👍")
        (painted,) = client.state.messages[1].reactions
        assert (painted.emoji, painted.confirmed) == ("👍", False)
        assert client.state.messages[0] is state.messages[0]
        await wait_for(lambda: bool(gateway.called(method)))
        gateway.release()
        state = await quiet(client)
        assert gateway.sessions.reactions(session, 2) == [("user", "👍")]
        client.set_reaction(state.messages[1].key, None)
        assert not client.state.messages[1].reactions
        await quiet(client)
    assert gateway.sessions.reactions(session, 2) == []


@KINDS
async def test_several_quick_reactions_show_at_once_and_all_arrive(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(*[("assistant", str(n)) for n in range(6)])
    method = "message.react" if hermes else "reaction.set"
    async with running_client(gateway) as client:
        state = await opened(client)
        gateway.rule(method, "hold", times=3)
        for index in (1, 3, 5):
            client.set_reaction(state.messages[index].key, "👍")
        assert [len(m.reactions) for m in client.state.messages] == [0, 1, 0, 1, 0, 1]
        await wait_for(lambda: len(gateway.called(method)) == 3)  # none waits for another's answer
        gateway.release(backwards=True)
        state = await quiet(client)
    assert [len(m.reactions) for m in state.messages] == [0, 1, 0, 1, 0, 1]
    assert [len(gateway.sessions.reactions(session, n)) for n in range(1, 7)] == [0, 1, 0, 1, 0, 1]


@KINDS
async def test_overlapping_taps_end_in_the_last_wish_without_flashing(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    method = "message.react" if hermes else "reaction.set"
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.rule(method, "hold")
        client.set_reaction(key, "👍")
        await wait_for(lambda: bool(gateway.called(method)))
        client.set_reaction(key, "❤️")
        client.set_reaction(key, None)
        seen: set[int] = {len(client.state.messages[0].reactions)}
        gateway.release()
        async for state in client.changes():
            seen.add(len(state.messages[0].reactions))
            if not state.waiting:
                break
    assert seen == {0}
    assert gateway.sessions.reactions(session, 1) == []


@KINDS
async def test_a_refused_reaction_is_rolled_back_with_its_reason_and_can_be_tried_again(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("user", "hi"), ("assistant", "hello"))
    gateway.sessions.user_reacts_elsewhere(session, 2, "❤️")
    method = "message.react" if hermes else "reaction.set"
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[1].key
        gateway.refuse(method, 4024, "That emoji is not welcome.")
        client.set_reaction(key, "👌")
        state = await until(client, lambda s: bool(s.messages[1].reaction_error))
        assert emojis(state.messages[1]) == ["user ❤️"]
        assert state.messages[1].reaction_error == "That emoji is not welcome."
        notice = await anext(client.notices())
        assert (notice.key, notice.level) == (key, "error")
        assert "not welcome" in notice.text
        client.retry(key)
        state = await quiet(client)
        assert emojis(state.messages[1]) == ["user 👌"]
        assert not state.messages[1].reaction_error


async def test_an_op_id_that_another_request_bore_is_a_refusal_and_a_retry_bears_a_new_one() -> None:
    gateway = ScriptedGateway()
    gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.refuse("reaction.set", 4806, "That op_id belongs to another reaction already.")
        client.set_reaction(key, "👍")
        state = await until(client, lambda s: bool(s.messages[0].reaction_error))
        assert not state.messages[0].reactions
        assert len(gateway.called("reaction.set")) == 1  # it is not tried again by itself
        client.retry(key)
        state = await quiet(client)
        assert emojis(state.messages[0]) == ["user 👍"]
    first, second = (call["op_id"] for call in gateway.called("reaction.set"))
    assert first != second


async def test_a_conflict_that_is_already_as_wanted_is_no_refusal() -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.sessions.user_reacts_elsewhere(session, 1, "👍")  # its event is on the way
        gateway.refuse("reaction.set", 4803, "Meanwhile it was changed.")
        client.set_reaction(key, "👍")
        state = await quiet(client)
    assert emojis(state.messages[0]) == ["user 👍"]
    assert not state.messages[0].reaction_error


@pytest.mark.parametrize("event_first", [True, False])
async def test_an_echo_counts_once_in_either_order(event_first: bool) -> None:
    gateway = ScriptedGateway()
    gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        if event_first:
            gateway.rule("reaction.set", "hold")
        else:
            gateway.hold_events = True
        client.set_reaction(key, "👍")
        counts = {len(client.state.messages[0].reactions)}
        await wait_for(lambda: bool(gateway.called("reaction.set")))
        for _ in range(20):
            await wait_for(lambda: True)
            counts.add(len(client.state.messages[0].reactions))
        gateway.release()
        gateway.release_events()
        state = await quiet(client)
        counts.add(len(state.messages[0].reactions))
    assert counts == {1}


@KINDS
async def test_a_message_just_sent_and_the_answer_that_streams_can_be_reacted_to(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    async with running_client(gateway) as client:
        await opened(client)
        gateway.rule("prompt.submit", "hold")
        gateway.hold_events = True
        key = client.send("hi")
        client.set_reaction(key, "❤️")
        assert emojis(client.state.messages[0]) == ["user ❤️"]
        await wait_for(lambda: bool(gateway.called("prompt.submit")))
        gateway.release()
        gateway.release_events()
        (session,) = gateway.sessions.sessions.values()
        gateway.sessions.write(session, "well")
        state = await until(client, lambda s: "well" in texts(s))
        client.set_reaction(message_with(state, "well").key, "👍")
        later = client.send("and then?")  # another message meanwhile
        gateway.sessions.write(session, " hello")
        gateway.sessions.end(session)
        state = await until(client, lambda s: len(s.messages) == 3 and s.messages[2].row_id is not None)
        gateway.sessions.write(session, "nothing")
        gateway.sessions.end(session)
        state = await quiet(client)
    assert [(m.text, emojis(m)) for m in state.messages] == [
        ("hi", ["user ❤️"]),
        ("well hello", ["user 👍"]),
        ("and then?", []),
        ("nothing", []),
    ]
    assert state.messages[2].key == later
    stored = [gateway.sessions.reactions(session, m.row_id or 0) for m in state.messages]
    assert stored == [[("user", "❤️")], [("user", "👍")], [], []]


@KINDS
async def test_a_message_behind_a_running_turn_waits_and_can_be_withdrawn(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    async with running_client(gateway) as client:
        client.send("one")
        await until(client, lambda s: s.running and not s.waiting)
        two, three = client.send("two"), client.send("three")
        assert [m.status for m in client.state.messages[1:]] == [Status.WAITING, Status.WAITING]
        assert client.discard(two) == "two"
        await client.list_sessions()  # by then a message that did not wait would have left
        assert len(gateway.called("prompt.submit")) == 1
        (session,) = gateway.sessions.sessions.values()
        gateway.sessions.auto_reply = "reply to {}"
        gateway.sessions.write(session, "reply to one")
        gateway.sessions.end(session)
        state = await until(client, lambda s: texts(s)[-1:] == ["reply to three"])
    assert texts(state) == ["one", "reply to one", "three", "reply to three"]
    assert state.messages[2].key == three
    assert [params["text"] for params in gateway.called("prompt.submit")] == ["one", "three"]


@KINDS
async def test_the_agents_reaction_arrives_live_on_the_right_bubble(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    async with running_client(gateway) as client:
        key = client.send("a joke")
        await until(client, lambda s: s.running and bool(s.messages[0].row_id))
        (session,) = gateway.sessions.sessions.values()
        gateway.sessions.agent_reacts(session, 1, "😂")
        state = await until(client, lambda s: bool(s.messages[0].reactions))
        assert (state.messages[0].key, emojis(state.messages[0])) == (key, ["agent 😂"])


@KINDS
async def test_tools_stand_between_the_pieces_of_an_answer(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    async with running_client(gateway) as client:
        client.send("look")
        await until(client, lambda s: s.running)
        (session,) = gateway.sessions.sessions.values()
        for number in (1, 2):  # a model that gives every call the same id
            gateway.sessions.write(session, f"step {number}")
            gateway.sessions.tool(session, "read_file", "call", {"content": number})
        gateway.sessions.write(session, "\n\ndone")
        state = await until(client, lambda s: len(s.messages) == 6)
        before = [m.key for m in state.messages]
        gateway.sessions.end(session)
        state = await quiet(client)
        state = await until(client, lambda s: all(m.row_id or m.role is Role.TOOL for m in s.messages))
    roles = [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert [m.role for m in state.messages] == roles
    assert [m.key for m in state.messages] == before
    assert state.messages[5].text.strip() == "done"
    assert all(not m.tool.running for m in state.messages if m.tool)


@KINDS
async def test_two_answers_and_two_prompts_with_the_same_words_stay_two(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    gateway.sessions.auto_reply = "the very same words"
    async with running_client(gateway) as client:
        client.send("continue")
        await until(client, lambda s: len(s.messages) == 2 and not s.running)
        second = client.send("continue")
        await until(client, lambda s: len(s.messages) == 4 and not s.running)
        client.set_reaction(second, "👍")
        await quiet(client)
        gateway.cut()
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        state = await quiet(client)
    assert texts(state) == ["continue", "the very same words"] * 2
    assert [emojis(m) for m in state.messages] == [[], [], ["user 👍"], []]


async def test_what_cannot_be_sent_is_refused_at_once() -> None:
    gateway = ScriptedGateway(max_chars=10)
    gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        state = await opened(client)
        assert state.max_message_chars == 10
        for text in ("", "  \n", "\u200b"):
            with pytest.raises(EmptyMessage):
                client.send(text)
        with pytest.raises(MessageTooLong):
            client.send("x" * 11)
        with pytest.raises(NotAnEmoji):
            client.set_reaction(state.messages[0].key, "abc")
        with pytest.raises(RowNotFound):
            client.set_reaction("row-99", "👍")
        assert client.state.messages == state.messages


async def test_pressing_what_is_there_asks_for_nothing() -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "hello"))
    gateway.sessions.user_reacts_elsewhere(session, 1, "❤️")
    async with running_client(gateway) as client:
        state = await opened(client)
        client.set_reaction(state.messages[0].key, "❤")  # the same, in another spelling
        assert client.state.waiting == 0
        await quiet(client)
    assert not gateway.called("reaction.set")


@KINDS
async def test_a_refused_message_keeps_its_text_and_goes_out_again(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    gateway.sessions.auto_reply = "ok"
    async with running_client(gateway) as client:
        gateway.refuse("prompt.submit", 5071, "The disk is full.")
        key = client.send("precious words")
        state = await until(client, lambda s: s.messages[0].status is Status.FAILED)
        assert (state.messages[0].text, state.messages[0].error) == ("precious words", "The disk is full.")
        assert (await anext(client.notices())).key == key
        client.retry(key)
        state = await until(client, lambda s: texts(s) == ["precious words", "ok"])
    assert state.messages[0].key == key


async def test_events_of_another_session_change_nothing_here_and_are_there_later() -> None:
    gateway = ScriptedGateway()
    one = gateway.sessions.add(("assistant", "in one"))
    two = gateway.sessions.add(("assistant", "in two"))
    async with running_client(gateway, session_id=one.id) as client:
        await opened(client)
        await client.open_session(two.id)
        await until(client, lambda s: texts(s) == ["in two"])
        before = client.state.messages
        gateway.sessions.agent_reacts(one, 1, "🔥")
        gateway.sessions.begin(one)
        gateway.sessions.write(one, "more")
        gateway.sessions.end(one)
        gateway.sessions.agent_reacts(two, 2, "😂")
        await until(client, lambda s: bool(s.messages[0].reactions))
        assert texts(client.state) == ["in two"]
        assert before[0].key == client.state.messages[0].key
        await client.open_session(one.id)
        assert texts(client.state) == ["in one", "more"]  # at once, without a fetch
        assert emojis(client.state.messages[0]) == ["agent 🔥"]


@KINDS
async def test_a_gateway_that_asks_for_patience_is_given_it(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    method = "message.react" if hermes else "reaction.set"
    haste = RpcError(4804, "Too fast.", {"retry_after": 0.02})
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.rule(method, "refuse", haste, times=12)  # far oftener than a call that fails is repeated
        began = time.monotonic()
        client.set_reaction(key, "👍")
        state = await quiet(client)
    assert time.monotonic() - began >= 12 * 0.02
    assert emojis(state.messages[0]) == ["user 👍"]
    assert gateway.sessions.reactions(session, 1) == [("user", "👍")]


@pytest.mark.parametrize("data", [None, "soon", {"retry_after": "soon"}, {"retry_after": -5}, []])
async def test_a_pace_that_makes_no_sense_is_not_waited_for(data: object) -> None:
    gateway = ScriptedGateway()
    gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        gateway.rule("reaction.set", "refuse", RpcError(4804, "Too fast.", data))
        client.set_reaction(key, "👍")
        assert emojis((await quiet(client)).messages[0]) == ["user 👍"]


@KINDS
async def test_a_session_that_is_asked_for_too_fast_is_opened_later(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    gateway.rule("session.resume", "refuse", RpcError(4804, "Too fast."), times=12)
    async with running_client(gateway, session_id=session.id) as client:
        assert texts(await opened(client)) == ["hello"]


@KINDS
@pytest.mark.parametrize(("code", "reason"), [(4802, "It is too long."), (5071, "The disk is full.")])
async def test_the_text_of_a_refused_message_can_be_taken_back(hermes: bool, code: int, reason: str) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    gateway.sessions.add(("assistant", "hello"))
    gateway.sessions.auto_reply = "ok"
    async with running_client(gateway) as client:
        await opened(client)
        gateway.refuse("prompt.submit", code, reason)
        key = client.send("precious\nwords")
        client.set_reaction(key, "👍")
        state = await until(client, lambda s: s.messages[-1].status is Status.FAILED)
        assert state.messages[-1].error == reason
        assert state.waiting == 0
        assert client.discard(key) == "precious\nwords"
        assert texts(client.state) == ["hello"]
        assert client.send("again")
        assert texts(await quiet(client)) == ["hello", "again", "ok"]
