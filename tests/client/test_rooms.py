"""The rooms of the client on our real gateway: rewinding, pages, search, library, what the model hears."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tui_tapback.client.abilities import Ability
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import ClientState
from tui_tapback.client.transport import unix_connector
from tui_tapback.domain.errors import NotSupported, SessionNotFound
from tui_tapback.testing.client import emojis, message_with, quiet, running_client, texts, until
from tui_tapback.testing.gateway import RunningServer


@pytest.fixture
async def server(tmp_path: Path) -> AsyncGenerator[RunningServer]:
    async with RunningServer(tmp_path) as server:
        yield server


@pytest.fixture
async def client(server: RunningServer) -> AsyncGenerator[ChatClient]:
    async with running_client(unix_connector(server.path), new=True) as client:
        yield client


async def turn(client: ChatClient, text: str) -> ClientState:
    client.send(text)
    return await quiet(client)


def said(state: ClientState) -> list[str]:
    return [m.text for m in state.messages if m.reactable and m.role == "user"]


async def test_undo_edit_and_regenerate_agree_with_what_a_second_client_reads(
    server: RunningServer, client: ChatClient
) -> None:
    for text in ("one", "two", "three"):
        await turn(client, text)
    assert await client.turns.undo() == "three"
    state = await until(client, lambda s: said(s) == ["one", "two"])
    second = message_with(state, "two")
    assert client.turns.cost_of_edit(second.key).turns == 1
    client.turns.edit(second.key, "two, better")
    await until(client, lambda s: said(s) == ["one", "two, better"] and not s.running)
    state = await quiet(client)
    before = state.messages[-1].row_id
    client.turns.regenerate(state.messages[-1].key)
    await until(client, lambda s: s.messages[-1].row_id not in (None, before) and not s.running)
    state = await quiet(client)
    async with running_client(unix_connector(server.path), session_id=state.session_id, prefix="b") as other:
        read = await quiet(other)
    assert texts(read) == texts(state)
    assert [m.row_id for m in read.messages] == [m.row_id for m in state.messages]


async def test_a_second_client_follows_an_undo_and_an_edit_live(
    server: RunningServer, client: ChatClient
) -> None:
    await turn(client, "one")
    await turn(client, "two")
    async with running_client(
        unix_connector(server.path), session_id=client.state.session_id, prefix="b"
    ) as other:
        await quiet(other)
        await client.turns.undo()
        await until(other, lambda s: said(s) == ["one"])
        first = message_with(client.state, "one")
        client.turns.edit(first.key, "first, anew")
        state = await until(other, lambda s: said(s) == ["first, anew"] and not s.running)
        assert texts(await quiet(other))[0] == "first, anew"
        assert len(state.messages) == len((await quiet(client)).messages)


async def test_a_branch_is_a_chat_of_its_own(client: ChatClient) -> None:
    await turn(client, "one")
    state = await turn(client, "two")
    trunk = state.session_id
    branch = await client.turns.branch("aside", upto=state.messages[1].key)
    state = await until(client, lambda s: s.session_id == branch and not s.loading)
    assert said(state) == ["one"]
    assert branch != trunk
    state = await turn(client, "elsewhere")
    assert said(state) == ["one", "elsewhere"]


async def test_what_the_model_will_be_told_can_be_seen_and_kept_back(client: ChatClient) -> None:
    state = await turn(client, "hello there")
    answer = state.messages[-1]
    client.set_reaction(answer.key, "👍")
    await quiet(client)
    (line,) = await client.reactions.pending()
    assert (line.key, line.withheld) == (answer.key, False)
    assert "👍" in line.text
    await client.reactions.withhold(answer.key, True)
    (line,) = await client.reactions.pending()
    assert line.withheld
    assert await client.reactions.head() == ()
    await client.reactions.withhold(answer.key, False)
    assert len(await client.reactions.head()) == 1


async def test_a_part_of_a_message_bears_a_tapback_of_its_own(
    server: RunningServer, client: ChatClient
) -> None:
    state = await turn(client, "several parts")
    answer = state.messages[-1]
    client.set_reaction(answer.key, "❤️")
    client.set_reaction(answer.key, "👍", "p1", "the beginning")
    state = await quiet(client)
    async with running_client(unix_connector(server.path), session_id=state.session_id, prefix="b") as other:
        read = (await quiet(other)).messages[-1]
    assert sorted((r.emoji, r.part, r.quote) for r in read.reactions if r.author == "user") == [
        ("❤️", None, ""),
        ("👍", "p1", "the beginning"),
    ]


async def test_sessions_are_found_put_away_deleted_and_brought_back(client: ChatClient) -> None:
    state = await turn(client, "a chat about zeppelins")
    session_id = state.session_id or ""
    client.set_reaction(state.messages[0].key, "🎉")
    await quiet(client)
    assert [s.id for s in await client.sessions.list("zeppelins")] == [session_id]
    assert [s.id for s in await client.sessions.list(reacted_with="🎉")] == [session_id]
    found = await client.sessions.search("zeppelins")
    assert found.hits[0].session_id == session_id
    assert await client.history.load_around(found.hits[0].row_id) == state.messages[0].key
    await client.sessions.archive(session_id)
    assert await client.sessions.list() == ()
    assert [s.id for s in await client.sessions.list(archived=True)] == [session_id]
    await client.sessions.archive(session_id, False)
    assert await client.sessions.delete(session_id) > 0
    assert client.state.session_id is None
    assert await client.sessions.list() == ()
    await client.sessions.restore(session_id)
    await client.open_session(session_id)
    state = await until(client, lambda s: s.session_id == session_id and not s.loading)
    assert emojis(state.messages[0])[0] == "user 🎉"


async def test_what_this_gateway_cannot_is_known_before_it_is_tried(client: ChatClient) -> None:
    await quiet(client)
    assert Ability.COMMANDS not in client.state.abilities
    with pytest.raises(NotSupported, match="no slash commands"):
        await client.commands.catalog()
    assert {Ability.SEARCH, Ability.PAGES, Ability.RESTORE, Ability.WITHHOLD} <= client.state.abilities
    with pytest.raises(SessionNotFound, match="has not begun"):
        await client.turns.undo()


async def test_a_chat_can_be_summed_up_and_its_tapbacks_stay(client: ChatClient) -> None:
    state = await turn(client, "one")
    client.set_reaction(state.messages[0].key, "👍")
    for number in range(4):
        await turn(client, f"more {number}")
    before = texts(client.state)
    assert await client.turns.compress()
    state = await quiet(client)
    assert texts(state)[: len(before)] == before
    assert "user 👍" in emojis(state.messages[0])
    assert (await client.turns.usage()).context_max >= 0


async def test_pages_of_our_gateway_fit_together(server: RunningServer, client: ChatClient) -> None:
    for number in range(15):
        await turn(client, f"turn {number}")
    whole = await quiet(client)
    async with running_client(
        unix_connector(server.path), session_id=whole.session_id, prefix="b", rows=6
    ) as other:
        state = await quiet(other)
        assert len(state.messages) < len(whole.messages)
        assert state.total == sum(m.reactable for m in whole.messages)
        while other.state.has_older:
            assert await other.history.load_older(7)
        assert texts(other.state) == texts(whole)
        assert [m.row_id for m in other.state.messages] == [m.row_id for m in whole.messages]
        first = whole.messages[0].row_id or 0
        async with running_client(
            unix_connector(server.path), session_id=whole.session_id, prefix="c", rows=6
        ) as third:
            await quiet(third)
            assert await third.history.load_around(first, 4) is not None
            assert third.state.has_newer
            while third.state.has_newer:
                await third.history.load_newer(5)
                await until(third, lambda s: not s.loading)
            await until(third, lambda s: texts(s) == texts(whole))
            assert said(await turn(third, "and on"))[-1] == "and on"
