"""Reactions of several clients at once: one commit, each with its own answer, nobody harmed by another."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tui_tapback.domain.errors import DiskFull, NotAnEmoji, RowNotFound, StoreError
from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.service.broadcast import Broadcast
from tui_tapback.gateway.service.ports import ReactionOutcome
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.database import Database
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.gateway import RawClient, RunningServer
from tui_tapback.testing.service import RecordingSink, ServiceBench


@pytest.fixture
def bench(tmp_path: Path) -> ServiceBench:
    return ServiceBench(tmp_path / "data.db")


async def _rows(bench: ServiceBench, session_id: str, count: int) -> list[int]:
    return [await bench.say(session_id, f"message {n}") for n in range(count)]


async def _react(bench: ServiceBench, session_id: str, row_id: int, emoji: str) -> ReactionOutcome:
    react = partial(
        bench.service.set_reaction, session_id, row_id, emoji, Author.USER, op_id=f"{row_id}{emoji}"
    )
    return await bench.service.grouping.run(react)


async def test_answers_and_events_of_a_group_agree_and_are_in_order(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    rows = await _rows(bench, session_id, 5)
    heard = len(sink.events)
    outcomes = await asyncio.gather(*(_react(bench, session_id, row_id, "👍") for row_id in rows))
    events = sink.events[heard:]
    assert [outcome.seq for outcome in outcomes] == [event["seq"] for event in events]
    assert [event["payload"]["row_id"] for event in events] == rows
    numbers = [event["seq"] for event in sink.events if "seq" in event]
    assert numbers == list(range(1, len(numbers) + 1))


async def test_one_that_is_refused_leaves_the_others_alone(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    first, second = await _rows(bench, session_id, 2)
    heard = len(sink.events)
    outcomes = await asyncio.gather(
        _react(bench, session_id, first, "👍"),
        _react(bench, session_id, first, "no emoji"),
        _react(bench, session_id, 999, "👍"),
        _react(bench, session_id, second, "❤️"),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [
        ReactionOutcome,
        NotAnEmoji,
        RowNotFound,
        ReactionOutcome,
    ]
    assert [event["payload"]["row_id"] for event in sink.events[heard:]] == [first, second]
    await bench.restart()
    rows = {row.row_id: row for row in bench.service.history(session_id).messages}
    assert "reactions" in (rows[first].display_metadata or {})
    assert "reactions" in (rows[second].display_metadata or {})


async def test_one_that_no_longer_waits_takes_nobody_with_it(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    rows = await _rows(bench, session_id, 3)
    asked = [asyncio.create_task(_react(bench, session_id, row_id, "👍")) for row_id in rows]
    await asyncio.sleep(0)  # all wait for the commit
    asked[0].cancel()
    async with asyncio.timeout(10):
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [
        asyncio.CancelledError,
        ReactionOutcome,
        ReactionOutcome,
    ]


async def test_of_two_for_one_place_the_later_stands_and_both_are_told(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    (row_id,) = await _rows(bench, session_id, 1)
    await asyncio.gather(_react(bench, session_id, row_id, "👍"), _react(bench, session_id, row_id, "❤️"))
    told = [event["reactions"][0]["emoji"] for event in sink.of("message.reaction")]
    assert told == ["👍", "❤️"]
    again = await asyncio.gather(
        _react(bench, session_id, row_id, "👍"), _react(bench, session_id, row_id, "😂")
    )
    shown = [[reaction.emoji for reaction in outcome.reactions] for outcome in again]
    assert shown == [["👍"], ["😂"]]  # the first is a repetition, answered as it was then


class FullAtCommit(Store):
    """Has no space left whenever a group is to be committed."""

    @contextmanager
    def group(self) -> Generator[None]:
        with super().group():
            yield
            raise DiskFull("There is no space left.")


async def test_a_group_that_cannot_be_stored_is_tried_one_by_one(tmp_path: Path) -> None:
    """Nothing is told of the attempt, no number is spent on it, and what fits alone is stored."""
    bench = ServiceBench(tmp_path / "other.db")
    service = GatewayService(
        FullAtCommit(tmp_path / "full.db"), bench.agent, clock=bench.clock, ids=bench.ids
    )
    session_id = service.create_session("x", "t").session_id
    sink = RecordingSink()
    service.attach(session_id, sink)
    row_id = (await service.submit(session_id, "hello")).user_row_id
    assert row_id is not None
    await service.interrupt(session_id)
    heard, number = len(sink.events), service.events_since(session_id, 0).latest_seq
    works = [
        partial(service.set_reaction, session_id, row_id, "👍", op_id="a"),
        partial(service.set_reaction, session_id, row_id, "nonsense", op_id="b"),
        partial(service.set_reaction, session_id, row_id, "❤️", op_id="c"),
    ]
    outcomes = await asyncio.gather(*map(service.grouping.run, works), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ReactionOutcome, NotAnEmoji, ReactionOutcome]
    events = sink.events[heard:]
    assert [event["payload"]["reactions"][0]["emoji"] for event in events] == ["👍", "❤️"]
    assert [event["seq"] for event in events] == [number + 1, number + 2]
    await service.close()


class Faulty(Store):
    """Breaks at the end of a group in a way that nobody expects."""

    @contextmanager
    def group(self) -> Generator[None]:
        with super().group():
            yield
            raise ZeroDivisionError


async def test_a_fault_of_ours_is_answered_too(tmp_path: Path) -> None:
    bench = ServiceBench(tmp_path / "other.db")
    service = GatewayService(Faulty(tmp_path / "data.db"), bench.agent, clock=bench.clock, ids=bench.ids)
    session_id = service.create_session("x", "t").session_id
    row_id = (await service.submit(session_id, "hello")).user_row_id
    assert row_id is not None
    await service.interrupt(session_id)
    works = [partial(service.set_reaction, session_id, row_id, emoji) for emoji in ("👍", "❤️")]
    outcomes = await asyncio.gather(*map(service.grouping.run, works), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ZeroDivisionError] * 2
    assert "reactions" not in (service.history(session_id).messages[0].display_metadata or {})
    await service.close()


def test_what_is_held_and_fails_was_never_said() -> None:
    broadcast, sink = Broadcast("epoch"), RecordingSink()
    broadcast.attach("s", sink)
    with pytest.raises(ZeroDivisionError), broadcast.held():
        assert broadcast.emit("s", "notice", {"text": "never"}) == 1
        raise ZeroDivisionError
    with broadcast.held():
        assert broadcast.emit("s", "notice", {"text": "one"}) == 1
        assert broadcast.emit("s", "notice", {"text": "two"}) == 2
        assert sink.events == []
    assert [event["payload"]["text"] for event in sink.events] == ["one", "two"]
    assert broadcast.since("s", 0).count == 2


def test_a_part_of_a_group_is_undone_alone_and_a_lost_group_whole(tmp_path: Path) -> None:
    database = Database(tmp_path / "state.db")

    def put(key: str) -> None:
        database.run("INSERT INTO settings VALUES(?, '')", (key,))

    with database.group():
        with database.transaction():
            put("kept")
        with pytest.raises(ZeroDivisionError), database.transaction():
            put("undone")
            raise ZeroDivisionError
    assert [row[0] for row in database.rows("SELECT key FROM settings")] == ["kept"]
    with pytest.raises(StoreError), database.group():
        with database.transaction():
            put("lost")
        database.run("ROLLBACK")  # as SQLite does it by itself when the disk is full
        with pytest.raises(StoreError, match="Nothing of this change"), database.transaction():
            put("never begun")
    assert [row[0] for row in database.rows("SELECT key FROM settings")] == ["kept"]
    with database.transaction():
        put("afterwards")
    database.close()


async def test_a_disk_that_is_full_for_all_is_told_to_all_and_spends_no_number(tmp_path: Path) -> None:
    store = Store(tmp_path / "small.db", page_limit=70)
    bench = ServiceBench(tmp_path / "other.db")
    service = GatewayService(store, bench.agent, clock=bench.clock, ids=bench.ids)
    session_id = service.create_session("x", "t").session_id
    row_id = (await service.submit(session_id, "hello")).user_row_id
    assert row_id is not None
    await service.interrupt(session_id)
    with pytest.raises(StoreError):
        for number in range(10_000):  # until nothing fits any more
            emoji = ("👍", "❤️")[number % 2]
            service.set_reaction(session_id, row_id, emoji, op_id=f"{number}" + "x" * 190)
    before = service.events_since(session_id, 0).latest_seq
    reacts = [
        partial(service.set_reaction, session_id, row_id, emoji, op_id=f"again {emoji}" + "y" * 180)
        for emoji in ("😂", "‼️", "❓")
    ]
    outcomes = await asyncio.gather(*map(service.grouping.run, reacts), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [DiskFull] * 3
    assert service.events_since(session_id, 0).latest_seq == before
    store.check()
    await service.close()


async def test_many_clients_at_once_over_the_wire(tmp_path: Path) -> None:
    """B056: each of three clients hammers through the one owner; every write is there, none is refused."""
    async with RunningServer(tmp_path) as running:
        clients = [await running.client() for _ in range(3)]
        session_id = (await clients[0].call("session.create"))["session_id"]
        rows: list[int] = []
        for number in range(9):
            sent = await clients[0].call("prompt.submit", session_id=session_id, text=f"m {number}")
            rows.append(sent["user_row_id"])
        await running.bench.quiet(session_id)

        async def hammer(client: RawClient, mine: list[int]) -> None:
            for number in range(51):
                emoji = ("👍", "❤️", "😂")[number // len(mine) % 3]
                target = {"session_id": session_id, "row_id": mine[number % len(mine)]}
                await client.call("reaction.set", **target, emoji=emoji, op_id=f"{mine[0]}-{number}")

        await asyncio.gather(*(hammer(client, rows[n::3]) for n, client in enumerate(clients)))
        history = (await clients[0].call("session.history", session_id=session_id))["messages"]
        found = {row["row_id"]: row.get("display_metadata", {}).get("reactions") for row in history}
        assert [len(found[row_id]) for row_id in rows] == [1] * 9
        last = [("👍", "❤️", "😂")[number // 3 % 3] for number in (48, 49, 50)]
        assert [found[row_id][0]["emoji"] for row_id in rows[::3]] == last
