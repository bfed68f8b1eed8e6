"""What becomes of tapbacks when a Hermes chat is rewound, branched or summed up, as our user sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import ClientState
from tui_tapback.domain.messages import Role
from tui_tapback.testing.client import emojis, message_with, quiet, texts, until
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import PATIENCE, attached, turn

pytestmark = [pytest.mark.hermes, pytest.mark.slow]


def told(gateway: HermesGateway) -> str:
    return "\n".join(str(m["content"]) for m in gateway.prompts()[-1] if m["role"] == "user")


async def same_as_stored(gateway: HermesGateway, client: ChatClient) -> ClientState:
    """The state once it equals what a client that has just come reads."""
    async with attached(gateway, client.state.session_id, "reader") as reader:
        read = await quiet(reader)
    rows = [(m.row_id, m.text, emojis(m)) for m in read.messages if m.role is not Role.TOOL]

    def agrees(state: ClientState) -> bool:
        return [(m.row_id, m.text, emojis(m)) for m in state.messages if m.role is not Role.TOOL] == rows

    return await until(client, agrees)


async def test_undo_takes_the_turn_away_and_gives_its_words_back(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        state = await turn(client, "stays")
        client.set_reaction(state.messages[-1].key, "👍")
        await turn(client, "goes")
        assert await client.turns.undo() == "goes"
        state = await same_as_stored(hermes, client)
        assert texts(state) == ["stays", "echo: stays"]
        assert emojis(state.messages[-1]) == ["user 👍"], "F6: it stays, marked as told"
        assert await client.reactions.head() == (), "F6: and will not be told again"


async def test_an_edit_says_a_message_anew_and_what_came_after_it_goes(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "one")
        state = await turn(client, "two")
        client.set_reaction(state.messages[0].key, "❤️")
        await turn(client, "three")
        second = message_with(client.state, "two")
        cost = client.turns.cost_of_edit(second.key)
        assert (cost.messages, cost.turns, cost.everything) == (4, 2, False)
        client.turns.edit(second.key, "two, better")
        await until(client, lambda s: "echo: two, better" in texts(s) and not s.running, PATIENCE)
        state = await same_as_stored(hermes, client)
        assert texts(state) == ["one", "echo: one", "two, better", "echo: two, better"]
        assert emojis(state.messages[0]) == ["user ❤️"]
        assert "two, better" in told(hermes)
        assert "three" not in told(hermes)


async def test_the_first_message_can_be_edited_too(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        state = await turn(client, "whole")
        assert client.turns.cost_of_edit(state.messages[0].key).everything
        client.turns.edit(state.messages[0].key, "anew")
        await until(client, lambda s: "echo: anew" in texts(s) and not s.running, PATIENCE)
        state = await same_as_stored(hermes, client)
        assert texts(state) == ["anew", "echo: anew"]


async def test_regenerating_asks_the_same_again(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "begin")
        state = await turn(client, "again please")
        client.set_reaction(state.messages[-1].key, "👎")
        old = (await quiet(client)).messages[-1].row_id
        client.turns.regenerate(client.state.messages[-1].key)
        await until(client, lambda s: s.messages[-1].row_id not in (None, old) and not s.running, PATIENCE)
        state = await same_as_stored(hermes, client)
        assert texts(state) == ["begin", "echo: begin", "again please", "echo: again please"]
        assert emojis(state.messages[-1]) == [], "the new answer is another message"


async def test_f6_the_turn_that_carried_a_note_is_edited_and_the_badge_stays(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        answer = (await turn(client, "carry")).messages[-1]
        client.set_reaction(answer.key, "👍")
        await quiet(client)
        state = await turn(client, "the carrier")
        assert "reacted 👍" in told(hermes)
        client.turns.edit(message_with(state, "the carrier").key, "another carrier")
        await until(client, lambda s: "echo: another carrier" in texts(s) and not s.running, PATIENCE)
        assert "reacted 👍" not in told(hermes), "the gateway forgets to tell it again"
        state = await same_as_stored(hermes, client)
        assert emojis(message_with(state, answer.text)) == ["user 👍"]


async def test_f12_a_branch_shows_the_copied_tapbacks_and_says_that_it_will_tell_them(
    hermes: HermesGateway,
) -> None:
    async with attached(hermes) as client:
        state = await turn(client, "trunk")
        client.set_reaction(state.messages[-1].key, "🎉")
        await quiet(client)
        trunk = client.state.session_id
        branch = await client.turns.branch("a branch")
        assert branch != trunk
        state = await until(client, lambda s: s.session_id == branch and not s.loading)
        assert texts(state) == ["trunk", "echo: trunk"]
        assert emojis(state.messages[-1]) == ["user 🎉"]
        assert len(await client.reactions.head()) == 1, "both chats announce it, and we say so"
        client.set_reaction(state.messages[-1].key, None)
        await quiet(client)
        assert await client.reactions.head() == (), "taking it back in the branch keeps it quiet there"
        await client.open_session(trunk or "")
        state = await until(client, lambda s: s.session_id == trunk and not s.loading)
        assert emojis(state.messages[-1]) == ["user 🎉"], "the trunk keeps its own"


@pytest.mark.parametrize("in_place", [True, False], ids=["in place", "rotating"])
class TestCompression:
    @pytest.fixture
    def small(self, in_place: bool) -> Iterator[HermesGateway]:
        config = {"compression": {"in_place": in_place, "protect_last_n": 2}}
        with HermesGateway(config=config) as gateway:
            yield gateway

    async def test_f3_tapbacks_that_compression_drops_are_not_shown_and_the_person_is_told(
        self, small: HermesGateway
    ) -> None:
        async with attached(small) as client:
            for number in range(8):
                words = " ".join(f"w{number}x{n}" for n in range(300))
                state = await turn(client, f"message {number} [[say {words}]]")
                client.set_reaction(state.messages[-1].key, "👍")
                client.set_reaction(state.messages[-2].key, "❤️")
                await quiet(client)
            before = sum(len(m.reactions) for m in client.state.messages)
            assert before == 16
            await client.turns.compress("the numbers")
            state = await same_as_stored(small, client)
            assert sum(len(m.reactions) for m in state.messages) < before
            told_so = await anext(client.notices())
            assert "this gateway drops them when it sums a chat up" in told_so.text
            newest = [m for m in state.messages if m.reactable][-1]
            client.set_reaction(newest.key, "🎯")
            state = await quiet(client)
            assert emojis(next(m for m in state.messages if m.key == newest.key))[-1] == "user 🎯"
            await turn(client, "goes on")
            state = await same_as_stored(small, client)
            assert texts(state)[-2:] == ["goes on", "echo: goes on"]
