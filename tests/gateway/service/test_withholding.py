"""A line that a person keeps back from the model, and what brings it up again."""

from __future__ import annotations

import pytest

from tui_tapback.domain.errors import InvalidInput, RowNotFound
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.conversation import PendingLine

OK = '[The user reacted 👍 to your message: "ok"]'


async def reacted(bench: ServiceBench) -> tuple[str, int]:
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    bench.service.set_reaction(session_id, row, "👍")
    return session_id, row


async def test_a_line_that_is_kept_back_is_shown_and_not_sent(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    shown = bench.service.withholding.withhold(session_id, row, None, True)
    assert (shown.lines, shown.head) == ([PendingLine(row, OK, None, True)], [])
    for text in ("two", "three"):
        await bench.say(session_id, text)
        assert bench.last_user_content() == text
    assert bench.service.withholding.pending(session_id) == shown


async def test_let_go_again_it_is_sent(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    bench.service.withholding.withhold(session_id, row, None, True)
    await bench.say(session_id, "two")
    shown = bench.service.withholding.withhold(session_id, row, None, False)
    assert (shown.lines, shown.head) == ([PendingLine(row, OK, None, False)], [OK])
    await bench.say(session_id, "three")
    assert bench.last_user_content() == f"{OK}\n\nthree"


async def test_it_is_kept_back_over_a_restart(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    bench.service.withholding.withhold(session_id, row, None, True)
    await bench.restart()
    await bench.say(session_id, "two")
    assert bench.last_user_content() == "two"


async def test_only_until_the_reaction_changes_again_also_there_and_back(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    bench.service.withholding.withhold(session_id, row, None, True)
    bench.service.set_reaction(session_id, row, "❤️")
    assert bench.service.pending_notes(session_id) == ['[The user reacted ❤️ to your message: "ok"]']
    bench.service.set_reaction(session_id, row, "👍")
    assert bench.service.pending_notes(session_id) == [OK]


async def test_the_same_reaction_once_more_changes_nothing_about_it(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    bench.service.withholding.withhold(session_id, row, None, True)
    bench.service.set_reaction(session_id, row, "👍")
    await bench.service.react_as_agent(session_id, "😂")
    bench.service.set_reaction(session_id, row, "🔥", Author.AGENT)
    assert bench.service.pending_notes(session_id) == []


async def test_a_take_back_can_be_kept_back_too(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    await bench.say(session_id, "two")
    bench.service.set_reaction(session_id, row, None)
    bench.service.withholding.withhold(session_id, row, None, True)
    await bench.say(session_id, "three")
    assert bench.last_user_content() == "three"
    bench.service.set_reaction(session_id, row, "❤️")
    await bench.say(session_id, "four")
    assert bench.last_user_content() == (
        '[The user changed their reaction from 👍 to ❤️ on your message: "ok"]\n\nfour'
    )


async def test_parts_are_kept_back_one_by_one(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    bench.service.set_reaction(session_id, row, "😂", part="p1")
    shown = bench.service.withholding.withhold(session_id, row, "p1", True)
    assert [(line.part, line.withheld) for line in shown.lines] == [(None, False), ("p1", True)]
    assert shown.head == [OK]


async def test_the_clients_hear_of_it_once(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    sink = bench.attach(session_id)
    for _ in range(2):
        bench.service.withholding.withhold(session_id, row, None, True)
    assert sink.of("reactions.pending") == [
        {"lines": [{"row_id": row, "text": OK, "part": None, "withheld": True}], "head": []}
    ]
    bench.service.withholding.withhold(session_id, row, None, False)
    bench.service.withholding.withhold(session_id, row, None, False)
    assert len(sink.of("reactions.pending")) == 2


async def test_what_is_not_due_cannot_be_kept_back(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    with pytest.raises(InvalidInput, match="not about to hear"):
        bench.service.withholding.withhold(session_id, row - 1, None, True)
    with pytest.raises(RowNotFound):
        bench.service.withholding.withhold(session_id, 999, None, True)
    await bench.say(session_id, "two")
    with pytest.raises(InvalidInput):
        bench.service.withholding.withhold(session_id, row, None, True)
    bench.service.withholding.withhold(session_id, row, None, False)


async def test_people_and_other_clients_do_not_see_the_mark_in_the_row(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    bench.service.withholding.withhold(session_id, row, None, True)
    shown = bench.service.history(session_id).messages[1]
    assert set(shown.display_metadata or {}) == {"reactions"}


async def test_switched_off_there_is_nothing_to_keep_back(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    bench.service.config_set("reactions", "off")
    assert bench.service.withholding.pending(session_id).lines == []
    with pytest.raises(InvalidInput):
        bench.service.withholding.withhold(session_id, row, None, True)


async def test_undo_of_the_carrying_turn_does_not_bring_up_what_was_kept_back(bench: ServiceBench) -> None:
    session_id, row = await reacted(bench)
    bench.service.withholding.withhold(session_id, row, None, True)
    await bench.say(session_id, "two")
    bench.service.changes.undo(session_id)
    await bench.say(session_id, "three")
    assert bench.last_user_content() == "three"
