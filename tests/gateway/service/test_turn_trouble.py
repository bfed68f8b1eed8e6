"""Turns in trouble: agents that do not let go or break the rules, and a gateway that dies in mid-answer."""

from __future__ import annotations

import asyncio
import json

import pytest

from tui_tapback.domain.errors import ModelRefused
from tui_tapback.gateway.service.broadcast import Broadcast
from tui_tapback.gateway.service.core import Core
from tui_tapback.gateway.service.ports import ModelRequest, ToolCall, Turn
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.service.sessions import Sessions
from tui_tapback.gateway.service.settings import Settings
from tui_tapback.gateway.service.turns import Turns
from tui_tapback.gateway.service.usage import Usage
from tui_tapback.testing.agents import Call, Say, Wait
from tui_tapback.testing.service import RecordingSink, ServiceBench


class Stubborn:
    """An agent that does not let go when it is cancelled, and goes on talking."""

    model = "stubborn"

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.release = asyncio.Event()
        self.refused = False

    def system_prompt(self) -> str:
        return ""

    def tools(self) -> str:
        return "[]"

    async def run(self, turn: Turn) -> None:
        await turn.text("so far")
        self.reached.set()
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            try:
                await turn.text(" and further")
            except asyncio.CancelledError:
                self.refused = True
                raise

    async def complete(self, request: ModelRequest) -> str:
        raise ModelRefused("This agent sums nothing up.")


async def test_an_interrupted_agent_cannot_go_on_talking(bench: ServiceBench) -> None:
    agent = Stubborn()
    service = GatewayService(bench.store, agent, clock=bench.clock, ids=bench.ids)
    session_id = service.create_session().session_id
    await service.submit(session_id, "hello")
    await agent.reached.wait()
    await service.interrupt(session_id)
    assert agent.refused
    assert service.history(session_id).messages[-1].text == "so far"


class Deaf(Stubborn):
    """An agent that takes no notice of its cancellation at all."""

    async def run(self, turn: Turn) -> None:
        await turn.text("so far")
        self.reached.set()
        while not self.release.is_set():
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                self.refused = True
        raise KeyError("much later")


async def test_an_agent_that_does_not_let_go_is_left_behind(
    bench: ServiceBench, caplog: pytest.LogCaptureFixture
) -> None:
    broadcast, sink = Broadcast("epoch"), RecordingSink()
    core, agent = Core(bench.store, broadcast, bench.clock), Deaf()
    sessions = Sessions(core, bench.ids)
    settings = Settings(bench.store, lambda kind, payload: None)
    usage = Usage(core, settings, lambda: agent.model)
    turns = Turns(core, agent, sessions=sessions, settings=settings, usage=usage, interrupt_grace=0.01)
    session_id = sessions.create(None, None, "", "[]").id
    broadcast.attach(session_id, sink)
    turns.submit(session_id, "hello")
    await agent.reached.wait()
    await turns.interrupt(session_id)
    assert agent.refused
    assert not turns.busy
    assert sink.of("message.complete")[0]["text"] == "so far"
    agent.release.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert "failed afterwards" in caplog.text


