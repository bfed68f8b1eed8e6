"""Prompts that come while a turn runs: they wait in rows of their own and keep them."""

from __future__ import annotations

import asyncio
import json

from tui_tapback.testing.agents import Call, Say, Wait
from tui_tapback.testing.service import RecordingSink, ServiceBench


async def busy(bench: ServiceBench) -> tuple[str, RecordingSink, Wait]:
    """A session in the middle of a turn."""
    session_id, sink = bench.new_session()
    hold = Wait()
    bench.agent.expect(Say("first "), hold, Say("answer"), Call("look"), Say("and more"))
    await bench.service.submit(session_id, "one")
    await hold.reached.wait()
    return session_id, sink, hold


def texts(bench: ServiceBench, session_id: str) -> list[str | None]:
    return [row.text for row in bench.service.history(session_id).messages if row.role != "tool"]


async def test_a_waiting_prompt_has_its_row_at_once_and_keeps_it(bench: ServiceBench) -> None:
    """Fault F4 of a Hermes gateway: there the row is replaced and the reaction on it is lost."""
    session_id, sink, hold = await busy(bench)
    answer = await bench.service.submit(session_id, "two", "ref-2")
    row_id = answer.user_row_id
    assert (answer.status, row_id) == ("queued", sink.of("tapback.row")[-1]["row"]["row_id"])
    assert row_id is not None
    waiting = sink.of("tapback.row")[-1]
    assert waiting["row"]["display_metadata"] == {"_queued_prompt": True, "client_ref": "ref-2"}
    assert waiting["client_ref"] == "ref-2"
    bench.service.set_reaction(session_id, row_id, "😂")
    hold.event.set()
    await bench.quiet(session_id)
    drained = [entry for entry in sink.of("tapback.row") if entry["row"]["row_id"] == row_id][-1]
    assert "_queued_prompt" not in drained["row"]["display_metadata"]
    assert drained["row"]["display_metadata"]["reactions"][0]["emoji"] == "😂"
    assert drained["client_ref"] == "ref-2"
    assert bench.service.pending_notes(session_id) == ['[The user reacted 😂 to their own message: "two"]']


async def test_a_drained_prompt_comes_behind_the_answer_in_display_and_in_context(
    bench: ServiceBench,
) -> None:
    session_id, _, hold = await busy(bench)
    await bench.service.submit(session_id, "two")
    await bench.service.submit(session_id, "three")
    assert texts(bench, session_id) == ["one", "two", "three"]
    hold.event.set()
    await bench.quiet(session_id)
    assert texts(bench, session_id) == ["one", "first answer", "and more", "two", "ok", "three", "ok"]
    sent = [json.loads(message) for message in bench.store.messages.context(session_id)]
    assert [message["content"] for message in sent if message["role"] == "user"] == ["one", "two", "three"]
    assert len(bench.agent.requests) == 4


async def test_between_two_turns_of_a_queue_the_gateway_is_never_idle(bench: ServiceBench) -> None:
    """A gateway without clients leaves as soon as it is not busy."""
    session_id, _, hold = await busy(bench)
    await bench.service.submit(session_id, "two")
    await bench.service.submit(session_id, "three")
    hold.event.set()
    while len(bench.agent.requests) < 4:
        assert bench.service.busy
        await asyncio.sleep(0)
    await bench.quiet(session_id)
    assert not bench.service.busy


async def test_a_waiting_prompt_carries_what_was_there_when_it_is_sent(bench: ServiceBench) -> None:
    session_id, sink, hold = await busy(bench)
    await bench.service.submit(session_id, "two")
    bench.service.set_reaction(session_id, sink.of("message.start")[0]["row_id"], "👍")
    hold.event.set()
    await bench.quiet(session_id)
    assert bench.last_user_content() == '[The user reacted 👍 to your message: "first answer"]\n\ntwo'


async def test_an_interrupt_stops_the_turn_and_the_waiting_prompt_goes_next(bench: ServiceBench) -> None:
    session_id, sink, _ = await busy(bench)
    await bench.service.submit(session_id, "two")
    await bench.service.interrupt(session_id)
    await bench.quiet(session_id)
    assert texts(bench, session_id) == ["one", "first ", "two", "ok"]
    assert [done["status"] for done in sink.of("message.complete")] == ["interrupted", "complete"]


async def test_waiting_prompts_survive_a_restart_and_go_on_when_someone_comes_back(
    bench: ServiceBench,
) -> None:
    session_id, _, _ = await busy(bench)
    first = await bench.service.submit(session_id, "two", "ref-2")
    await bench.restart()
    assert texts(bench, session_id) == ["one", "first ", "two"]
    again = await bench.service.submit(session_id, "two", "ref-2")
    assert again == first
    assert bench.service.resume(session_id).running
    await bench.quiet(session_id)
    assert texts(bench, session_id) == ["one", "first ", "two", "ok"]


async def test_a_new_prompt_does_not_overtake_one_that_waits(bench: ServiceBench) -> None:
    session_id, _, _ = await busy(bench)
    await bench.service.submit(session_id, "two")
    await bench.crash()
    answer = await bench.service.submit(session_id, "three")
    assert answer.status == "queued"
    await bench.quiet(session_id)
    assert texts(bench, session_id) == ["one", "first ", "two", "ok", "three", "ok"]


async def test_a_submit_right_after_the_end_starts_a_turn_of_its_own(bench: ServiceBench) -> None:
    """Fault F11 of a Hermes gateway: it answers queued, without a row."""
    session_id, sink = bench.new_session()
    await bench.service.submit(session_id, "one")
    await sink.until(lambda: "message.complete" in sink.types())
    answer = await bench.service.submit(session_id, "two")
    assert answer.status == "streaming"
    assert answer.user_row_id is not None
    await bench.quiet(session_id)
