"""The old part of a long conversation is summed up for the model; people and their tapbacks keep it."""

from __future__ import annotations

import asyncio
import json

import pytest

from tui_tapback.domain.errors import InvalidInput, ModelUnreachable
from tui_tapback.gateway.service.compaction import FOCUS, INSTRUCTION
from tui_tapback.gateway.service.rewind import Truncation
from tui_tapback.testing.agents import Count, Say, Wait
from tui_tapback.testing.service import ServiceBench

LONG = "word " * 60
HEAD = "[Summary of the older part of this conversation, which it stands for]"


def contents(bench: ServiceBench) -> list[str]:
    return [json.loads(message)["content"] for message in bench.agent.requests[-1].messages[1:]]


async def long_chat(bench: ServiceBench, turns: int = 6) -> tuple[str, list[int]]:
    session_id, _ = bench.new_session()
    rows: list[int] = []
    for n in range(turns):
        bench.agent.expect(Say(f"answer {n} {LONG}"))
        rows.append(await bench.say(session_id, f"prompt {n} {LONG}"))
    return session_id, rows


async def test_the_model_reads_a_summary_and_people_read_everything(bench: ServiceBench) -> None:
    session_id, _ = await long_chat(bench)
    shown = bench.service.history(session_id)
    sink = bench.attach(session_id)
    done = await bench.service.changes.compress(session_id)
    assert (done.status, done.summary.noop) == ("compressed", False)
    assert (done.before_messages, done.removed, done.after_messages) == (12, 10, 3)
    assert done.after_tokens < done.before_tokens
    assert done.usage.compressions == 1
    assert bench.service.history(session_id) == shown
    assert done.messages == shown.messages
    assert sink.of("history.changed") == [{"reason": "compress"}]
    assert [told["kind"] for told in sink.of("status.update")] == ["compacting", "ready"]
    await bench.say(session_id, "next")
    assert contents(bench) == [f"{HEAD}\n\nsum 1", f"prompt 5 {LONG}", f"answer 5 {LONG}", "next"]


async def test_the_request_for_the_summary_begins_with_the_one_before(bench: ServiceBench) -> None:
    session_id, _ = await long_chat(bench)
    await bench.service.changes.compress(session_id, "the\x1b[31m keys\n")
    asked, before = bench.agent.summary_requests[0], bench.agent.requests[-1]
    assert asked.messages[: len(before.messages)] == before.messages
    assert asked.tools == before.tools
    instruction = json.loads(asked.messages[-1])["content"]
    assert instruction == f"{INSTRUCTION}\n{FOCUS.format(topic='the keys')}"
    assert len(asked.messages) == len(before.messages) + 2


async def test_from_then_on_each_request_begins_with_the_one_before_also_after_a_restart(
    bench: ServiceBench,
) -> None:
    session_id, _ = await long_chat(bench)
    await bench.service.changes.compress(session_id)
    await bench.say(session_id, "a")
    first = bench.agent.requests[-1].messages
    await bench.restart()
    await bench.say(session_id, "b")
    assert bench.agent.requests[-1].messages[: len(first)] == first


async def test_reactions_of_the_old_part_keep_their_ids_and_are_told(bench: ServiceBench) -> None:
    """Faults F3 of a Hermes gateway: kept rows get new ids there, and lose their reactions."""
    session_id, rows = await long_chat(bench)
    bench.service.set_reaction(session_id, rows[0] + 1, "👍")
    await bench.service.changes.compress(session_id)
    assert [r.emoji for r in bench.service.set_reaction(session_id, rows[0] + 1, "👍").reactions] == ["👍"]
    bench.service.set_reaction(session_id, rows[1], "😂")
    bench.service.set_reaction(session_id, rows[5] + 1, "❤️")
    await bench.say(session_id, "next")
    quoted = (f"answer 0 {LONG}"[:120] + "…", f"prompt 1 {LONG}"[:120] + "…", f"answer 5 {LONG}"[:120] + "…")
    assert contents(bench)[-1] == (
        f'[The user reacted 👍 to your message: "{quoted[0]}"]\n'
        f'[The user reacted 😂 to their own message: "{quoted[1]}"]\n'
        f'[The user reacted ❤️ to your message: "{quoted[2]}"]\n\nnext'
    )


