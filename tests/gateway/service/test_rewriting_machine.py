"""Whatever is undone, edited, branched, summed up or kept back: the model reads what stands, byte for byte,
and hears of each reaction once.

A state machine drives the real service over a real file. Its oracle knows conversations as lists of turns and
works out from them what the model was told, and from that what the next message must say.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tui_tapback.domain.errors import InvalidInput, ModelFailed, ModelUnreachable
from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.service.compaction import HEAD, REACTIONS
from tui_tapback.gateway.service.context import context
from tui_tapback.gateway.service.ports import Turn as LiveTurn
from tui_tapback.gateway.service.rewind import Truncation
from tui_tapback.testing.agents import Call, Count, Fail, Say, Step
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.conversation import PendingLine
from tui_tapback.wire.rows import WirePart

EMOJI = ("❤️", "👍", "😂")
PARTS = (None, "p1", "p2")
PAD = " and so on" * 20
T = TypeVar("T")
Slot = tuple[int, str | None]


@dataclass(frozen=True)
class Tap:
    emoji: str
    quote: str = ""


@dataclass
class Spoken:
    """A turn: its rows, what it told of reactions, and its messages exactly as the model got them."""

    text: str
    told: list[tuple[Slot, Tap | None]]
    rows: list[int]
    own: list[str]


@dataclass
class Summary:
    covered: int
    message: str


@dataclass(repr=False)
class Chat:
    session_id: str
    turns: list[Spoken] = field(default_factory=list[Spoken])
    present: dict[Slot, Tap] = field(default_factory=dict[Slot, Tap])
    agents: dict[int, str] = field(default_factory=dict[int, str])
    withheld: dict[Slot, str | None] = field(default_factory=dict[Slot, str | None])
    summaries: list[Summary] = field(default_factory=list[Summary])

    @property
    def rows(self) -> list[int]:
        return [row for turn in self.turns for row in turn.rows]

    def known(self) -> dict[Slot, Tap]:
        known: dict[Slot, Tap] = {}
        for turn in self.turns:
            for slot, tap in turn.told:
                known.pop(slot, None)
                if tap is not None:
                    known[slot] = tap
        return known

    def context(self) -> list[str]:
        covered = self.summaries[-1].covered if self.summaries else 0
        head = [self.summaries[-1].message] if self.summaries else []
        return head + [message for turn in self.turns[covered:] for message in turn.own]

    def cut(self, turn: int) -> None:
        gone = {row for spoken in self.turns[turn:] for row in spoken.rows}
        self.turns = self.turns[:turn]
        self.summaries = [summary for summary in self.summaries if summary.covered <= turn]
        self.present = {slot: tap for slot, tap in self.present.items() if slot[0] not in gone}
        self.withheld = {slot: emoji for slot, emoji in self.withheld.items() if slot[0] not in gone}
        self.agents = {row: emoji for row, emoji in self.agents.items() if row not in gone}


class Rewriting(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.bench = self.run(self._open())
        self.chats = [Chat(self.bench.service.create_session("test").session_id)]
        self.reacting = "both"
        self.counter = 0

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    async def _open(self) -> ServiceBench:
        return ServiceBench(Path(self.folder.name) / "state.db")

    def teardown(self) -> None:
        self.run(self.bench.service.close())
        self.runner.close()
        self.folder.cleanup()

    def number(self) -> int:
        self.counter += 1
        return self.counter

    # --- the oracle ------------------------------------------------------------------------------------

    def row(self, chat: Chat, row_id: int) -> Any:
        row = self.bench.store.messages.get(chat.session_id, row_id)
        assert row is not None, f"row {row_id} has gone"
        return row

    def line(self, chat: Chat, slot: Slot, before: Tap | None, now: Tap | None) -> str:
        row = self.row(chat, slot[0])
        quoted = row.text[:120].rstrip() + "…" if len(row.text) > 120 else row.text
        snippet = (now.quote if now else "") or (before.quote if before else "")
        whose = "their own" if row.role == "user" else "your"
        if slot[1] is not None and snippet:
            where = f'this part of {whose} message: "{snippet}"'
        else:
            where = f'{"a part of " if slot[1] else ""}{whose} message: "{quoted}"'
        if now is None:
            assert before is not None
            return f"[The user took back their {before.emoji} from {where}]"
        if before is None:
            return f"[The user reacted {now.emoji} to {where}]"
        return f"[The user changed their reaction from {before.emoji} to {now.emoji} on {where}]"

    def changes(self, chat: Chat) -> list[tuple[Slot, Tap | None, Tap | None]]:
        """Every slot of which the model knows something else than what stands there, in order."""
        if self.reacting == "off":
            return []
        known = chat.known()
        slots = {slot for slot in (*known, *chat.present) if self.row(chat, slot[0]).kind != "failed_turn"}
        differing = [
            (slot, known.get(slot), chat.present.get(slot))
            for slot in slots
            if emoji(known.get(slot)) != emoji(chat.present.get(slot))
        ]
        # In a message: the whole, then its parts in the order in which the model or the person came to them.
        order = list(dict.fromkeys((*((row, None) for row in chat.rows), *known, *chat.present)))
        return sorted(differing, key=lambda change: (chat.rows.index(change[0][0]), order.index(change[0])))

    def kept_back(self, chat: Chat, slot: Slot) -> bool:
        return slot in chat.withheld and chat.withheld[slot] == emoji(chat.present.get(slot))

    def head(self, chat: Chat, told: Iterable[tuple[Slot, Tap | None, Tap | None]]) -> list[str]:
        lines = [self.line(chat, *change) for change in told]
        rest = len({slot[0] for slot, _, _ in list(told)[12:]})
        more = [f"[The user's reactions to {rest} more message{'s' if rest > 1 else ''} changed too]"]
        return lines[:12] + (more if rest else [])

    # --- turns -----------------------------------------------------------------------------------------

    async def _react(self, mark: str, chat: Chat, turn: LiveTurn) -> str:
        try:
            outcome = await self.bench.service.react_as_agent(turn.session_id, mark)
        except InvalidInput:
            assert self.reacting != "both"
            return "refused"
        assert outcome.row_id == turn.user_row_id
        chat.agents[outcome.row_id] = mark
        return "done"

    async def _steer(self, turn: LiveTurn) -> str:
        self.bench.service.meanwhile.steer(turn.session_id, "rather left")
        return "seen"

    def script(self, kind: int, chat: Chat) -> tuple[Step, ...]:
        n = self.number()
        scripts: tuple[tuple[Step, ...], ...] = (
            (Say(f"answer {n}{PAD}"), Count(100 * n)),
            (Say("looking"), Call("look", '{"at": 1}', "seen"), Say(f"answer {n}{PAD}")),
            (Call("send_message", "{}", lambda turn: self._react("😂", chat, turn)),),
            (Fail(ModelUnreachable("Nothing answers.")),),
            (Say(f"part {n}{PAD}"), Fail(ModelFailed("The model's server failed."))),
            (Say("looking"), Call("look", "{}", self._steer), Say(f"answer {n}")),
        )
        return scripts[kind]

    def speak(self, chat: Chat, kind: int, text: str, truncation: Truncation | None = None) -> None:
        changes = [change for change in self.changes(chat) if not self.kept_back(chat, change[0])]
        expected = "\n".join(self.head(chat, changes))
        content = f"{expected}\n\n{text}" if expected else text
        before = chat.context()
        self.bench.agent.expect(*self.script(kind, chat))
        asked = len(self.bench.agent.requests)
        known_rows = set(chat.rows)

        async def go() -> None:
            await self.bench.service.submit(chat.session_id, text, truncation=truncation)
            await self.bench.quiet(chat.session_id)

        self.run(go())
        system = json.dumps({"role": "system", "content": "You are a test."})
        request = self.bench.agent.requests[asked]
        said = json.dumps({"role": "user", "content": content}, ensure_ascii=False)
        assert list(request.messages) == [system, *before, said]
        for later in self.bench.agent.requests[asked + 1 :]:
            assert later.messages[: len(request.messages)] == request.messages
            request = later
        assert {r.tools for r in self.bench.agent.requests} == {self.bench.agent.tools()}
        own = context(self.bench.store, chat.session_id)[len(before) :]
        assert own[0] == said
        rows = self.bench.store.messages.all(chat.session_id)
        new = [row.row_id for row in rows if row.row_id not in known_rows]
        told = [(slot, now) for slot, _, now in changes]
        chat.turns.append(Spoken(text, told, new, own))

    # --- rules -----------------------------------------------------------------------------------------

    def pick(self, data: st.DataObject) -> Chat:
        return data.draw(st.sampled_from(self.chats))

    @rule(data=st.data(), kind=st.integers(0, 5))
    def prompt(self, data: st.DataObject, kind: int) -> None:
        self.speak(self.pick(data), kind, f"prompt {self.number()}{PAD}")

    @rule(data=st.data(), part=st.sampled_from(PARTS), mark=st.sampled_from((*EMOJI, None)))
    def react(self, data: st.DataObject, part: str | None, mark: str | None) -> None:
        chat = self.pick(data)
        rows = [row for row in chat.rows if self.row(chat, row).role != "tool" and self.row(chat, row).text]
        if rows:
            self.set(chat, (data.draw(st.sampled_from(rows)), part), mark)

    @rule(data=st.data(), mark=st.sampled_from((None, "👍", "❤️")))
    def change_mind(self, data: st.DataObject, mark: str | None) -> None:
        """On a slot of which the model has been told; by chance alone that would be rare."""
        chat = self.pick(data)
        known = sorted(chat.known(), key=str)
        if known:
            self.set(chat, data.draw(st.sampled_from(known)), mark)

    def set(self, chat: Chat, slot: Slot, mark: str | None) -> None:
        quote = "" if slot[1] is None else f"snippet {slot[1]}"
        part = None if slot[1] is None else WirePart(slot[1], quote)
        present = chat.present.get(slot)
        self.bench.service.set_reaction(chat.session_id, slot[0], mark, part=part)
        if emoji(present) == mark:
            return
        chat.withheld.pop(slot, None)
        chat.present.pop(slot, None)
        if mark is not None:
            chat.present[slot] = Tap(mark, quote)

    @rule(data=st.data(), withheld=st.sampled_from((True, True, True, False)))
    def withhold(self, data: st.DataObject, withheld: bool) -> None:
        chat = self.pick(data)
        changes = self.changes(chat)
        if changes:
            slot = data.draw(st.sampled_from([slot for slot, _, _ in changes]))
            self.bench.service.withholding.withhold(chat.session_id, slot[0], slot[1], withheld)
            chat.withheld.pop(slot, None)
            if withheld:
                chat.withheld[slot] = emoji(chat.present.get(slot))

    @rule(data=st.data())
    def there_and_back(self, data: st.DataObject) -> None:
        """With a reaction of which nothing is to be told; that changes it, so that it is to be told again."""
        chat = self.pick(data)
        due = [(slot, now) for slot, _, now in self.changes(chat) if now is not None]
        if due:
            slot, tap = data.draw(st.sampled_from(due))
            self.bench.service.withholding.withhold(chat.session_id, slot[0], slot[1], True)
            chat.withheld[slot] = tap.emoji
            self.set(chat, slot, "👎")
            self.set(chat, slot, tap.emoji)

    @rule(data=st.data(), again=st.booleans())
    def undo(self, data: st.DataObject, again: bool) -> None:
        chat = self.pick(data)
        text = self.undo_last(chat)
        if again and text:
            self.speak(chat, 0, text)

    def undo_last(self, chat: Chat) -> str:
        undone = self.bench.service.changes.undo(chat.session_id)
        if not chat.turns:
            assert undone.removed == 0
            return ""
        last = chat.turns[-1]
        assert (undone.removed, undone.text, undone.from_row_id) == (len(last.rows), last.text, last.rows[0])
        chat.cut(len(chat.turns) - 1)
        return last.text

    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        chat = self.pick(data)
        if chat.turns:
            self.edit_at(chat, data.draw(st.integers(0, len(chat.turns) - 1)))

    def edit_at(self, chat: Chat, turn: int) -> None:
        target = chat.turns[turn].rows[0]
        chat.cut(turn)
        self.speak(chat, 0, f"edited {self.number()}{PAD}", Truncation(target, may_empty=True))

    @precondition(lambda self: len(self.chats) < 3)
    @rule(data=st.data())
    def branch(self, data: st.DataObject) -> None:
        chat = self.pick(data)
        if chat.turns:
            branch = self.branch_at(chat, data.draw(st.integers(1, len(chat.turns))))
            self.chats += [branch] if branch is not None else []

    def branch_at(self, chat: Chat, kept: int) -> Chat | None:
        rows = [self.row(chat, row) for turn in chat.turns[:kept] for row in turn.rows]
        shown = [row for row in rows if row.role == "user" or (row.role == "assistant" and row.text)]
        if shown[-1] is not rows[-1] and kept < len(chat.turns):
            return None  # the turn ends with calls that nobody sees; a count cannot name its end
        count = None if kept == len(chat.turns) else len(shown)
        branch = self.bench.service.changes.branch(chat.session_id, count=count)
        copies = self.bench.store.messages.all(branch.session_id)
        assert [row.text for row in copies] == [row.text for row in rows]
        ids = dict(zip((row.row_id for row in rows), (row.row_id for row in copies), strict=True))
        return _copied(chat, kept, branch.session_id, ids)

    @rule(data=st.data())
    def compress(self, data: st.DataObject) -> None:
        self.sum_up(self.pick(data))

    @rule(data=st.data(), then=st.sampled_from(("edit", "branch", "undo", "change", "speak")))
    def a_long_chat_is_summed_up(self, data: st.DataObject, then: str) -> None:
        """And then goes on, or back to what the summary stands for; by chance alone that would be rare."""
        chat = self.pick(data)
        while len(chat.turns) < 4:
            self.speak(chat, 0, f"prompt {self.number()}{PAD}")
            self.set(chat, (chat.turns[-1].rows[0], None), data.draw(st.sampled_from(EMOJI)))
        self.sum_up(chat)
        covered = chat.summaries[-1].covered if chat.summaries else 1
        turn = data.draw(st.integers(0, covered - 1))
        match then:
            case "edit":
                self.edit_at(chat, turn)
            case "branch":
                branch = self.branch_at(chat, turn + 1)
                if branch is not None:
                    self.speak(branch, 0, f"prompt {self.number()}{PAD}")
            case "undo":
                for _ in range(len(chat.turns) - turn):
                    self.undo_last(chat)
            case "change":
                self.set(chat, (chat.turns[turn].rows[0], None), None)
            case _:
                self.speak(chat, 1, f"prompt {self.number()}{PAD}")

    def sum_up(self, chat: Chat) -> None:
        context_before, asked = chat.context(), len(self.bench.agent.summary_requests)
        done = self.run(self.bench.service.changes.compress(chat.session_id))
        requests = self.bench.agent.summary_requests[asked:]
        for request in requests:
            assert list(request.messages[1:-1]) == context_before
            assert request.tools == self.bench.agent.tools()
        if done.summary.noop:
            return
        stored = self.bench.store.summaries.newest(chat.session_id)
        assert stored is not None
        covered = sum((self.row(chat, turn.rows[0]).position or 0) <= stored.until for turn in chat.turns)
        assert 0 < covered < len(chat.turns)
        rows = [row for turn in chat.turns[:covered] for row in turn.rows]
        told = sorted(
            ((slot, tap) for slot, tap in chat.known().items() if slot[0] in rows),
            key=lambda entry: rows.index(entry[0][0]),
        )
        ordered = [self.line(chat, slot, None, tap) for slot, tap in told]
        content = json.loads(stored.sent)["content"]
        head, _, record = content.partition(f"\n\n{REACTIONS}\n")
        assert head == f"{HEAD}\n\nsum {len(self.bench.agent.summary_requests)}"
        assert sorted(record.splitlines()) == sorted(ordered) or len(ordered) > 12
        chat.summaries.append(Summary(covered, stored.sent))

    @rule()
    def restart(self) -> None:
        self.run(self.bench.restart())

    @rule(reacting=st.sampled_from(("off", "user", "both")))
    def switch(self, reacting: str) -> None:
        self.reacting = reacting
        self.bench.service.config_set("reactions", reacting)

    # --- what must hold --------------------------------------------------------------------------------

    @invariant()
    def the_model_reads_what_stands_and_no_byte_of_it_has_changed(self) -> None:
        for chat in self.chats:
            assert context(self.bench.store, chat.session_id) == chat.context()

    @invariant()
    def people_read_the_rows_that_stand(self) -> None:
        for chat in self.chats:
            rows = self.bench.store.messages.all(chat.session_id)
            assert [row.row_id for row in rows] == chat.rows

    @invariant()
    def what_is_pending_follows_from_what_was_told(self) -> None:
        for chat in self.chats:
            changes = self.changes(chat)
            expected = [
                PendingLine(slot[0], self.line(chat, slot, before, now), slot[1], self.kept_back(chat, slot))
                for slot, before, now in changes
            ]
            pending = self.bench.service.withholding.pending(chat.session_id)
            assert sorted(pending.lines, key=str) == sorted(expected, key=str)
            told = [change for change in changes if not self.kept_back(chat, change[0])]
            assert pending.head == self.head(chat, told)

    @invariant()
    def the_store_holds_the_reactions_of_both_sides(self) -> None:
        for chat in self.chats:
            user: dict[Slot, Tap] = {}
            agent: dict[int, str] = {}
            for row in self.bench.store.messages.all(chat.session_id):
                for entry in row.metadata.get("reactions", ()):
                    part = msgspec.convert(entry.get("part", {"anchor": ""}), WirePart)
                    if entry["author"] == Author.AGENT:
                        agent[row.row_id] = entry["emoji"]
                    else:
                        user[row.row_id, part.anchor or None] = Tap(entry["emoji"], part.quote)
            assert (user, agent) == (chat.present, chat.agents)


def emoji(tap: Tap | None) -> str | None:
    return None if tap is None else tap.emoji


def _copied(chat: Chat, kept: int, session_id: str, ids: dict[int, int]) -> Chat:
    """The chat as a branch has it: the first turns, under ids of their own."""
    part = replace(chat, turns=list(chat.turns), summaries=list(chat.summaries))
    part.cut(kept)
    turns = [
        Spoken(
            turn.text,
            [((ids[row], anchor), tap) for (row, anchor), tap in turn.told],
            [ids[row] for row in turn.rows],
            list(turn.own),
        )
        for turn in part.turns
    ]
    return Chat(
        session_id,
        turns,
        {(ids[row], anchor): tap for (row, anchor), tap in part.present.items()},
        {ids[row]: mark for row, mark in part.agents.items()},
        {(ids[row], anchor): mark for (row, anchor), mark in part.withheld.items()},
        [replace(summary) for summary in part.summaries if summary.covered < kept],
    )


@pytest.mark.slow
class TestRewriting(Rewriting.TestCase):
    settings = settings(
        max_examples=40,
        stateful_step_count=25,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        derandomize=True,
    )
