"""The card of what is asked in mid-turn: over the real gateway, and by itself at three sizes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.client.open_questions import Approval, Clarify, ClarifyItem, SecretAsked
from tui_tapback.client.session import ChatClient
from tui_tapback.client.transport import unix_connector
from tui_tapback.emoji.resolve import resolve
from tui_tapback.gateway.agent.tools import SendMessageTool
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.gateway.platforms.loopback import LoopbackAdapter
from tui_tapback.gateway.service.approvals import Approvals
from tui_tapback.gateway.service.ports import Agent, ConversationTools, ToolCall
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.app import chat_app, shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.client import QUICK, counted
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.respondent import AskedClient
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.testing.service import ServiceBench
from tui_tapback.widgets.asking import QuestionCard
from tui_tapback.widgets.composer import Composer

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
APPROVAL = Approval("a1", "s1", "send_message to loopback:alice", "Send “hi” to alice.", ("once", "deny"))


class ToolBench(ServiceBench):
    """A service whose agent may send to the loopback platform."""

    def start(self) -> None:
        self.platform = LoopbackAdapter()
        self.store = Store(self.path)
        self.service = GatewayService(self.store, self._agent, clock=self.clock, ids=self.ids)

    def _agent(self, tools: ConversationTools) -> Agent:
        self.tool = SendMessageTool(tools, resolve, Directory([self.platform]))
        return self.agent

    async def send(self, session_id: str, text: str) -> dict[str, Any]:
        arguments = {"action": "send", "text": text, "target": "loopback:alice"}
        return json.loads(
            await self.tool.execute(session_id, ToolCall("c", "send_message", json.dumps(arguments)))
        )


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncGenerator[tuple[RunningServer, ToolBench]]:
    bench = ToolBench(tmp_path / "data.db")
    async with RunningServer(tmp_path, bench=bench) as server:
        yield server, bench


def card(pilot: Pilot[Any]) -> QuestionCard:
    return pilot.app.screen.query_one(QuestionCard)


async def patient(pilot: Pilot[Any]) -> None:
    """Wait until the card takes answers."""
    since = asyncio.get_running_loop().time()
    await until(pilot, lambda: asyncio.get_running_loop().time() - since > 0.55)


@pytest.mark.slow
async def test_an_approval_is_asked_answered_and_withdrawn_over_the_real_gateway(
    bench: tuple[RunningServer, ToolBench],
) -> None:
    server, service = bench
    session_id = service.service.create_session("tui_tapback").session_id
    client = ChatClient(unix_connector(server.path), policy=QUICK, ids=counted())
    async with chat_app(client, session_id=session_id).run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: not client.state.loading)
        sending = asyncio.create_task(service.send(session_id, "See you at 8"))
        await shows(pilot, "May the agent do this?")
        await shows(pilot, "See you at 8")
        assert pilot.app.screen.focused is pilot.app.screen.query_one(Composer)
        await pilot.press(*"oda")  # somebody who types is not disturbed and answers nothing
        assert pilot.app.screen.query_one(Composer).text == "oda"
        assert not sending.done()
        await pilot.press("alt+a", "o")  # within the first half second
        assert not sending.done()
        await patient(pilot)
        await pilot.press("o")
        assert (await sending)["success"] is True
        assert [m.text for m in service.platform.messages("alice")] == ["See you at 8"]
        await until(pilot, lambda: not card(pilot).display)
        assert pilot.app.screen.focused is pilot.app.screen.query_one(Composer)

        other = await AskedClient.join(server, session_id)
        sending = asyncio.create_task(service.send(session_id, "Another"))
        await shows(pilot, "Another")
        await other.answer(await other.question(), {"choice": "deny"})
        assert (await sending)["success"] is False
        await shows(pilot, "answered elsewhere")
        assert not card(pilot).display


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=["40x12", "80x24", "160x50"])
async def test_the_card_shows_what_is_asked_and_how_long_there_is(
    opened: Opened, size: tuple[int, int]
) -> None:
    chat = MemoryChat()
    async with opened(chat, size) as pilot:
        chat.put(questions=(replace(APPROVAL, seconds_left=299.0), replace(APPROVAL, id="a2")))
        await shows(pilot, "May the agent")
        await shows(pilot, "4:59")
        await shows(pilot, "+1 more")
        await shows(pilot, "o once")
        assert line_widths(pilot.app) == {size[0]}
        await pilot.click(QuestionCard)
        assert pilot.app.screen.focused is card(pilot)
        await patient(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert chat.questions.answered == [("a1", "cancel")]
        assert card(pilot).asking is not None


async def test_a_long_command_can_be_read_to_its_end_before_it_is_allowed(opened: Opened) -> None:
    chat = MemoryChat()
    command = "\n".join(f"step {n}" for n in range(30)) + "\nrm -rf the end"
    async with opened(chat) as pilot:
        chat.put(questions=(replace(APPROVAL, command=command),))
        await shows(pilot, "more lines below")
        assert "the end" not in screen_text(pilot.app)
        await pilot.press("alt+a", *["pagedown"] * 12)
        await shows(pilot, "rm -rf the end")


async def test_a_secret_is_typed_unseen_and_stands_nowhere(opened: Opened) -> None:
    chat = MemoryChat()
    async with opened(chat) as pilot:
        chat.put(questions=(SecretAsked("q", "s1", "secret", "For the weather", "WEATHER_KEY"),))
        await shows(pilot, "WEATHER_KEY")
        await pilot.press("alt+a")
        await patient(pilot)
        await pilot.press(*"hunter2")
        await settle(pilot)
        assert "hunter2" not in screen_text(pilot.app)
        assert "•••••••" in screen_text(pilot.app)
        assert "hunter2" not in repr(vars(card(pilot)))
        await pilot.press("enter")
        await settle(pilot)
        assert chat.questions.secrets == ["hunter2"]
        composer = pilot.app.screen.query_one(Composer)
        assert composer.history == ()
        assert "hunter2" not in repr(vars(composer))


async def test_several_questions_are_answered_one_by_one_also_in_own_words(opened: Opened) -> None:
    chat = MemoryChat()
    asked = Clarify(
        "c",
        "s1",
        (
            ClarifyItem("q0", "Which colour?", ("red", "blue")),
            ClarifyItem("q1", "Which sizes?", ("S", "M", "L"), multi_select=True),
            ClarifyItem("q2", "And why?"),
        ),
    )
    async with opened(chat) as pilot:
        chat.put(questions=(asked,))
        await shows(pilot, "Which colour?")
        await pilot.press("alt+a")
        await patient(pilot)
        await pilot.press("0")
        await shows(pilot, "Which colour?")
        await patient(pilot)
        await pilot.press(*"green", "enter")
        await shows(pilot, "Which sizes?")
        await patient(pilot)
        await pilot.press("1", "3", "enter")
        await shows(pilot, "And why?")
        await patient(pilot)
        await pilot.press(*"so", "enter")
        await settle(pilot)
        assert chat.questions.answered == [("c", "{'q0': 'green', 'q1': 'S, L', 'q2': 'so'}")]


async def test_an_answer_that_nobody_heard_brings_the_card_back(opened: Opened) -> None:
    from tui_tapback.domain.errors import LinkDown

    chat = MemoryChat()
    async with opened(chat) as pilot:
        chat.put(questions=(APPROVAL,))
        await shows(pilot, "May the agent")
        chat.failures["settle"] = LinkDown("The link broke.")
        await pilot.press("alt+a")
        await patient(pilot)
        await pilot.press("o")
        await shows(pilot, "The link broke.")
        await shows(pilot, "May the agent")


async def test_tapbacks_answer_only_where_that_was_asked_for(opened: Opened) -> None:
    chat = MemoryChat()
    async with opened(chat) as pilot:
        chat.put(questions=(APPROVAL,))
        await shows(pilot, "o once")
        assert "2 👍" not in screen_text(pilot.app)
        await pilot.press("alt+a")
        await patient(pilot)
        await pilot.press("2")
        assert chat.questions.answered == []
    async with opened(chat, approve_by_tapback=True) as pilot:
        await shows(pilot, "2 👍")
        await pilot.press("alt+a")
        await patient(pilot)
        await pilot.press("2")
        await settle(pilot)
        assert chat.questions.answered == [("a1", "once")]


@pytest.mark.slow
async def test_a_tapback_allows_once_and_only_what_is_on_the_card(
    bench: tuple[RunningServer, ToolBench],
) -> None:
    """Over the real gateway: nothing is kept for the next question, and of two answers the first stays."""
    server, service = bench
    session_id = service.service.create_session("tui_tapback").session_id
    client = ChatClient(unix_connector(server.path), policy=QUICK, ids=counted())
    app = chat_app(client, session_id=session_id, approve_by_tapback=True)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: not client.state.loading)
        sending = asyncio.create_task(service.send(session_id, "The first"))
        await shows(pilot, "The first")
        await pilot.press("alt+a")
        await patient(pilot)
        await pilot.press("2", "2")  # the second of a double press answers nothing
        assert (await sending)["success"] is True
        await until(pilot, lambda: not card(pilot).display)
        kept = Approvals(service.store)
        assert not kept.allowed(session_id, "send_message:loopback:alice")

        other = await AskedClient.join(server, session_id)
        sending = asyncio.create_task(service.send(session_id, "The second"))
        await shows(pilot, "The second")  # so it is asked again
        await pilot.press("alt+a")
        await patient(pilot)
        # Both answer at once: the other one's no is in before the tapback, which then counts for nothing.
        await other.answer(await other.question(), {"choice": "deny"})
        await pilot.press("2")
        assert (await sending)["success"] is False
        await shows(pilot, "answered elsewhere")
        assert [m.text for m in service.platform.messages("alice")] == ["The first"]


async def test_a_tapback_on_a_message_never_answers_a_question(opened: Opened) -> None:
    chat = MemoryChat()
    key = chat.arrive("Shall I send it?")
    async with opened(chat, approve_by_tapback=True) as pilot:
        chat.put(questions=(APPROVAL,))
        await shows(pilot, "2 👍")
        await patient(pilot)
        chat.set_reaction(key, "👍")
        await settle(pilot)
        assert chat.questions.answered == []
        assert card(pilot).display
