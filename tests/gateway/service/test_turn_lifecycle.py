"""What clients hear of a turn, and what of it is stored, when it ends well and when it does not."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tui_tapback.domain.errors import Busy, ModelFailed, ModelUnreachable, RowNotFound
from tui_tapback.gateway.service.ports import Turn
from tui_tapback.testing.agents import Call, Fail, Say, Think, Wait
from tui_tapback.testing.service import ServiceBench


def context(bench: ServiceBench, session_id: str) -> list[dict[str, Any]]:
    return [json.loads(message) for message in bench.store.messages.context(session_id)]


async def test_a_turn_is_told_in_the_order_of_a_hermes_gateway(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Think("hm"), Say("Hel", "lo"))
    user_row = await bench.say(session_id, "hi there")
    assert sink.types() == [
        "tapback.row",
        "session.title",
        "sessions.changed",
        "session.info",
        "message.start",
        "reasoning.delta",
        "message.delta",
        "message.delta",
        "tapback.row",
        "message.complete",
        "session.info",
        "sessions.changed",
    ]
    numbers = [event["seq"] for event in sink.events if event["session_id"]]
    assert numbers == list(range(1, len(numbers) + 1))
    start, done = sink.of("message.start")[0], sink.of("message.complete")[0]
    answer = sink.of("tapback.row")[1]["row"]
    assert (answer["text"], answer["reasoning"], answer["row_id"]) == ("Hello", "hm", start["row_id"])
    assert done.pop("usage")["model"] == "scripted"
    assert done == {
        "text": "Hello",
        "status": "complete",
        "persisted_turn": {
            "row_ids": [user_row, start["row_id"]],
            "complete": True,
            "user_row_id": user_row,
            "final_assistant_row_id": start["row_id"],
        },
    }
    assert [info["running"] for info in sink.of("session.info")] == [True, False]
    assert sink.of("session.info")[0]["tools"] == {"tapback": ["send_message"]}
    assert sink.of("session.title") == [{"session_id": session_id, "title": "hi there"}]


async def test_a_tool_round_names_the_row_of_each_bubble_before_its_text(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Say("Looking."), Call("look", '{"at":1}', "seen", "at 1"), Say("Done."))
    user_row = await bench.say(session_id, "look")
    turn = sink.types()[4:-2]
    assert turn == [
        "message.start",
        "message.delta",
        "tapback.row",
        "tool.start",
        "tool.complete",
        "message.start",
        "message.delta",
        "tapback.row",
        "message.complete",
    ]
    starts = [start["row_id"] for start in sink.of("message.start")]
    assert [row["row"]["row_id"] for row in sink.of("tapback.row")] == [user_row, *starts]
    call_id = f"call-{user_row}-1"
    assert sink.of("tool.start") == [{"tool_id": call_id, "name": "look", "context": "at 1"}]
    assert sink.of("tool.complete") == [
        {"tool_id": call_id, "name": "look", "context": "at 1", "result": "seen"}
    ]
    assert [row.role for row in bench.service.history(session_id).messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert context(bench, session_id)[1:3] == [
        {
            "role": "assistant",
            "content": "Looking.",
            "tool_calls": [
                {"id": call_id, "type": "function", "function": {"name": "look", "arguments": '{"at":1}'}}
            ],
        },
        {"role": "tool", "tool_call_id": call_id, "content": "seen"},
    ]


async def test_a_turn_may_end_with_a_reaction_alone(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()

    async def react(turn: Turn) -> str:
        await bench.service.react_as_agent(turn.session_id, "👍")
        return "done"

    bench.agent.expect(Call("send_message", "{}", react))
    await bench.say(session_id, "nod if you agree")
    assert [row.role for row in bench.service.history(session_id).messages] == ["user", "tool"]
    done = sink.of("message.complete")[0]
    assert (done["text"], done["status"]) == (None, "complete")
    assert "final_assistant_row_id" not in done["persisted_turn"]
    await bench.say(session_id, "next")
    assert [message["role"] for message in context(bench, session_id)] == [
        "user",
        "assistant",
        "tool",
        "user",
        "assistant",
    ]


async def test_an_answer_without_a_word_leaves_no_row(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Say(" ", "\n"))
    bench.agent.expect()
    await bench.say(session_id, "one")
    await bench.say(session_id, "two")
    starts = [start["row_id"] for start in sink.of("message.start")]
    assert sink.of("tapback.rows_removed") == [{"row_ids": [starts[1]]}]
    failed, complete = sink.of("message.complete")
    assert failed["error"].startswith("The model gave an empty answer.")
    assert complete["status"] == "complete"
    for start in starts[1:]:
        with pytest.raises(RowNotFound):
            bench.service.set_reaction(session_id, start, "👍")


async def test_interrupting_keeps_the_partial_answer_and_gives_it_to_the_model(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    hold = Wait()
    bench.agent.expect(Say("Once upon", " a time"), hold)
    user_row = await bench.service.submit(session_id, "tell me")
    await hold.reached.wait()
    assert (await bench.service.interrupt(session_id)).status == "interrupted"
    live = sink.of("message.start")[0]["row_id"]
    done = sink.of("message.complete")[0]
    assert (done["text"], done["status"]) == ("Once upon a time", "interrupted")
    assert done["persisted_turn"]["row_ids"] == [user_row.user_row_id, live]
    assert done["persisted_turn"]["complete"] is False
    shown = bench.service.history(session_id).messages[-1]
    assert (shown.text, shown.display_metadata) == ("Once upon a time", {"interrupted": True})
    await bench.say(session_id, "go on")
    assert [message["content"] for message in context(bench, session_id)] == [
        "tell me",
        "Once upon a time",
        "go on",
        "ok",
    ]


async def test_interrupting_when_idle_is_fine(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    assert (await bench.service.interrupt(session_id)).status == "interrupted"
    assert sink.events == []


async def test_interrupting_before_the_first_word_leaves_the_message_and_nothing_else(
    bench: ServiceBench,
) -> None:
    session_id, sink = bench.new_session()
    await bench.service.submit(session_id, "hello")
    await bench.service.interrupt(session_id)  # the agent has not even begun
    assert [row.text for row in bench.service.history(session_id).messages] == ["hello"]
    assert sink.of("message.complete")[0]["status"] == "interrupted"
    assert sink.of("session.info")[-1]["running"] is False
    assert len(bench.store.messages.all(session_id)) == 1


async def test_a_call_that_was_interrupted_gets_a_result_that_says_so(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    reached = asyncio.Event()

    async def endless(turn: Turn) -> str:
        reached.set()
        await asyncio.Event().wait()
        return "never"

    bench.agent.expect(Call("look", "{}", endless))
    await bench.service.submit(session_id, "look")
    await reached.wait()
    await bench.service.interrupt(session_id)
    tool = context(bench, session_id)[-1]
    assert tool["content"] == "This call was interrupted; it is not known whether it took effect."
    assert sink.of("tool.complete")[0]["result"] == tool["content"]
    await bench.say(session_id, "and now?")
    assert [message["role"] for message in context(bench, session_id)][:3] == ["user", "assistant", "tool"]


async def test_a_failed_turn_says_why_and_stays_out_of_the_context(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Fail(ModelUnreachable("Nothing answers at the model's address.", hint="Start it.")))
    user_row = await bench.say(session_id, "hello")
    sentence = "Nothing answers at the model's address. Start it."
    live = sink.of("message.start")[0]["row_id"]
    done = sink.of("message.complete")[0]
    assert (done["status"], done["text"], done["error"]) == ("error", None, sentence)
    assert done["persisted_turn"] == {
        "row_ids": [user_row, live],
        "complete": False,
        "user_row_id": user_row,
    }
    shown = bench.service.history(session_id).messages[-1]
    assert (shown.row_id, shown.display_kind, shown.text) == (live, "failed_turn", sentence)
    assert shown.display_metadata == {"error": sentence}
    assert [message["role"] for message in context(bench, session_id)] == ["user"]


async def test_a_stream_that_breaks_keeps_what_came(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Say("The answer is"), Fail(ModelFailed("The model's server failed.")))
    await bench.say(session_id, "hello")
    shown = bench.service.history(session_id).messages[-1]
    assert (shown.text, shown.display_kind) == ("The answer is", None)
    assert shown.display_metadata == {"interrupted": True, "error": "The model's server failed."}
    assert context(bench, session_id)[-1] == {"role": "assistant", "content": "The answer is"}
    assert sink.of("message.complete")[0]["text"] == "The answer is"


async def test_a_fault_of_the_agent_ends_the_turn_and_not_the_session(
    bench: ServiceBench, caplog: pytest.LogCaptureFixture
) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Fail(KeyError("secret")))
    await bench.say(session_id, "hello")
    error = sink.of("message.complete")[0]["error"]
    assert error == "The agent failed unexpectedly (KeyError). The log says more."
    assert "secret" in caplog.text
    await bench.say(session_id, "still there?")
    assert bench.service.history(session_id).messages[-1].text == "ok"


async def test_a_character_that_the_stream_cut_in_two_arrives_whole(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Say("a\ud83d", "\ude00b", "\ud83d"))
    await bench.say(session_id, "hello")
    assert [delta["text"] for delta in sink.of("message.delta")] == ["a", "😀b"]
    assert context(bench, session_id)[-1]["content"] == "a😀b\ufffd"


async def test_control_sequences_of_the_model_are_sent_back_as_they_were_and_shown_harmless(
    bench: ServiceBench,
) -> None:
    session_id, _ = bench.new_session()
    bench.agent.expect(Say("x\x1b]0;title\x07y[/red]"))
    await bench.say(session_id, "hello")
    assert bench.service.history(session_id).messages[-1].text == "x␛]0;title␇y[/red]"
    assert context(bench, session_id)[-1]["content"] == "x\x1b]0;title\x07y[/red]"


async def test_an_answer_without_end_is_stopped(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Say(*["x" * 100_000] * 11))
    await bench.say(session_id, "hello")
    assert "grew beyond 1,000,000 characters" in sink.of("message.complete")[0]["error"]


async def test_a_late_client_finds_the_answer_that_is_being_written(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    hold = Wait()
    bench.agent.expect(Say("so ", "far"), hold, Say(" so good"))
    await bench.service.submit(session_id, "hello")
    await hold.reached.wait()
    live = sink.of("message.start")[0]["row_id"]
    bench.service.set_reaction(session_id, live, "👍")
    snapshot = bench.service.resume(session_id)
    assert snapshot.running
    assert (snapshot.status, snapshot.seq) == ("working", sink.events[-1]["seq"])
    assert [row.text for row in snapshot.messages] == ["hello"]
    assert snapshot.inflight is not None
    assert (snapshot.inflight.assistant, snapshot.inflight.row_id) == ("so far", live)
    assert [reaction.emoji for reaction in snapshot.inflight.reactions] == ["👍"]
    with pytest.raises(Busy):
        bench.service.delete_session(session_id)
    hold.event.set()
    await bench.quiet(session_id)
    row = bench.service.resume(session_id).messages[-1]
    assert row.text == "so far so good"
    assert row.display_metadata is not None
    assert row.display_metadata["reactions"][0]["emoji"] == "👍"


async def test_the_partial_answer_is_saved_now_and_then(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.clock.step = 1.0
    hold = Wait()
    bench.agent.expect(Say(*"abcdefgh"), hold)
    await bench.service.submit(session_id, "hello")
    await hold.reached.wait()
    row = bench.store.messages.get(session_id, sink.of("message.start")[0]["row_id"])
    assert row is not None
    assert row.text in ("abcdefg", "abcdefgh")
