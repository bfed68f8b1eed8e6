"""Whatever happens to a session, no request changes a byte of an earlier one, and each reaction is told once.

A state machine drives the real service over a real file: prompts, tool rounds, failures, interrupts, queued
prompts, reactions of both sides, repeated operations, restarts and crashes.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tui_tapback.domain.errors import ModelFailed, ModelUnreachable
from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.service.ports import Turn
from tui_tapback.testing.agents import Call, Fail, Say, Step, Think, Wait
from tui_tapback.testing.service import ServiceBench

EMOJI = ("❤️", "👍", "👎", "😂", "‼️", "❓")
T = TypeVar("T")
Change = tuple[str | None, str | None]


@dataclass
class Sent:
    """A message of the user as the test expects the model to read it."""

    text: str
    changes: dict[int, Change] = field(default_factory=dict[int, Change])

    def content(self, rows: list[Any]) -> str:
        lines = [_line(row, *self.changes[row.row_id]) for row in rows if row.row_id in self.changes]
        return "\n".join(lines) + "\n\n" + self.text if lines else self.text


def _line(row: Any, before: str | None, now: str | None) -> str:
    where = f'{"their own" if row.role == "user" else "your"} message: "{row.text}"'
    if now is None:
        return f"[The user took back their {before} from {where}]"
    if before is None:
        return f"[The user reacted {now} to {where}]"
    return f"[The user changed their reaction from {before} to {now} on {where}]"


class Conversation(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.bench = self.run(self._open())
        self.session_id = self.bench.service.create_session("test").session_id
        self.counter = 0
        self.sent: list[Sent] = []
        self.queue: dict[int, str] = {}
        self.present: dict[Author, dict[int, str]] = {Author.USER: {}, Author.AGENT: {}}
        self.told: dict[int, str] = {}
        self.muted = False
        self.hold: Wait | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    async def _open(self) -> ServiceBench:
        return ServiceBench(Path(self.folder.name) / "state.db")

    def teardown(self) -> None:
        self.run(self.bench.service.close())
        self.runner.close()
        self.folder.cleanup()

    # --- what the test knows ---------------------------------------------------------------------------

    def number(self) -> int:
        self.counter += 1
        return self.counter

    def take_changes(self, tellable: set[int]) -> dict[int, Change]:
        """The net changes since the model was last told, and mark them as told."""
        if self.muted:
            return {}
        mine = self.present[Author.USER]
        changes = {
            row: (self.told.get(row), mine.get(row))
            for row in {*mine, *self.told}
            if self.told.get(row) != mine.get(row) and row in tellable
        }
        for row, (_, now) in changes.items():
            self.told.pop(row, None)
            if now is not None:
                self.told[row] = now
        return changes

    @property
    def tellable(self) -> set[int]:
        rows = self.bench.store.messages.all(self.session_id)
        return {row.row_id for row in rows if row.kind != "failed_turn" and not row.waiting}

    def bubbles(self) -> list[int]:
        """Rows that a person can tap on, the answer that is being written included."""
        rows = self.bench.store.messages.all(self.session_id)
        return [row.row_id for row in rows if row.role in ("user", "assistant") and row.text]

    def sends(self, text: str) -> None:
        self.sent.append(Sent(text, self.take_changes(self.tellable)))

    def drains(self) -> None:
        """The waiting prompts are about to go, one after the other."""
        tellable = self.tellable
        for row, text in self.queue.items():
            self.sent.append(Sent(text, self.take_changes(tellable)))
            tellable.add(row)
        self.queue.clear()

    # --- rules -----------------------------------------------------------------------------------------

    async def _react_in_turn(self, emoji: str, turn: Turn) -> str:
        outcome = await self.bench.service.react_as_agent(turn.session_id, emoji)
        assert outcome.row_id == turn.user_row_id
        self.present[Author.AGENT][outcome.row_id] = emoji
        return "done"

    async def _say_in_turn(self, turn: Turn) -> str:
        return str(await self.bench.service.say(turn.session_id, f"aside {self.number()}"))

    async def _break(self, turn: Turn) -> str:
        raise ModelFailed("The model's server failed.")

    def script(self, kind: int, emoji: str) -> tuple[Step, ...]:
        n = self.number()

        async def react(turn: Turn) -> str:
            return await self._react_in_turn(emoji, turn)

        scripts: tuple[tuple[Step, ...], ...] = (
            (Say(f"answer {n}"),),
            (Say("looking"), Call("look", '{"at": 1}', "seen"), Say(f"answer {n}")),
            (Call("send_message", "{}", react),),
            (Fail(ModelUnreachable("Nothing answers.")),),
            (Say(f"part {n}"), Fail(ModelFailed("The model's server failed."))),
            (Call("look", "{}", "seen"), Fail(RuntimeError("a fault of the agent"))),
            (Think("well"), Say(f"answer {n}")),
            (Call("look", "{}", self._break),),
            (),
            (Call("send_message", "{}", self._say_in_turn), Say(f"answer {n}")),
        )
        return scripts[kind]

    @precondition(lambda self: self.hold is None)
    @rule(kind=st.integers(0, 9), emoji=st.sampled_from(EMOJI))
    def prompt(self, kind: int, emoji: str) -> None:
        text = f"prompt {self.number()}"
        self.sends(text)
        self.bench.agent.expect(*self.script(kind, emoji))
        self.run(self.bench.say(self.session_id, text))

    @precondition(lambda self: self.hold is None)
    @rule(spoken=st.booleans(), called=st.booleans())
    def prompt_that_takes_long(self, spoken: bool, called: bool) -> None:
        n, hold = self.number(), Wait()
        text = f"prompt {n}"
        self.sends(text)
        if called:
            self.bench.agent.expect(Call("look", "{}", lambda turn: self._held(hold)), Say(f"answer {n}"))
        else:
            self.bench.agent.expect(*([Say(f"part {n}")] if spoken else []), hold, Say(" and the rest"))

        async def go() -> None:
            await self.bench.service.submit(self.session_id, text)
            async with asyncio.timeout(5):
                await hold.reached.wait()

        self.run(go())
        self.hold = hold

    @staticmethod
    async def _held(hold: Wait) -> str:
        hold.reached.set()
        await hold.event.wait()
        return "seen"

    @precondition(lambda self: self.hold is not None and len(self.queue) < 3)
    @rule()
    def prompt_meanwhile(self) -> None:
        text = f"queued {self.number()}"
        answer = self.run(self.bench.service.submit(self.session_id, text, f"ref-{text}"))
        again = self.run(self.bench.service.submit(self.session_id, text, f"ref-{text}"))
        assert answer == again
        assert answer.status == "queued"
        assert answer.user_row_id is not None
        self.queue[answer.user_row_id] = text

    @precondition(lambda self: self.hold is not None)
    @rule()
    def let_it_go_on(self) -> None:
        assert self.hold is not None
        self.drains()
        self.hold.event.set()
        self._ended()

    @precondition(lambda self: self.hold is not None)
    @rule()
    def interrupt(self) -> None:
        self.drains()
        self.run(self.bench.service.interrupt(self.session_id))
        self._ended()

    @rule()
    def crash(self) -> None:
        self.drains()
        self.run(self.bench.crash())
        self._ended()

    @precondition(lambda self: self.hold is None)
    @rule()
    def restart(self) -> None:
        self.run(self.bench.restart())

    def _ended(self) -> None:
        self.hold = None

        async def settle() -> None:
            self.bench.service.resume(self.session_id)
            await self.bench.quiet(self.session_id)

        self.run(settle())

    @rule(data=st.data(), emoji=st.sampled_from((*EMOJI, None)), author=st.sampled_from(Author))
    def react(self, data: st.DataObject, emoji: str | None, author: Author) -> None:
        bubbles = self.bubbles()
        if not bubbles:
            return
        row = data.draw(st.sampled_from(bubbles))
        op_id = f"op-{self.number()}"
        self.bench.service.set_reaction(self.session_id, row, emoji, author, op_id=op_id)
        self.present[author].pop(row, None)
        if emoji is not None:
            self.present[author][row] = emoji
        if data.draw(st.booleans()):
            # Another choice, then the first operation once more, as after a lost answer: it has no effect.
            self.bench.service.set_reaction(self.session_id, row, "👎", author)
            self.present[author][row] = "👎"
            self.bench.service.set_reaction(self.session_id, row, emoji, author, op_id=op_id)

    @precondition(lambda self: bool(self.told))
    @rule(data=st.data(), emoji=st.sampled_from((None, "👎", "❤️")))
    def change_mind(self, data: st.DataObject, emoji: str | None) -> None:
        """On a row of which the model has been told; by chance alone that would be rare."""
        row = data.draw(st.sampled_from(sorted(self.told)))
        self.bench.service.set_reaction(self.session_id, row, emoji)
        self.present[Author.USER].pop(row, None)
        if emoji is not None:
            self.present[Author.USER][row] = emoji

    @rule(muted=st.booleans())
    def switch(self, muted: bool) -> None:
        self.muted = muted
        self.bench.service.config_set("reactions", "off" if muted else "both")

    # --- what must hold --------------------------------------------------------------------------------

    @invariant()
    def each_request_begins_with_the_one_before(self) -> None:
        before: tuple[str, ...] = ()
        for request in self.bench.agent.requests:
            assert request.messages[: len(before)] == before
            assert request.tools == self.bench.agent.tools()
            before = request.messages

    @invariant()
    def what_people_read_of_the_agent_is_what_the_model_remembers(self) -> None:
        if self.hold is not None:
            return
        shown = [
            row.text
            for row in self.bench.store.messages.all(self.session_id)
            if row.role == "assistant" and row.text and row.kind is None and not row.text.startswith("aside")
        ]
        context = map(json.loads, self.bench.store.messages.context(self.session_id))
        assert shown == [m["content"] for m in context if m["role"] == "assistant" and m["content"]]

    @invariant()
    def the_model_never_reads_why_a_turn_failed(self) -> None:
        context = "".join(self.bench.store.messages.context(self.session_id))
        for sentence in ("Nothing answers", "server failed", "The gateway ended", "failed unexpectedly"):
            assert sentence not in context

    @invariant()
    def every_request_is_one_a_provider_accepts(self) -> None:
        context = self.bench.store.messages.context(self.session_id)
        messages = (
            self.bench.agent.requests[-1].messages if self.hold and self.bench.agent.requests else context
        )
        open_calls: list[str] = []
        for message in map(json.loads, messages):
            if open_calls:
                assert message["role"] == "tool"
                open_calls.remove(message["tool_call_id"])
            else:
                assert message["role"] != "tool"
            open_calls = open_calls or [call["id"] for call in message.get("tool_calls", ())]
        assert not open_calls

    @invariant()
    def each_reaction_is_told_exactly_once(self) -> None:
        rows = self.bench.store.messages.all(self.session_id)
        contents = [
            message["content"]
            for message in map(json.loads, self.bench.store.messages.context(self.session_id))
            if message["role"] == "user"
        ]
        assert contents == [sent.content(rows) for sent in self.sent]

    @invariant()
    def the_store_holds_the_reactions_of_both_sides(self) -> None:
        stored: dict[Author, dict[int, str]] = {Author.USER: {}, Author.AGENT: {}}
        for row in self.bench.store.messages.all(self.session_id):
            assert row.metadata.get("reactions") != []
            for entry in row.metadata.get("reactions", ()):
                stored[Author(entry["author"])][row.row_id] = entry["emoji"]
        assert stored == self.present


@pytest.mark.slow
class TestConversation(Conversation.TestCase):
    settings = settings(
        max_examples=60,
        stateful_step_count=25,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        derandomize=True,
    )
