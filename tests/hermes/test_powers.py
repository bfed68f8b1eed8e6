"""Questions, the gate, the session list and slash commands of a real Hermes gateway, through our client."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tui_tapback.client.abilities import Ability
from tui_tapback.client.open_questions import Approval, Clarify
from tui_tapback.client.session import ChatClient
from tui_tapback.domain.errors import NotFound, NotSupported
from tui_tapback.testing.client import quiet, texts, until
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import PATIENCE, attached, turn, warm_up

pytestmark = [pytest.mark.hermes, pytest.mark.slow]

ASK = '[[tool clarify {"questions":[{"question":"Which one?","choices":["red","blue"]}]}]]'
DANGER = '[[tool terminal {"command":"rm -rf /tmp/tapback-nothing-here"}]]'


async def asked(client: ChatClient) -> str:
    state = await until(client, lambda s: bool(s.questions), 20.0)
    return state.questions[0].id


async def test_a_question_of_the_agent_is_answered_and_settled_for_everybody(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "I may be asked")
        client.send(ASK)
        number = await asked(client)
        (question,) = client.state.questions
        assert isinstance(question, Clarify)
        (item,) = question.items
        assert item.question == "Which one?"
        assert [choice.split(" ")[0] for choice in item.choices] == ["red", "blue"]
        async with attached(hermes, client.state.session_id, "late") as late:
            assert await asked(late) == number, "who comes later finds it"
            assert await late.questions.answer(number, {item.qid: "blue"})
            await until(client, lambda s: not s.questions)
        with pytest.raises(NotFound):
            await client.questions.answer(number, {item.qid: "red"})
        await quiet(client, PATIENCE)
        assert "blue" in str(hermes.prompts()[-1])


async def test_a_dangerous_command_waits_for_the_person_and_can_be_denied(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "careful now")
        client.send(DANGER)
        number = await asked(client)
        (question,) = client.state.questions
        assert isinstance(question, Approval)
        assert "rm -rf /tmp/tapback-nothing-here" in question.command
        assert "deny" in question.choices
        assert await client.questions.cancel(number)
        await quiet(client, PATIENCE)
        assert not client.state.questions


async def test_an_interrupt_withdraws_what_was_asked(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "soon interrupted")
        client.send(ASK)
        await asked(client)
        await client.interrupt()
        await until(client, lambda s: not s.questions, PATIENCE)
        await quiet(client, PATIENCE)


async def test_words_can_be_slipped_into_a_running_turn_and_not_into_none(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "before steering")
        assert not await client.turns.steer("nobody listens")
        client.send("[[slow 30 0.1]]")
        await until(client, lambda s: s.messages[-1].text.startswith("w0 w1"), PATIENCE)
        assert await client.turns.redirect("say something else")
        await until(client, lambda s: any("say something else" in t for t in texts(s)), PATIENCE)
        await quiet(client, PATIENCE)


async def test_sessions_are_listed_named_found_put_away_and_deleted(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "a chat about zeppelins")
        await client.sessions.set_title("Airships")
        session_id = client.state.session_id or ""
        assert session_id in [s.id for s in await client.sessions.list("airships")]
        assert await client.sessions.list("no such words anywhere") == ()
        await client.sessions.archive(session_id)
        await client.sessions.archive(session_id, False)
        assert Ability.SEARCH not in client.state.abilities
        with pytest.raises(NotSupported, match="cannot search"):
            await client.sessions.search("zeppelins")
        assert await client.sessions.delete(session_id) == 0.0
        assert client.state.session_id is None
        assert session_id not in [s.id for s in await client.sessions.list()]


async def test_slash_commands_are_listed_completed_and_run(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "commands")
        catalog = await client.commands.catalog()
        assert any(command.name == "/undo" for command in catalog)
        assert all("slash.shared" not in command.help for command in catalog)
        proposals = await client.commands.complete("/und")
        assert any("undo" in proposal.text for proposal in proposals)
        undone = await client.commands.run("/undo")
        assert (undone.kind, undone.text) == ("prefill", "commands")
        await until(client, lambda s: texts(s) == [])
        shown = await client.commands.run("/help")
        assert shown.kind == "shown"
        assert shown.text


async def test_usage_is_reported(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "how many tokens")
        usage = await client.turns.usage()
        assert usage.model == client.state.model
        assert usage.calls >= 1


class TestTheGate:
    @pytest.fixture
    def gateway(self) -> Iterator[HermesGateway]:
        with HermesGateway(reactions=False) as gateway:
            yield gateway

    # F7
    async def test_tapbacks_that_are_off_are_offered_and_on_in_spite_of_the_memory_of_the_gateway(
        self, gateway: HermesGateway
    ) -> None:
        await warm_up(gateway)  # an agent was built with the gate shut
        async with attached(gateway) as client:
            state = await until(client, lambda s: s.reactions_offered)
            await turn(client, "first")
            assert client.state.agent_reacts is False
            await client.reactions.enable()
            assert not client.state.reactions_offered
            async with asyncio.timeout(PATIENCE):
                notice = await anext(client.notices())
            assert "tap back in every chat begun from now on" in notice.text
            await client.new_session()
            state = await turn(client, '[[tool react_to_message {"emoji":"😂"}]]')
            assert state.agent_reacts
            assert [r.emoji for m in state.messages for r in m.reactions] == ["😂"]
