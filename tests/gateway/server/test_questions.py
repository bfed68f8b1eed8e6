"""Approvals and clarifications over a real socket: first answer, late clients, refusals, time, interrupts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from tui_tapback.domain.errors import InvalidInput, RpcError
from tui_tapback.emoji.resolve import resolve
from tui_tapback.gateway.agent.tools import SendMessageTool
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.gateway.platforms.loopback import LoopbackAdapter
from tui_tapback.gateway.service.ports import ToolCall, Turn
from tui_tapback.gateway.service.questions import MAX_OPEN, Patience, Questions
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agent import MemoryConversation
from tui_tapback.testing.agents import Call, Say
from tui_tapback.testing.client import wait_for
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.respondent import AskedClient
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.questions import ClarifyQuestion

PATTERN = "send_message:loopback:alice"
COLOURS = [ClarifyQuestion("q0", "Which one?", ["red", "blue"]), ClarifyQuestion("q1", "Why?")]


def session(server: RunningServer) -> str:
    return server.bench.service.create_session("tui_tapback").session_id


def approving(server: RunningServer, session_id: str, pattern: str = PATTERN) -> asyncio.Task[bool]:
    call = server.bench.service.questions.approve(session_id, "send it", "Send it to alice?", pattern)
    return asyncio.create_task(_bool(call))


async def _bool(call: Awaitable[bool]) -> bool:
    return await call


async def test_both_are_asked_and_the_first_answer_wins(running: RunningServer) -> None:
    session_id = session(running)
    one, other = [await AskedClient.join(running, session_id) for _ in range(2)]
    asked = approving(running, session_id)
    question = await one.question()
    assert await other.question() == question
    assert question["method"] == "approval"
    params = question["params"]
    assert (params["session_id"], params["command"]) == (session_id, "send it")
    assert params["choices"] == ["once", "session", "always", "deny"]
    assert len(params["request_id"]) >= 32
    await other.answer(question, {"choice": "once"})
    assert await asked is True
    # Also the one who answered is told, and a late answer is dropped without a word.
    assert [await one.withdrawn(question), await other.withdrawn(question)] == ["resolved", "resolved"]
    await one.answer(question, {"choice": "deny"})
    assert await one.client.call("gateway.ping") == {"ok": True}
    assert not any("error" in frame for frame in one.client.frames)


async def test_of_two_answers_at_the_same_instant_the_first_stays(running: RunningServer) -> None:
    session_id = session(running)
    client = await AskedClient.join(running, session_id)
    asked = approving(running, session_id)
    question = await client.question()
    questions = running.bench.service.questions
    # Nothing runs between these: the one who asked has not seen the first answer yet.
    assert questions.answer(question["id"], {"choice": "deny"}) is True
    assert questions.answer(question["id"], {"choice": "once"}) is False
    assert questions.respond(session_id, "once", None, every=True) == 0
    await client.answer(question, {"choice": "once"})
    assert await asked is False


class Hasty:
    """A connection whose answer comes twice before anybody looks."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def deliver(self, params: dict[str, Any]) -> None:
        """Events do not matter here."""

    def ask(self, frame: dict[str, Any]) -> None:
        self.asked.append(frame)


async def test_of_two_frames_at_the_same_instant_the_first_stays(running: RunningServer) -> None:
    session_id, service = session(running), running.bench.service
    one, other = Hasty(), Hasty()
    for hasty in (one, other):
        service.attach(session_id, hasty)
        service.questions.join(hasty)
    asked = approving(running, session_id)
    await wait_for(lambda: bool(other.asked))
    question = other.asked[0]["id"]
    service.questions.answered(one, question, {"choice": "deny"})
    service.questions.answered(other, question, {"choice": "once"})
    service.questions.answered(one, question, UNSET)
    assert await asked is False
    service.detach(one)
    service.detach(other)


async def test_the_capability_names_what_is_asked(running: RunningServer) -> None:
    client = await running.client()
    answer = await client.call("client.capabilities", server_requests=True)
    assert answer["server_requests"] == ["approval", "clarify"]


async def test_deny_is_no_and_one_who_declines_leaves_it_to_the_other(running: RunningServer) -> None:
    session_id = session(running)
    one, other = [await AskedClient.join(running, session_id) for _ in range(2)]
    asked = approving(running, session_id)
    question = await one.question()
    await one.decline(question)
    await other.question()
    assert not asked.done()
    await other.answer(question, {"choice": "deny"})
    assert await asked is False


async def test_declined_by_all_or_answered_with_nonsense_it_is_denied_at_once(running: RunningServer) -> None:
    session_id = session(running)
    one, other = [await AskedClient.join(running, session_id) for _ in range(2)]
    asked = approving(running, session_id)
    question = await one.question()
    await one.decline(question, -32601)
    await other.question()
    await other.answer(question, {"choice": "perhaps"})
    assert await asked is False
    assert await one.withdrawn(question) == "undelivered"


