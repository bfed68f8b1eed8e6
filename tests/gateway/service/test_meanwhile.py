"""Words for a turn that is running: steered or redirected, without notes, and never lost."""

from __future__ import annotations

import json

import pytest

from tui_tapback.domain.errors import EmptyMessage
from tui_tapback.testing.agents import Call, Say, Wait
from tui_tapback.testing.service import ServiceBench


def roles_and_contents(bench: ServiceBench, number: int = -1) -> list[tuple[str, str | None]]:
    messages = map(json.loads, bench.agent.requests[number].messages[1:])
    return [(message["role"], message["content"]) for message in messages]


async def held_call(bench: ServiceBench) -> tuple[Call, Wait]:
    hold = Wait()

    async def result(_turn: object) -> str:
        hold.reached.set()
        await hold.event.wait()
        return "seen"

    return Call("look", result=result), hold


async def test_steered_words_follow_the_next_tool_result_and_carry_no_notes(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    call, hold = await held_call(bench)
    bench.agent.expect(call, Say("done"))
    await bench.service.submit(session_id, "two")
    await hold.reached.wait()
    bench.service.set_reaction(session_id, row, "👍")
    answer = bench.service.meanwhile.steer(session_id, "rather left")
    assert (answer.status, answer.text) == ("queued", "rather left")
    hold.event.set()
    await bench.quiet(session_id)
    assert roles_and_contents(bench)[2:] == [
        ("user", "two"),
        ("assistant", None),
        ("tool", "seen"),
        ("user", "rather left"),
    ]
    assert sink.types().count("message.complete") == 2
    steered = [entry["row"] for entry in sink.of("tapback.row") if entry["row"].get("text") == "rather left"]
    assert "_queued_prompt" in steered[0]["display_metadata"]
    assert "display_metadata" not in steered[1]
    assert steered[1]["display_kind"] == "steer"
    # The reaction is told with the next message, and the past keeps its bytes.
    before = bench.agent.requests[-1].messages
    await bench.say(session_id, "three")
    assert bench.agent.requests[-1].messages[: len(before)] == before
    assert bench.last_user_content() == '[The user reacted 👍 to your message: "ok"]\n\nthree'


async def test_steered_words_are_the_next_prompt_where_no_tool_is_called_any_more(
    bench: ServiceBench,
) -> None:
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    hold = Wait()
    bench.agent.expect(Say("half"), hold, Say(" whole"))
    await bench.service.submit(session_id, "two")
    await hold.reached.wait()
    bench.service.set_reaction(session_id, row, "👍")
    bench.service.meanwhile.steer(session_id, "rather left")
    hold.event.set()
    await bench.quiet(session_id)
    assert roles_and_contents(bench)[2:] == [
        ("user", "two"),
        ("assistant", "half whole"),
        ("user", '[The user reacted 👍 to your message: "ok"]\n\nrather left'),
    ]
    assert bench.service.history(session_id).messages[-2].display_metadata is None


async def test_steered_words_survive_a_crash(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    hold = Wait()
    bench.agent.expect(Say("half"), hold)
    await bench.service.submit(session_id, "one")
    await hold.reached.wait()
    bench.service.meanwhile.steer(session_id, "rather left")
    await bench.crash()
    bench.service.resume(session_id)
    await bench.quiet(session_id)
    assert roles_and_contents(bench) == [
        ("user", "one"),
        ("assistant", "half"),
        ("user", "rather left"),
    ]


async def test_redirected_the_same_turn_goes_on_from_the_new_words(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    hold = Wait()
    bench.agent.expect(Say("wrong way"), hold)
    bench.agent.expect(Say("right way"))
    second = (await bench.service.submit(session_id, "two")).user_row_id
    await hold.reached.wait()
    bench.service.set_reaction(session_id, row, "👍")
    answer = await bench.service.meanwhile.redirect(session_id, "rather left")
    assert (answer.status, answer.text) == ("redirected", "rather left")
    await bench.quiet(session_id)
    assert roles_and_contents(bench)[2:] == [
        ("user", "two"),
        ("assistant", "wrong way"),
        ("user", "rather left"),
    ]
    complete = sink.of("message.complete")
    assert len(complete) == 2  # one for each turn, the redirected one has one too
    assert (complete[1]["status"], complete[1]["text"]) == ("complete", "right way")
    persisted = complete[1]["persisted_turn"]
    assert persisted["complete"] is False
    assert persisted["user_row_id"] == second
    shown = bench.service.history(session_id).messages[2:]
    assert [(entry.text, entry.display_kind) for entry in shown] == [
        ("two", None),
        ("wrong way", None),
        ("rather left", "redirect"),
        ("right way", None),
    ]
    assert persisted["row_ids"] == [entry.row_id for entry in shown]
    assert (shown[1].display_metadata or {})["interrupted"] is True
    assert bench.service.pending_notes(session_id) == ['[The user reacted 👍 to your message: "ok"]']
    before = bench.agent.requests[-1].messages
    await bench.say(session_id, "three")
    assert bench.agent.requests[-1].messages[: len(before)] == before


async def test_redirected_in_a_tool_call_it_gets_a_result_that_says_so(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    call, hold = await held_call(bench)
    bench.agent.expect(Say("look"), call)
    await bench.service.submit(session_id, "one")
    await hold.reached.wait()
    await bench.service.meanwhile.redirect(session_id, "never mind")
    await bench.quiet(session_id)
    assert roles_and_contents(bench) == [
        ("user", "one"),
        ("assistant", "look"),
        ("tool", "This call was interrupted; it is not known whether it took effect."),
        ("user", "never mind"),
    ]


async def test_redirected_before_a_word_was_said_no_empty_bubble_stays(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    hold = Wait()
    bench.agent.expect(hold)
    await bench.service.submit(session_id, "one")
    await hold.reached.wait()
    await bench.service.meanwhile.redirect(session_id, "rather left")
    await bench.quiet(session_id)
    assert [row.text for row in bench.service.history(session_id).messages] == ["one", "rather left", "ok"]


async def test_redirected_twice(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    first, second = Wait(), Wait()
    bench.agent.expect(Say("a"), first)
    bench.agent.expect(Say("b"), second)
    await bench.service.submit(session_id, "one")
    await first.reached.wait()
    await bench.service.meanwhile.redirect(session_id, "two")
    await second.reached.wait()
    await bench.service.meanwhile.redirect(session_id, "three")
    await bench.quiet(session_id)
    assert [content for _, content in roles_and_contents(bench)] == ["one", "a", "two", "b", "three"]
    assert sink.types().count("message.complete") == 1


async def test_a_redirected_turn_can_be_interrupted_and_undone_as_one(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    first, second = Wait(), Wait()
    bench.agent.expect(Say("a"), first)
    bench.agent.expect(Say("b"), second)
    await bench.service.submit(session_id, "one")
    await first.reached.wait()
    await bench.service.meanwhile.redirect(session_id, "two")
    await second.reached.wait()
    await bench.service.interrupt(session_id)
    undone = bench.service.changes.undo(session_id)
    assert (undone.removed, undone.text) == (4, "one")
    assert bench.service.history(session_id).count == 0


async def test_when_nothing_runs_words_are_rejected_and_not_kept(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    assert bench.service.meanwhile.steer(session_id, "left").status == "rejected"
    assert (await bench.service.meanwhile.redirect(session_id, "left")).status == "rejected"
    assert bench.service.history(session_id).count == 0
    with pytest.raises(EmptyMessage):
        bench.service.meanwhile.steer(session_id, " ")


async def test_prompts_that_wait_keep_waiting_behind_the_redirected_turn(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    hold = Wait()
    bench.agent.expect(Say("a"), hold)
    await bench.service.submit(session_id, "one")
    await hold.reached.wait()
    await bench.service.submit(session_id, "later")
    await bench.service.meanwhile.redirect(session_id, "now")
    await bench.quiet(session_id)
    texts = [row.text for row in bench.service.history(session_id).messages]
    assert texts == ["one", "a", "now", "ok", "later", "ok"]


async def test_words_that_come_before_the_first_request_do_not_get_in_front_of_its_answer(
    bench: ServiceBench,
) -> None:
    """The row of the answer stands already: words sent before it would come behind it in the next request."""
    session_id, _ = bench.new_session()
    bench.agent.expect(Say("answer"))
    await bench.service.submit(session_id, "one")
    assert bench.service.meanwhile.steer(session_id, "rather left").status == "queued"
    await bench.quiet(session_id)
    first, second = (request.messages for request in bench.agent.requests)
    assert [json.loads(message)["content"] for message in second[1:]] == ["one", "answer", "rather left"]
    assert second[: len(first)] == first
