"""A long chat is read in parts: the newest first, older and newer ones when they are asked for."""

from __future__ import annotations

from tui_tapback.client.paging import WINDOW
from tui_tapback.client.session import ChatClient
from tui_tapback.testing.client import emojis, message_with, opened, quiet, running_client, texts, until
from tui_tapback.testing.scripted_gateway import ScriptedGateway
from tui_tapback.testing.scripted_turns import ScriptedSession


def long_chat(count: int) -> tuple[ScriptedGateway, ScriptedSession]:
    gateway = ScriptedGateway()
    rows = [("assistant" if n % 2 else "user", f"m{n}") for n in range(1, count + 1)]
    return gateway, gateway.sessions.add(*rows)


def numbers(client: ChatClient) -> list[int]:
    return [int(text[1:]) for text in texts(client.state)]


async def test_a_long_chat_opens_with_its_end_and_older_parts_come_in_order() -> None:
    gateway, _ = long_chat(1000)
    async with running_client(gateway, rows=200) as client:
        state = await opened(client)
        assert numbers(client) == list(range(801, 1001))
        assert (state.has_older, state.has_newer, state.total) == (True, False, 1000)
        newest = state.messages[-1]
        assert await client.history.load_older(300) == 300
        assert numbers(client) == list(range(501, 1001))
        assert client.state.messages[-1] is newest, "what was there is the same object"
        while client.state.has_older:
            await client.history.load_older()
        assert numbers(client) == list(range(1, 1001))
        assert await client.history.load_older() == 0


async def test_a_hermes_chat_is_held_whole() -> None:
    gateway = ScriptedGateway(hermes=True)
    gateway.sessions.add(*[("user", f"m{n}") for n in range(500)])
    async with running_client(gateway, rows=200) as client:
        state = await opened(client)
        assert len(state.messages) == 500
        assert (state.has_older, state.has_newer, state.total) == (False, False, None)
        assert await client.history.load_older() == 0
        assert not gateway.called("session.page")


async def test_the_window_is_bounded_and_the_way_back_joins_the_live_chat() -> None:
    gateway, session = long_chat(WINDOW + 1500)
    async with running_client(gateway, rows=200) as client:
        await opened(client)
        while client.state.has_older:
            await client.history.load_older(1000)
        assert len(client.state.messages) == WINDOW
        assert client.state.has_newer
        gateway.sessions.start(session, gateway.sessions.new_row("user", "m9000"))
        gateway.sessions.write(session, "m9001")
        state = await until(client, lambda s: s.running)
        assert texts(state)[-1] == f"m{WINDOW}", "who reads the beginning is not disturbed"
        gateway.sessions.end(session)
        while client.state.has_newer:
            await client.history.load_newer(1000)
            await quiet(client)
        assert texts(client.state)[-3:] == [f"m{WINDOW + 1500}", "m9000", "m9001"]
        rows = [m.row_id for m in client.state.messages]
        assert rows == sorted(rows, key=lambda row: row or 0)
        assert len(set(rows)) == len(rows)


async def test_saying_something_leads_back_to_the_end() -> None:
    gateway, _ = long_chat(1000)
    gateway.sessions.auto_reply = "yes"
    async with running_client(gateway, rows=200) as client:
        await opened(client)
        assert await client.history.load_around(100, 50) is not None
        assert client.state.has_newer
        client.send("hello from far away")
        state = await until(client, lambda s: texts(s)[-2:] == ["hello from far away", "yes"])
        assert not state.has_newer


async def test_a_tapback_reaches_a_message_that_is_out_of_sight_when_it_leaves() -> None:
    gateway, session = long_chat(1000)
    async with running_client(gateway, rows=200) as client:
        await opened(client)
        key = await client.history.load_around(100, 50)
        gateway.cut()
        client.set_reaction(key or "", "👍")
        client.history.to_end()
        await until(client, lambda s: not (s.has_newer or s.waiting))
        assert gateway.sessions.reactions(session, 100) == [("user", "👍")]
        key = await client.history.load_around(100, 50)
        assert emojis(message_with(client.state, "m100")) == ["user 👍"]


async def test_reactions_beyond_the_window_make_no_bubbles_and_are_there_later() -> None:
    gateway, session = long_chat(1000)
    async with running_client(gateway, rows=200) as client:
        await opened(client)
        gateway.sessions.user_reacts_elsewhere(session, 10, "🎉")
        gateway.sessions.agent_reacts(session, 999, "👍")
        state = await until(client, lambda s: bool(message_with(s, "m999").reactions))
        assert len(state.messages) == 200
        await client.history.load_around(10, 20)
        assert emojis(message_with(client.state, "m10")) == ["user 🎉"]


async def test_after_a_drop_the_part_that_is_read_stays() -> None:
    gateway, session = long_chat(1000)
    async with running_client(gateway, rows=200) as client:
        await opened(client)
        await client.history.load_around(100, 50)
        before = texts(client.state)
        gateway.cut()
        gateway.sessions.agent_reacts(session, 100, "😂")
        await until(client, lambda s: emojis(message_with(s, "m100")) == ["agent 😂"])
        assert texts(client.state) == before
