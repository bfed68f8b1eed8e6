"""Undo, edit and retry: what goes, what stays, what is due again, and who is told."""

from __future__ import annotations

import json

import pytest

from tui_tapback.domain.errors import (
    Busy,
    EmptyMessage,
    RowNotFound,
    SessionNotFound,
    TurnNotFound,
    WouldEmptyChat,
)
from tui_tapback.gateway.service.rewind import Truncation
from tui_tapback.testing.agents import Call, Say, Wait
from tui_tapback.testing.service import ServiceBench

OK = '[The user reacted 👍 to your message: "ok"]'


def contents(bench: ServiceBench) -> list[str]:
    return [json.loads(message)["content"] for message in bench.agent.requests[-1].messages[1:]]


async def test_undo_takes_the_last_turn_with_all_its_rows(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    await bench.say(session_id, "one")
    bench.agent.expect(Say("let me see"), Call("look"), Say("there"))
    second = await bench.say(session_id, "two")
    undone = bench.service.changes.undo(session_id)
    assert (undone.removed, undone.text, undone.from_row_id) == (4, "two", second)
    assert [row.text for row in bench.service.history(session_id).messages] == ["one", "ok"]
    assert sink.of("tapback.rows_removed") == [{"row_ids": [second, second + 1, second + 2, second + 3]}]
    assert sink.of("history.changed") == [{"reason": "undo", "from_row_id": second}]
    await bench.say(session_id, "three")
    assert contents(bench) == ["one", "ok", "three"]


async def test_undo_until_nothing_is_left_and_once_more(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    await bench.say(session_id, "one")
    assert bench.service.changes.undo(session_id).removed == 2
    told = len(sink.events)
    assert bench.service.changes.undo(session_id).removed == 0
    assert len(sink.events) == told
    await bench.say(session_id, "again")
    assert contents(bench) == ["again"]


async def test_undo_of_the_turn_that_told_makes_the_reaction_due_again(bench: ServiceBench) -> None:
    """Fault F6 of a Hermes gateway: it is never told again there."""
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    bench.service.set_reaction(session_id, row, "👍")
    await bench.say(session_id, "two")
    assert bench.service.pending_notes(session_id) == []
    bench.service.changes.undo(session_id)
    assert bench.service.pending_notes(session_id) == [OK]
    await bench.say(session_id, "three")
    assert contents(bench) == ["one", "ok", f"{OK}\n\nthree"]


async def test_a_change_told_by_the_undone_turn_is_told_again_as_that_change(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    bench.service.set_reaction(session_id, row, "👍")
    await bench.say(session_id, "two")
    bench.service.set_reaction(session_id, row, None)
    await bench.say(session_id, "three")
    bench.service.changes.undo(session_id)
    taken_back = '[The user took back their 👍 from your message: "ok"]'
    assert bench.service.pending_notes(session_id) == [taken_back]
    bench.service.changes.undo(session_id)
    assert bench.service.pending_notes(session_id) == []  # it never was there, for all the model knows


async def test_reactions_go_with_the_rows_that_bear_them(bench: ServiceBench) -> None:
    # case B030
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    second = await bench.say(session_id, "two")
    bench.service.set_reaction(session_id, second + 1, "👍")
    bench.service.changes.undo(session_id)
    assert bench.service.pending_notes(session_id) == []
    with pytest.raises(RowNotFound):
        bench.service.set_reaction(session_id, second + 1, "👍")
    await bench.say(session_id, "three")
    assert contents(bench) == ["one", "ok", "three"]


async def test_an_edit_is_a_new_row_without_the_old_reactions(bench: ServiceBench) -> None:
    # case B031
    session_id, sink = bench.new_session()
    await bench.say(session_id, "one")
    second = await bench.say(session_id, "delete tmp")
    await bench.service.react_as_agent(session_id, "👍")
    answer = await bench.service.submit(
        session_id, "delete everything", "ref-1", truncation=Truncation(second)
    )
    await bench.quiet(session_id)
    assert answer.status == "streaming"
    assert answer.survivor_user_row_ids == [1]
    assert answer.user_row_id is not None and answer.user_row_id > second + 1
    rows = bench.service.history(session_id).messages
    assert [row.text for row in rows] == ["one", "ok", "delete everything", "ok"]
    assert not any((row.display_metadata or {}).get("reactions") for row in rows)
    assert sink.of("history.changed") == [{"reason": "edit", "from_row_id": second}]
    kinds = [kind for kind in sink.types() if kind in ("tapback.rows_removed", "history.changed")]
    assert kinds == ["tapback.rows_removed", "history.changed"]
    assert contents(bench) == ["one", "ok", "delete everything"]


async def test_an_edit_carries_what_its_predecessor_had_told(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    bench.service.set_reaction(session_id, row, "👍")
    second = await bench.say(session_id, "two")
    await bench.service.submit(session_id, "two, better", truncation=Truncation(second))
    await bench.quiet(session_id)
    assert contents(bench) == ["one", "ok", f"{OK}\n\ntwo, better"]
    await bench.say(session_id, "three")
    assert contents(bench)[-1] == "three"


async def test_an_edit_far_back_takes_all_turns_behind_it(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    rows = [await bench.say(session_id, f"prompt {n}") for n in range(4)]
    answer = await bench.service.submit(
        session_id, "other words", truncation=Truncation(rows[1], rebind=(1, rows[1], 999, -1))
    )
    await bench.quiet(session_id)
    assert answer.survivor_row_id_map == {"1": 1, str(rows[1]): None, "999": None, "-1": None}
    assert answer.survivor_user_row_ids is None
    assert contents(bench) == ["prompt 0", "ok", "other words"]


async def test_regenerate_is_an_edit_with_the_same_words(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    first = await bench.say(session_id, "one")
    bench.agent.expect(Say("better"))
    await bench.service.submit(session_id, "one", truncation=Truncation(first, may_empty=True))
    await bench.quiet(session_id)
    assert [row.text for row in bench.service.history(session_id).messages] == ["one", "better"]
    assert bench.agent.requests[-1].messages == bench.agent.requests[0].messages


async def test_an_edit_of_everything_must_be_meant(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    first = await bench.say(session_id, "one")
    before = len(sink.events)
    with pytest.raises(WouldEmptyChat):
        await bench.service.submit(session_id, "other", truncation=Truncation(first))
    assert len(sink.events) == before
    assert bench.service.history(session_id).count == 2


@pytest.mark.parametrize("target", [0, -1, 2, 999, 2**70])
async def test_only_a_standing_row_of_the_user_can_be_edited(bench: ServiceBench, target: int) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    with pytest.raises(TurnNotFound) as refusal:
        await bench.service.submit(session_id, "other", truncation=Truncation(target, may_empty=True))
    assert refusal.value.user_turns == 1
    other, _ = bench.new_session()
    with pytest.raises(TurnNotFound):
        await bench.service.submit(other, "other", truncation=Truncation(1, may_empty=True))


async def test_an_empty_edit_takes_nothing_back(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    second = await bench.say(session_id, "two")
    with pytest.raises(EmptyMessage):
        await bench.service.submit(session_id, " \n", truncation=Truncation(second))
    assert bench.service.history(session_id).count == 4


async def test_a_repeated_edit_has_no_second_effect(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    second = await bench.say(session_id, "two")
    edit = Truncation(second)
    first = await bench.service.submit(session_id, "better", "ref-1", truncation=edit)
    await bench.quiet(session_id)
    await bench.restart()
    assert await bench.service.submit(session_id, "better", "ref-1", truncation=edit) == first
    assert [row.text for row in bench.service.history(session_id).messages] == ["one", "ok", "better", "ok"]


async def test_a_prompt_that_was_undone_does_not_come_back_by_repetition(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.service.submit(session_id, "one", "ref-1")
    await bench.quiet(session_id)
    bench.service.changes.undo(session_id)
    await bench.service.submit(session_id, "one", "ref-1")
    assert bench.service.history(session_id).count == 0


async def test_while_a_turn_runs_nothing_is_taken_back(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    first = await bench.say(session_id, "one")
    hold = Wait()
    bench.agent.expect(Say("half"), hold)
    await bench.service.submit(session_id, "two")
    await hold.reached.wait()
    with pytest.raises(Busy):
        bench.service.changes.undo(session_id)
    with pytest.raises(Busy):
        await bench.service.submit(session_id, "other", truncation=Truncation(first, may_empty=True))
    with pytest.raises(Busy):
        bench.service.changes.branch(session_id)
    with pytest.raises(Busy):
        await bench.service.changes.compress(session_id)
    hold.event.set()
    await bench.quiet(session_id)
    assert bench.service.changes.undo(session_id).removed == 2


async def test_after_a_crash_in_mid_turn_the_broken_turn_can_be_undone(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    hold = Wait()
    bench.agent.expect(Say("half"), Call("look"), hold)
    await bench.service.submit(session_id, "two")
    await hold.reached.wait()
    await bench.crash()
    assert bench.service.changes.undo(session_id).text == "two"
    await bench.say(session_id, "three")
    assert contents(bench) == ["one", "ok", "three"]


async def test_what_was_taken_back_stays_so_after_a_restart(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    await bench.say(session_id, "two")
    bench.service.changes.undo(session_id)
    await bench.restart()
    assert [row.text for row in bench.service.resume(session_id).messages] == ["one", "ok"]


async def test_a_client_that_was_away_is_told_by_the_replay(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    seen = bench.service.resume(session_id).seq or 0
    bench.service.changes.undo(session_id)
    missed = bench.service.events_since(session_id, seen)
    assert [event["type"] for event in missed.events] == ["tapback.rows_removed", "history.changed"]
    assert not missed.truncated


async def test_an_unknown_session_has_nothing_to_undo(bench: ServiceBench) -> None:
    with pytest.raises(SessionNotFound):
        bench.service.changes.undo("20270115_080000_ffffff")