async def test_clients_that_cannot_answer_settle_it_at_once(running: RunningServer) -> None:
    session_id = session(running)
    unable = await AskedClient.join(running, session_id, able=False)
    assert await approving(running, session_id) is False
    assert unable.questions == []


async def test_a_late_client_finds_it_open_and_answers_by_request(running: RunningServer) -> None:
    session_id = session(running)
    asked = approving(running, session_id)  # nobody is there
    await asyncio.sleep(0)
    late = await running.client()
    snapshot = await late.call("session.resume", session_id=session_id)
    (question,) = snapshot["open_requests"]
    assert (question["method"], question["params"]["command"]) == ("approval", "send it")
    since = await late.call("session.events.since", session_id=session_id, last_seen=0)
    left = question["params"].pop("seconds_left")
    assert 290 < left <= 300, "the time that is left, also for who comes late"
    (again,) = since["open_requests"]
    assert again["params"].pop("seconds_left") <= left
    assert again == question
    pending = await late.call("approval.pending", session_id=session_id)
    assert pending["count"] == 1
    assert pending["requests"][0].pop("seconds_left") <= left
    assert pending["requests"] == [question["params"]]
    with pytest.raises(RpcError) as refusal:
        await late.call("request.answer", id=question["id"], result={"choice": "maybe"})
    assert refusal.value.code == 4002
    assert await late.call("request.answer", id=question["id"], result={"choice": "once"}) == {"status": "ok"}
    assert await asked is True
    assert await late.call("request.answer", id=question["id"], result={"choice": "once"}) == {
        "status": "expired"
    }
    assert (await late.call("session.resume", session_id=session_id)).get("open_requests", []) == []


async def test_the_asked_one_that_leaves_leaves_it_open(running: RunningServer) -> None:
    session_id = session(running)
    first = await AskedClient.join(running, session_id)
    asked = approving(running, session_id)
    await first.question()
    await first.client.close()
    second = await AskedClient.join(running, session_id)
    assert second.questions == []  # found, not asked
    assert not asked.done()
    assert await second.client.call("approval.respond", session_id=session_id, choice="once") == {
        "resolved": 1
    }
    assert await asked is True


async def test_respond_takes_the_oldest_the_named_or_all(running: RunningServer) -> None:
    session_id = session(running)
    client = await AskedClient.join(running, session_id)
    tasks = [approving(running, session_id, f"p{number}") for number in range(4)]
    await client.question(4)
    call = client.client.call
    named = client.questions[2]["params"]["request_id"]
    assert await call("approval.respond", session_id=session_id, choice="deny", request_id=named) == {
        "resolved": 1
    }
    assert await tasks[2] is False
    assert (await call("approval.respond", session_id=session_id, choice="once"))["resolved"] == 1
    assert await tasks[0] is True
    assert (await call("approval.respond", session_id=session_id, choice="once", all=True))["resolved"] == 2
    assert [await task for task in tasks] == [True, True, False, True]
    assert (await call("approval.respond", session_id=session_id, choice="once"))["resolved"] == 0
    for wrong in (
        {"session_id": "20270115_080000_ffffff", "choice": "once"},
        {"session_id": session_id, "choice": "x"},
    ):
        with pytest.raises(RpcError):
            await call("approval.respond", **wrong)


async def test_session_and_always_are_remembered(running: RunningServer) -> None:
    session_id, other_session = session(running), session(running)
    client = await AskedClient.join(running, session_id)
    await client.client.call("session.resume", session_id=other_session)
    first = approving(running, session_id)
    await client.answer(await client.question(1), {"choice": "session"})
    assert await first
    assert await approving(running, session_id)  # no question
    elsewhere = approving(running, other_session)
    await client.answer(await client.question(2), {"choice": "always"})
    assert await elsewhere
    assert await approving(running, session(running))
    await running.bench.restart()
    assert await running.bench.service.questions.approve(session(running), "c", "d", PATTERN)
    assert len(client.questions) == 2


