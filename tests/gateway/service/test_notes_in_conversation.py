"""When the model hears of a reaction: with the next message, once, and the net effect only."""

from __future__ import annotations

import json

from tui_tapback.domain.errors import ModelUnreachable
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.agents import Call, Fail, Say, Wait
from tui_tapback.testing.service import ServiceBench

OK = '[The user reacted 👍 to your message: "ok"]'


def answer_row(bench: ServiceBench, session_id: str, back: int = 0) -> int:
    row = bench.store.messages.newest(session_id, "assistant", back)
    assert row is not None
    return row.row_id


async def test_a_reaction_rides_at_the_head_of_the_next_message_and_never_again(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    bench.service.set_reaction(session_id, answer_row(bench, session_id), "👍")
    assert len(bench.agent.requests) == 1  # B045: a reaction alone starts no turn
    assert bench.service.pending_notes(session_id) == [OK]
    await bench.say(session_id, "two")
    assert bench.last_user_content() == f"{OK}\n\ntwo"
    assert bench.service.pending_notes(session_id) == []
    await bench.say(session_id, "three")
    assert bench.last_user_content() == "three"


async def test_people_read_what_they_wrote_without_the_note(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    await bench.say(session_id, "one")
    bench.service.set_reaction(session_id, answer_row(bench, session_id), "👍")
    await bench.say(session_id, "two")
    shown = bench.service.history(session_id).messages[2]
    assert (shown.text, shown.display_metadata) == ("two", None)
    assert "reacted" not in json.dumps(sink.of("tapback.row"))


async def test_the_note_survives_a_restart_byte_for_byte(bench: ServiceBench) -> None:
    """B034: the stored text is sent, it is not built anew."""
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    bench.service.set_reaction(session_id, answer_row(bench, session_id), "👍")
    await bench.say(session_id, "two")
    before = bench.agent.requests[-1].messages
    await bench.restart()
    await bench.say(session_id, "three")
    assert bench.agent.requests[-1].messages[: len(before)] == before


async def test_only_the_newest_message_differs_after_reactions_far_back(bench: ServiceBench) -> None:
    """B035."""
    session_id, _ = bench.new_session()
    for n in range(5):
        await bench.say(session_id, f"prompt {n}")
    before = bench.agent.requests[-1].messages
    rows = [row.row_id for row in bench.store.messages.all(session_id)]
    bench.service.set_reaction(session_id, rows[1], "👍")
    bench.service.set_reaction(session_id, rows[-1], "❓")
    await bench.say(session_id, "next")
    after = bench.agent.requests[-1].messages
    assert after[: len(before)] == before
    assert len(after) == len(before) + 2


async def test_a_burst_is_told_as_its_net_effect(bench: ServiceBench) -> None:
    """B003."""
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    bench.agent.expect(Say("second"))
    await bench.say(session_id, "two")
    first, second = answer_row(bench, session_id, 1), answer_row(bench, session_id)
    for emoji in ("👍", "👎", "❤️"):
        bench.service.set_reaction(session_id, first, emoji)
    bench.service.set_reaction(session_id, second, "👍")
    bench.service.toggle_reaction(session_id, "👍", row_id=second)
    assert bench.service.pending_notes(session_id) == ['[The user reacted ❤️ to your message: "ok"]']


async def test_a_change_and_a_take_back_after_telling(bench: ServiceBench) -> None:
    """Fault F5 of a Hermes gateway: it says nothing of either."""
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    row = answer_row(bench, session_id)
    bench.service.set_reaction(session_id, row, "👍")
    await bench.say(session_id, "two")
    bench.service.set_reaction(session_id, row, "❤️")
    await bench.say(session_id, "three")
    assert bench.last_user_content() == (
        '[The user changed their reaction from 👍 to ❤️ on your message: "ok"]\n\nthree'
    )
    bench.service.set_reaction(session_id, row, None)
    await bench.say(session_id, "four")
    assert bench.last_user_content() == '[The user took back their ❤️ from your message: "ok"]\n\nfour'
    bench.service.set_reaction(session_id, row, "❤️")
    assert bench.service.pending_notes(session_id) == ['[The user reacted ❤️ to your message: "ok"]']


async def test_there_and_back_between_two_turns_is_no_news(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    row = answer_row(bench, session_id)
    bench.service.set_reaction(session_id, row, "👍")
    await bench.say(session_id, "two")
    bench.service.set_reaction(session_id, row, None)
    bench.service.set_reaction(session_id, row, "👎")
    bench.service.set_reaction(session_id, row, "👍")
    assert bench.service.pending_notes(session_id) == []


async def test_a_reaction_in_mid_turn_is_told_with_the_next_message(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    hold = Wait()
    bench.agent.expect(Say("half "), hold, Say("whole"), Call("look"), Say("done"))
    await bench.service.submit(session_id, "one")
    await hold.reached.wait()
    live = sink.of("message.start")[0]["row_id"]
    bench.service.set_reaction(session_id, live, "👍")
    hold.event.set()
    await bench.quiet(session_id)
    assert all("reacted" not in "".join(request.messages) for request in bench.agent.requests)
    await bench.say(session_id, "two")
    assert bench.last_user_content() == '[The user reacted 👍 to your message: "half whole"]\n\ntwo'


async def test_the_agents_own_reactions_are_never_told_back(bench: ServiceBench) -> None:
    """B032."""
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    await bench.service.react_as_agent(session_id, "😂")
    await bench.service.react_as_agent(session_id, None)
    await bench.service.react_as_agent(session_id, "🔥")
    await bench.say(session_id, "two")
    assert bench.last_user_content() == "two"


async def test_a_failed_turn_keeps_its_note_in_the_context(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    bench.service.set_reaction(session_id, answer_row(bench, session_id), "👍")
    bench.agent.expect(Fail(ModelUnreachable("Nothing answers.")))
    await bench.say(session_id, "two")
    await bench.say(session_id, "three")
    contents = [json.loads(message)["content"] for message in bench.agent.requests[-1].messages]
    assert contents == ["You are a test.", "one", "ok", f"{OK}\n\ntwo", "three"]


async def test_a_reaction_to_the_notice_of_a_failed_turn_says_nothing_to_the_model(
    bench: ServiceBench,
) -> None:
    session_id, _ = bench.new_session()
    bench.agent.expect(Fail(ModelUnreachable("Nothing answers.")))
    await bench.say(session_id, "one")
    bench.service.set_reaction(session_id, answer_row(bench, session_id), "👎")
    assert bench.service.pending_notes(session_id) == []


async def test_switched_off_nothing_is_told_and_the_backlog_is_told_later(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    bench.service.set_reaction(session_id, answer_row(bench, session_id), "👍")
    bench.service.config_set("display.message_reactions", False)
    await bench.say(session_id, "two")
    assert bench.last_user_content() == "two"
    bench.service.config_set("display.message_reactions", True)
    await bench.say(session_id, "three")
    assert bench.last_user_content() == f"{OK}\n\nthree"


async def test_nothing_of_display_or_time_reaches_the_provider(bench: ServiceBench) -> None:
    """B036."""
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    bench.service.set_reaction(session_id, answer_row(bench, session_id), "👍")
    bench.agent.expect(Say("look"), Call("look", '{"a": 1}', "seen"), Say("done"))
    await bench.say(session_id, "two")
    keys = {key for message in bench.agent.requests[-1].messages for key in json.loads(message)}
    assert keys == {"role", "content", "tool_calls", "tool_call_id"}
    assert {request.tools for request in bench.agent.requests} == {bench.agent.tools()}
    assert len({request.messages[0] for request in bench.agent.requests}) == 1
    assert "18000000" not in "".join(bench.agent.requests[-1].messages)


async def test_a_bubble_the_agent_sent_by_tool_is_quoted_as_its_message(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    row = await bench.service.say(session_id, "an aside")
    bench.service.set_reaction(session_id, row, "❤️", Author.USER)
    assert bench.service.pending_notes(session_id) == ['[The user reacted ❤️ to your message: "an aside"]']
    await bench.say(session_id, "two")
    assert sum("an aside" in message for message in bench.agent.requests[-1].messages) == 1


async def test_each_bubble_of_a_turn_with_tools_is_its_own_target(bench: ServiceBench) -> None:
    """B050."""
    session_id, sink = bench.new_session()
    bench.agent.expect(Say("Let me look."), Call("look"), Say("It is open."))
    await bench.say(session_id, "one")
    rows = [entry["row"] for entry in sink.of("tapback.row") if entry["row"]["role"] == "assistant"]
    for row in rows:
        bench.service.set_reaction(session_id, row["row_id"], "👍")
    assert bench.service.pending_notes(session_id) == [
        '[The user reacted 👍 to your message: "Let me look."]',
        '[The user reacted 👍 to your message: "It is open."]',
    ]


async def test_a_row_that_only_calls_a_tool_is_named_without_a_quotation(bench: ServiceBench) -> None:
    """B025."""
    session_id, sink = bench.new_session()
    bench.agent.expect(Call("look"), Say("done"))
    await bench.say(session_id, "one")
    calling = sink.of("message.complete")[0]["persisted_turn"]["row_ids"][1]
    bench.service.set_reaction(session_id, calling, "❓")
    assert bench.service.pending_notes(session_id) == ["[The user reacted ❓ to your earlier message]"]
