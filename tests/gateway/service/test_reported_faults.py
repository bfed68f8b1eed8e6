"""Faults that others reported of tapbacks and models, as this gateway answers them."""

from __future__ import annotations

import json

import pytest

from tui_tapback.domain.reactions import Author
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.testing.agents import Say, Wait
from tui_tapback.testing.service import ServiceBench

FAMILY = "👩\u200d👩\u200d👧\u200d👦"


async def chat(bench: ServiceBench, answer: str = "ok") -> tuple[str, int]:
    session_id, _ = bench.new_session()
    bench.agent.expect(Say(answer))
    return session_id, await bench.say(session_id, "one") + 1


def stored(bench: ServiceBench, session_id: str, row: int) -> list[tuple[str, str]]:
    found = bench.store.messages.get(session_id, row)
    assert found is not None
    return [(r["emoji"], r["author"]) for r in found.metadata.get("reactions", ())]


@pytest.mark.parametrize("emoji", ["😿", "💯", "🛜", "0️⃣", "🏴\u200d☠️"])
async def test_the_same_reaction_is_the_same_sequence_whatever_its_name(
    bench: ServiceBench, emoji: str
) -> None:
    # case B019
    session_id, row = await chat(bench)
    await bench.service.react_as_agent(session_id, emoji)
    ((seen, _),) = stored(bench, session_id, row - 1)
    bench.service.set_reaction(session_id, row - 1, seen)
    assert stored(bench, session_id, row - 1) == [(emoji, "agent"), (emoji, "user")]


def test_the_quick_reactions_are_the_sequences_that_others_send() -> None:
    # case B027
    assert [[f"{ord(char):X}" for char in emoji] for emoji in QUICK_REACTIONS] == [
        ["2764", "FE0F"],
        ["1F44D"],
        ["1F44E"],
        ["1F602"],
        ["203C", "FE0F"],
        ["2753"],
    ]


@pytest.mark.parametrize("tone", ["👍🏻", "👍🏼", "👍🏽", "👍🏾", "👍🏿"])
async def test_the_model_reads_the_very_tone(bench: ServiceBench, tone: str) -> None:
    # case B029
    session_id, row = await chat(bench)
    bench.service.set_reaction(session_id, row, tone)
    assert bench.service.pending_notes(session_id) == [f'[The user reacted {tone} to your message: "ok"]']
    bench.service.set_reaction(session_id, row, "👍")
    assert bench.service.pending_notes(session_id) == ['[The user reacted 👍 to your message: "ok"]']


async def test_a_quote_never_ends_inside_a_joined_emoji(bench: ServiceBench) -> None:
    # case B038
    session_id, row = await chat(bench, "x" * 119 + FAMILY + " end")
    bench.service.set_reaction(session_id, row, "👍")
    await bench.say(session_id, "ok")
    sent = bench.agent.requests[-1].messages[-1]
    assert f'"{"x" * 119}{FAMILY}…"' in json.loads(sent)["content"]
    sent.encode()  # no half of a pair


async def test_two_changes_within_the_same_second_count_in_the_order_in_which_they_came(
    bench: ServiceBench,
) -> None:
    # case B015
    session_id, row = await chat(bench)
    bench.clock.step = 0
    sink = bench.attach(session_id)
    for emoji in ("👍", None, "👍", "❤️", None, "❤️"):
        bench.service.set_reaction(session_id, row, emoji)
    assert stored(bench, session_id, row) == [("❤️", "user")]
    assert [len(told["reactions"]) for told in sink.of("message.reaction")] == [1, 0, 1, 1, 0, 1]


async def test_a_reaction_on_the_row_of_a_waiting_prompt_stays_and_is_news_later(bench: ServiceBench) -> None:
    """Fault F4 of a Hermes gateway: the row is replaced when the prompt is sent, and the reaction is gone."""
    session_id, row = await chat(bench)
    hold = Wait()
    bench.agent.expect(Say("half"), hold)
    await bench.service.submit(session_id, "two")
    await hold.reached.wait()
    waiting = (await bench.service.submit(session_id, "three")).user_row_id
    assert waiting is not None
    bench.service.set_reaction(session_id, waiting, "❓", Author.USER)
    bench.service.set_reaction(session_id, row, "👍")
    hold.event.set()
    await bench.quiet(session_id)
    # What was there when it was sent goes with it, but not what is said of itself.
    assert bench.last_user_content() == '[The user reacted 👍 to your message: "ok"]\n\nthree'
    assert stored(bench, session_id, waiting) == [("❓", "user")]
    await bench.say(session_id, "four")
    assert bench.last_user_content() == '[The user reacted ❓ to their own message: "three"]\n\nfour'


@pytest.mark.parametrize("reacting", ["off", "user", "both"])
async def test_the_setting_never_changes_the_tools_of_a_session(bench: ServiceBench, reacting: str) -> None:
    """Fault F7 of a Hermes gateway: there the gate decides which tools an agent is built with."""
    session_id, _ = await chat(bench)
    bench.service.config_set("reactions", reacting)
    await bench.say(session_id, "two")
    first, second = bench.agent.requests
    assert second.tools == first.tools
    assert second.messages[: len(first.messages)] == first.messages
    info = bench.service.resume(session_id).info
    assert info["tools"] == {"tapback": ["send_message"]}