async def test_clarify_by_frame_and_one_by_one(running: RunningServer) -> None:
    session_id = session(running)
    client = await AskedClient.join(running, session_id)
    questions = running.bench.service.questions
    asked = asyncio.create_task(_answers(questions.clarify(session_id, COLOURS)))
    question = await client.question()
    assert question["method"] == "clarify"
    assert [one["qid"] for one in question["params"]["questions"]] == ["q0", "q1"]
    await client.answer(question, {"answers": {"q0": "blue", "other": "x", "q1": "be\x1b[2Jcause"}})
    answers = await asked
    assert set(answers) == {"q0", "q1"}
    assert "\x1b" not in answers["q1"]

    asked = asyncio.create_task(_answers(questions.clarify(session_id, COLOURS)))
    question = await client.question(2)
    lock: dict[str, Any] = {"session_id": session_id, "request_id": question["id"]}
    call = client.client.call
    with pytest.raises(RpcError):
        await call("clarify.lock", **lock, question_id="q9", answer="x")
    assert await call("clarify.lock", **lock, question_id="q0", answer="red") == {
        "status": "ok",
        "remaining": ["q1"],
    }
    (open_one,) = (await call("session.resume", session_id=session_id))["open_requests"]
    assert open_one["params"]["answers"] == {"q0": "red"}
    assert (await call("clarify.lock", **lock, question_id="q1", answer="so"))["remaining"] == []
    assert await asked == {"q0": "red", "q1": "so"}
    assert (await call("clarify.lock", **lock, question_id="q1", answer="so"))["status"] == "expired"

    asked = asyncio.create_task(_answers(questions.clarify(session_id, COLOURS)))
    await client.answer(await client.question(3), {"answers": {}})
    assert await asked == {}
    with pytest.raises(InvalidInput):
        await questions.clarify(session_id, [])


async def _answers(call: Awaitable[dict[str, str]]) -> dict[str, str]:
    return await call


async def test_time_runs_out_as_a_no(tmp_path: Path) -> None:
    bench = ServiceBench(tmp_path / "d.db")
    await bench.service.close()
    bench.store = Store(bench.path)
    bench.service = GatewayService(
        bench.store, bench.agent, clock=bench.clock, ids=bench.ids, patience=Patience(0.02, 0.02)
    )
    async with RunningServer(tmp_path, bench=bench) as server:
        session_id = session(server)
        client = await AskedClient.join(server, session_id)
        assert await approving(server, session_id) is False
        assert await client.withdrawn(await client.question()) == "timeout"
        assert await bench.service.questions.clarify(session_id, COLOURS) == {}


async def test_no_more_than_a_bounded_number_is_open(running: RunningServer) -> None:
    session_id = session(running)
    client = await AskedClient.join(running, session_id)
    tasks = [approving(running, session_id, f"p{number}") for number in range(MAX_OPEN)]
    await client.question(MAX_OPEN)
    with pytest.raises(InvalidInput, match="Too many questions"):
        await approving(running, session_id)
    await client.client.call("approval.respond", session_id=session_id, choice="deny", all=True)
    assert await asyncio.gather(*tasks) == [False] * MAX_OPEN


# --- the whole way: the agent's tool, a turn, two clients, a platform --------------------------------------


class Asking(MemoryConversation):
    """The part of a conversation that a message elsewhere needs: the real questions."""

    def __init__(self, questions: Questions) -> None:
        super().__init__()
        self._questions = questions

    async def approve(self, session_id: str, command: str, description: str, pattern: str) -> bool:
        return await self._questions.approve(session_id, command, description, pattern)


def sending(running: RunningServer, platform: LoopbackAdapter) -> Call:
    """The call of a model that writes to alice, carried out by the real tool."""
    tool = SendMessageTool(Asking(running.bench.service.questions), resolve, Directory([platform]))
    arguments = json.dumps({"action": "send", "target": "loopback:alice", "text": "See you at 8"})

    async def carry_out(turn: Turn) -> str:
        return await tool.execute(turn.session_id, ToolCall("c1", "send_message", arguments))

    return Call("send_message", arguments, result=carry_out)


@pytest.mark.parametrize(("choice", "sent"), [("once", ["See you at 8"]), ("deny", [])])
async def test_a_message_elsewhere_waits_for_the_people(
    running: RunningServer, choice: str, sent: list[str]
) -> None:
    platform = LoopbackAdapter()
    running.bench.agent.expect(sending(running, platform), Say("Done, or not."))
    session_id = session(running)
    one, other = [await AskedClient.join(running, session_id) for _ in range(2)]
    await one.client.call("prompt.submit", session_id=session_id, text="tell alice")
    question = await other.question()
    assert "See you at 8" in question["params"]["description"]
    assert platform.messages("alice") == []
    await other.answer(question, {"choice": choice})
    finished = await one.client.event("tool.complete")
    assert json.loads(finished["payload"]["result"])["success"] is (choice == "once")
    await one.client.event("message.complete")
    assert [message.text for message in platform.messages("alice")] == sent


async def test_an_interrupt_withdraws_the_question_and_nothing_goes_out(running: RunningServer) -> None:
    platform = LoopbackAdapter()
    running.bench.agent.expect(sending(running, platform))
    session_id = session(running)
    client = await AskedClient.join(running, session_id)
    await client.client.call("prompt.submit", session_id=session_id, text="tell alice")
    question = await client.question()
    await client.client.call("session.interrupt", session_id=session_id)
    assert await client.withdrawn(question) == "interrupted"
    await client.answer(question, {"choice": "once"})  # too late
    ended = await client.client.event("message.complete")
    assert ended["payload"]["status"] == "interrupted"
    assert platform.messages("alice") == []
    assert (await client.client.call("approval.pending", session_id=session_id)).get("count", 0) == 0
