"""What clients hear of a turn, and what of it is stored, when it ends well and when it does not."""

from __future__ import annotations

from tui_tapback.testing.agents import Say, Think
from tui_tapback.testing.service import ServiceBench


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
    assert answer["text"] == "Hello"
    assert answer["reasoning"] == "hm"
    assert answer["row_id"] == start["row_id"]
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
    assert sink.of("session.title") == [{"session_id": session_id, "title": "hi there"}]