async def test_text_before_the_result_of_a_call_is_refused(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()

    async def speak(turn: Turn) -> str:
        await turn.text("too early")
        return "done"

    bench.agent.expect(Call("look", "{}", speak))
    await bench.say(session_id, "hello")
    assert sink.of("message.complete")[0]["status"] == "error"

    async def answer_another(turn: Turn) -> str:
        await turn.tool_result(ToolCall("other", "look", "{}"), "x")
        return "done"

    bench.agent.expect(Call("look", "{}", answer_another))
    await bench.say(session_id, "hello")
    roles = [json.loads(message)["role"] for message in bench.store.messages.context(session_id)]
    assert roles == ["user", "assistant", "tool", "user", "assistant", "tool"]


async def test_a_crash_in_mid_answer_loses_nothing_that_was_acknowledged(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    hold = Wait()
    bench.agent.expect(Say("half an answer"), hold)
    await bench.service.submit(session_id, "hello")
    await hold.reached.wait()
    live = sink.of("message.start")[0]["row_id"]
    bench.service.set_reaction(session_id, live, "❤️")
    await bench.crash()
    snapshot = bench.service.resume(session_id)
    assert not snapshot.running
    row = snapshot.messages[-1]
    assert (row.row_id, row.text) == (live, "half an answer")
    assert row.display_metadata is not None
    assert row.display_metadata["interrupted"] is True
    assert row.display_metadata["reactions"][0]["emoji"] == "❤️"
    await bench.say(session_id, "again")
    assert '[The user reacted ❤️ to your message: "half an answer"]' in bench.last_user_content()


async def test_a_crash_before_the_first_word_is_told(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    hold = Wait()
    bench.agent.expect(hold)
    await bench.service.submit(session_id, "hello")
    await hold.reached.wait()
    await bench.crash()
    row = bench.service.resume(session_id).messages[-1]
    assert row.display_kind == "failed_turn"
    assert row.display_metadata is not None
    assert "because the gateway ended or could not store it. Send" in row.display_metadata["error"]


async def test_whoever_only_reads_after_a_crash_sees_what_a_resume_shows(bench: ServiceBench) -> None:
    """A list, a history and an export may come before anybody opens the session."""
    session_id, _ = bench.new_session()
    hold = Wait()
    bench.agent.expect(Say("half an answer"), Call("look"), hold)
    await bench.service.submit(session_id, "hello")
    await hold.reached.wait()
    await bench.crash()
    read = bench.service.history(session_id)
    (listed,) = bench.service.list_sessions().sessions
    assert [(row.role, row.text) for row in read.messages[:2]] == [
        ("user", "hello"),
        ("assistant", "half an answer"),
    ]
    snapshot = bench.service.resume(session_id)
    assert snapshot.messages == read.messages
    assert listed.preview == "half an answer"


async def test_half_an_answer_is_in_the_history_before_anybody_resumes(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    hold = Wait()
    bench.agent.expect(Say("half an answer"), hold)
    await bench.service.submit(session_id, "hello")
    await hold.reached.wait()
    await bench.crash()
    row = bench.service.history(session_id).messages[-1]
    assert (row.text, (row.display_metadata or {}).get("interrupted")) == ("half an answer", True)


async def test_a_growing_answer_is_saved_twice_a_second_whatever_the_clock_does(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    first, second, third = Wait(), Wait(), Wait()
    bench.agent.expect(Say("one "), first, Say("two "), second, Say("three "), third)
    await bench.service.submit(session_id, "hello")
    await first.reached.wait()
    bench.clock.now += 0.5
    first.event.set()
    await second.reached.wait()
    assert bench.store.messages.all(session_id)[-1].text == "one two "
    bench.clock.now -= 3600.0
    second.event.set()
    await third.reached.wait()
    assert bench.store.messages.all(session_id)[-1].text == "one two three "
    third.event.set()
    await bench.quiet(session_id)


async def test_what_the_agent_chose_to_react_with_survives_an_interrupt_and_a_restart(
    bench: ServiceBench,
) -> None:
    """B005: it is the agent's own reaction, no marker of ours; live and after reload it is the same."""
    session_id, sink = bench.new_session()
    hold = Wait()

    async def react(turn: Turn) -> str:
        await bench.service.react_as_agent(turn.session_id, "👀")
        return "done"

    bench.agent.expect(Call("send_message", "{}", react), hold)
    await bench.service.submit(session_id, "look into it")
    await hold.reached.wait()
    await bench.service.interrupt(session_id)
    live = sink.of("message.reaction")[-1]["reactions"]
    await bench.restart()
    shown = bench.service.resume(session_id).messages[0].display_metadata
    assert shown == {"reactions": live}
    assert [(reaction["emoji"], reaction["author"]) for reaction in live] == [("👀", "agent")]


async def test_within_one_tick_of_the_clock_the_order_of_acceptance_counts(bench: ServiceBench) -> None:
    """B015."""
    session_id, sink = bench.new_session()
    row = await bench.say(session_id, "hello")
    bench.clock.step = 0.0
    for emoji in ("👍", None, "❤️", None, "😂"):
        bench.service.set_reaction(session_id, row, emoji)
    told = [[r["emoji"] for r in payload["reactions"]] for payload in sink.of("message.reaction")]
    assert told == [["👍"], [], ["❤️"], [], ["😂"]]