async def test_the_summary_keeps_what_was_told_and_it_is_not_told_again(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "hello") + 1
    bench.service.set_reaction(session_id, row, "👍")
    bench.service.set_reaction(session_id, row, "😂", part="p1")
    for n in range(5):
        await bench.say(session_id, f"prompt {n} {LONG}")
    await bench.service.changes.compress(session_id)
    assert bench.service.pending_notes(session_id) == []
    await bench.say(session_id, "next")
    assert contents(bench)[0] == (
        f"{HEAD}\n\nsum 1\n\n[You were told of these reactions in that part]\n"
        '[The user reacted 👍 to your message: "ok"]\n'
        '[The user reacted 😂 to a part of your message: "ok"]'
    )
    assert contents(bench)[-1] == "next"
    # What changes later is told as the change that it is.
    bench.service.set_reaction(session_id, row, None)
    await bench.say(session_id, "more")
    assert contents(bench)[-1] == '[The user took back their 👍 from your message: "ok"]\n\nmore'


async def test_the_agent_finds_the_users_messages_and_never_a_summary(bench: ServiceBench) -> None:
    # case B037
    session_id, rows = await long_chat(bench)
    await bench.service.changes.compress(session_id)
    newest = await bench.say(session_id, "thanks")
    assert (await bench.service.react_as_agent(session_id, "👍")).row_id == newest
    assert (await bench.service.react_as_agent(session_id, "👍", messages_back=1)).row_id == rows[5]
    assert (await bench.service.react_as_agent(session_id, "👍", messages_back=4)).row_id == rows[2]


async def test_a_second_summary_takes_the_place_of_the_first(bench: ServiceBench) -> None:
    session_id, _ = await long_chat(bench)
    await bench.service.changes.compress(session_id)
    for n in range(6, 9):
        await bench.say(session_id, f"prompt {n} {LONG}")
    done = await bench.service.changes.compress(session_id)
    assert not done.summary.noop
    await bench.say(session_id, "next")
    assert contents(bench) == [f"{HEAD}\n\nsum 2", f"prompt 8 {LONG}", "ok", "next"]
    assert bench.service.changes.usage(session_id).compressions == 2


async def test_undo_behind_the_summary_keeps_it_and_before_it_brings_the_rows_back(
    bench: ServiceBench,
) -> None:
    session_id, rows = await long_chat(bench)
    await bench.service.changes.compress(session_id)
    await bench.say(session_id, "next")
    summed_up = bench.agent.requests[-1].messages
    bench.service.changes.undo(session_id)
    await bench.say(session_id, "other")
    assert bench.agent.requests[-1].messages[:-1] == summed_up[:-1]
    await bench.service.submit(session_id, "edited", truncation=Truncation(rows[3]))
    await bench.quiet(session_id)
    assert [text.split()[:2] for text in contents(bench)] == [
        ["prompt", "0"],
        ["answer", "0"],
        ["prompt", "1"],
        ["answer", "1"],
        ["prompt", "2"],
        ["answer", "2"],
        ["edited"],
    ]


async def test_a_branch_has_the_summary_where_it_reaches_behind_it(bench: ServiceBench) -> None:
    session_id, _ = await long_chat(bench)
    await bench.service.changes.compress(session_id)
    whole = bench.service.changes.branch(session_id).session_id
    await bench.say(whole, "next")
    assert contents(bench)[0] == f"{HEAD}\n\nsum 1"
    early = bench.service.changes.branch(session_id, count=2).session_id
    await bench.say(early, "next")
    assert contents(bench) == [f"prompt 0 {LONG}", f"answer 0 {LONG}", "next"]


async def test_prompts_wait_while_the_summary_is_made(bench: ServiceBench) -> None:
    session_id, rows = await long_chat(bench)
    hold = Wait()
    bench.agent.summaries.append(hold)
    sink = bench.attach(session_id)

    work = asyncio.create_task(bench.service.changes.compress(session_id))
    await hold.reached.wait()
    assert bench.service.busy
    assert (await bench.service.submit(session_id, "meanwhile")).status == "queued"
    bench.service.set_reaction(session_id, rows[5] + 1, "👍")
    hold.event.set()
    assert (await work).status == "compressed"
    await sink.until(lambda: "message.complete" in sink.types())
    assert contents(bench)[0] == f"{HEAD}\n\nsum"
    assert contents(bench)[-1].endswith("meanwhile")
    assert contents(bench)[-1].startswith("[The user reacted 👍")


async def test_an_interrupt_leaves_the_summary(bench: ServiceBench) -> None:
    session_id, _ = await long_chat(bench)
    hold = Wait()
    bench.agent.summaries.append(hold)

    work = asyncio.create_task(bench.service.changes.compress(session_id))
    await hold.reached.wait()
    await bench.service.interrupt(session_id)
    done = await work
    assert (done.status, done.summary.aborted, done.summary.noop) == ("aborted", True, True)
    await bench.say(session_id, "next")
    assert len(contents(bench)) == 13


@pytest.mark.parametrize("answer", ["", "  \n", ModelUnreachable("Nothing answers."), "x" * 90_000])
async def test_a_summary_that_comes_to_nothing_changes_nothing(
    bench: ServiceBench, answer: str | Exception
) -> None:
    session_id, _ = await long_chat(bench)
    bench.agent.summaries.append(answer)
    sink = bench.attach(session_id)
    done = await bench.service.changes.compress(session_id)
    assert done.summary.noop
    assert done.summary.aborted is not done.summary.refused_would_grow
    assert len(sink.of("notice")) == 1
    assert sink.of("history.changed") == []
    await bench.say(session_id, "next")
    assert len(contents(bench)) == 13


async def test_a_short_chat_has_nothing_to_sum_up(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    for _ in range(2):
        assert (await bench.service.changes.compress(session_id)).summary.noop
        await bench.say(session_id, "one")
        bench.service.changes.undo(session_id)
        await bench.say(session_id, "one")
        bench.service.changes.undo(session_id)
    assert bench.agent.summary_requests == []


async def test_a_context_beyond_its_limit_is_summed_up_of_itself(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.service.config_set("context_tokens", 1_000)
    for n in range(3):
        bench.agent.expect(Say(f"answer {n} {LONG}"), Count(250 * (n + 1), 70))
        await bench.say(session_id, f"prompt {n} {LONG}")
    assert bench.agent.summary_requests == []
    bench.agent.expect(Say(f"answer 3 {LONG}"), Count(1_200, 70))
    await bench.service.submit(session_id, f"prompt 3 {LONG}")
    await sink.until(lambda: "history.changed" in sink.types())
    await bench.quiet(session_id)
    assert len(bench.agent.summary_requests) == 1
    await bench.say(session_id, "next")
    assert contents(bench) == [f"{HEAD}\n\nsum 1", f"prompt 3 {LONG}", f"answer 3 {LONG}", "next"]
    assert len(bench.agent.summary_requests) == 1


async def test_a_summary_that_failed_is_not_tried_after_every_turn(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.service.config_set("context_tokens", 1_000)
    bench.agent.summaries.append(ModelUnreachable("Nothing answers."))
    bench.agent.expect(Say(LONG), Count(600))
    await bench.say(session_id, LONG)
    bench.agent.expect(Say(LONG), Count(1_100))
    await bench.service.submit(session_id, LONG)
    await sink.until(lambda: "notice" in sink.types())
    await bench.quiet(session_id)
    for _ in range(3):
        bench.agent.expect(Say("ok"), Count(1_101))
        await bench.say(session_id, "x")
    assert len(bench.agent.summary_requests) == 1


async def test_without_a_limit_nothing_is_summed_up_of_itself(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    bench.service.config_set("context_tokens", 0)
    for _ in range(3):
        bench.agent.expect(Say(LONG), Count(10_000_000))
        await bench.say(session_id, LONG)
    assert bench.agent.summary_requests == []


@pytest.mark.parametrize("value", [True, 1, 999, -1, 2.0, "1000", None, 10**9])
async def test_the_limit_is_a_sensible_number(bench: ServiceBench, value: object) -> None:
    with pytest.raises(InvalidInput, match="context_tokens"):
        bench.service.config_set("context_tokens", value)
    assert bench.service.config_get("context_tokens").value == 32_000


async def test_a_gateway_that_ends_meanwhile_leaves_the_summary(bench: ServiceBench) -> None:
    session_id, _ = await long_chat(bench)
    hold = Wait()
    bench.agent.summaries.append(hold)

    work = asyncio.create_task(bench.service.changes.compress(session_id))
    await hold.reached.wait()
    await bench.restart()
    assert (await work).status == "aborted"
    await bench.say(session_id, "next")
    assert len(contents(bench)) == 13
