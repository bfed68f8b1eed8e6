"""Setting, removing, toggling and repeating reactions: what is stored, answered and told to the clients."""

from __future__ import annotations

from typing import Any

import pytest

from tui_tapback.domain.errors import (
    InvalidInput,
    NotAnEmoji,
    OperationReused,
    RowNotFound,
    SessionNotFound,
    StaleReaction,
    WrongAuthor,
)
from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.service.reactions import MAX_PARTS
from tui_tapback.gateway.store.records import NewMessage
from tui_tapback.testing.agents import Call, Say, Wait
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.rows import WirePart

DAY = 24 * 3600.0


def emojis(bench: ServiceBench, session_id: str, row_id: int) -> list[tuple[str, str]]:
    row = bench.store.messages.get(session_id, row_id)
    assert row is not None
    return [(entry["emoji"], entry["author"]) for entry in row.metadata.get("reactions", ())]


async def chat(bench: ServiceBench) -> tuple[str, int, int]:
    """A session with one exchange: its id, the user's row, the answer's row."""
    session_id, _ = bench.new_session()
    user = await bench.say(session_id, "hello")
    answer = bench.store.messages.newest(session_id, "assistant")
    assert answer is not None
    return session_id, user, answer.row_id


async def test_taps_replace_and_retract_and_leave_no_empty_key(bench: ServiceBench) -> None:
    """B001, B022."""
    session_id, user, row = await chat(bench)
    steps: list[tuple[str, list[tuple[str, str]]]] = [
        ("👍", [("👍", "user")]),
        ("👍", []),
        ("❤️", [("❤️", "user")]),
        ("😂", [("😂", "user")]),
    ]
    for emoji, expected in steps:
        bench.service.toggle_reaction(session_id, emoji, row_id=row)
        assert emojis(bench, session_id, row) == expected
    bench.service.set_reaction(session_id, row, "🔥", Author.AGENT)
    assert emojis(bench, session_id, row) == [("😂", "user"), ("🔥", "agent")]
    bench.service.set_reaction(session_id, row, None)
    assert emojis(bench, session_id, row) == [("🔥", "agent")]
    bench.service.set_reaction(session_id, row, None, Author.AGENT)
    stored = bench.store.messages.get(session_id, row)
    assert stored is not None
    assert stored.metadata == {}
    assert user != row


async def test_a_repeated_operation_has_no_second_effect(bench: ServiceBench) -> None:
    """B007, B009: each of add, remove, add is delivered twice, the first again at the end."""
    session_id, _, row = await chat(bench)
    sink = bench.attach(session_id)
    for op_id, emoji in (("1", "👍"), ("1", "👍"), ("2", None), ("2", None), ("3", "👍"), ("3", "👍")):
        bench.service.set_reaction(session_id, row, emoji, op_id=op_id)
    first = bench.service.set_reaction(session_id, row, "👍", op_id="1")
    assert emojis(bench, session_id, row) == [("👍", "user")]
    assert len(sink.of("message.reaction")) == 3
    assert first.changed
    again = bench.service.set_reaction(session_id, row, None, op_id="2")
    assert not again.reactions  # the answer it got then
    assert emojis(bench, session_id, row) == [("👍", "user")]


async def test_an_operation_that_comes_with_other_content_is_refused(bench: ServiceBench) -> None:
    session_id, user, row = await chat(bench)
    sink = bench.attach(session_id)
    part = WirePart("p1", "a piece")
    done = bench.service.set_reaction(session_id, row, "👍", op_id="op")
    on_part = bench.service.set_reaction(session_id, row, "👍", op_id="part", part=part)
    heard = len(sink.events)
    for target, emoji, author, place in (
        (user, "👍", Author.USER, None),
        (row, "❤️", Author.USER, None),
        (row, "👍🏽", Author.USER, None),
        (row, None, Author.USER, None),
        (row, "👍", Author.AGENT, None),
        (row, "👍", Author.USER, part),
    ):
        with pytest.raises(OperationReused, match="nothing was changed") as refused:
            bench.service.set_reaction(session_id, target, emoji, author, op_id="op", part=place)
        assert "op_id of its own" in refused.value.hint
    with pytest.raises(OperationReused):
        bench.service.set_reaction(session_id, row, "👍", op_id="part", part="p2")
    assert len(sink.events) == heard
    # The same wish in another spelling is the true repetition; a restart makes no difference.
    assert bench.service.set_reaction(session_id, row, "👍\ufe0f", op_id="op") == done
    assert bench.service.set_reaction(session_id, row, "👍", op_id="part", part="p1") == on_part
    await bench.restart()
    with pytest.raises(OperationReused):
        bench.service.set_reaction(session_id, row, "❤️", op_id="op")
    assert bench.service.set_reaction(session_id, row, "👍", op_id="op").reactions == done.reactions
    # In another session, and after a day, the id is free.
    other, _, there = await chat(bench)
    assert bench.service.set_reaction(other, there, "❤️", op_id="op").changed
    bench.clock.now += DAY
    assert bench.service.set_reaction(session_id, row, "❤️", op_id="op").changed


async def test_an_operation_that_an_older_version_remembered_counts_whatever_comes(
    bench: ServiceBench,
) -> None:
    session_id, _, row = await chat(bench)
    answer: dict[str, Any] = {"row_id": row, "reactions": [], "changed": True, "seq": 1, "epoch": "old"}
    with bench.store.transaction():
        bench.store.operations.remember("reaction", session_id, "old", answer, bench.clock.now)
    assert bench.service.set_reaction(session_id, row, "👍", op_id="old").row_id == row
    assert emojis(bench, session_id, row) == []


async def test_an_operation_that_changed_nothing_is_remembered_too(bench: ServiceBench) -> None:
    session_id, _, row = await chat(bench)
    bench.service.set_reaction(session_id, row, None, op_id="late")
    bench.service.set_reaction(session_id, row, "👍")
    bench.service.set_reaction(session_id, row, None, op_id="late")
    assert emojis(bench, session_id, row) == [("👍", "user")]


async def test_operations_are_remembered_across_restarts_for_a_day(bench: ServiceBench) -> None:
    session_id, _, row = await chat(bench)
    done = bench.service.set_reaction(session_id, row, "👍", op_id="op")
    assert done.seq is not None
    bench.service.set_reaction(session_id, row, "❤️")
    await bench.restart()
    again = bench.service.set_reaction(session_id, row, "👍", op_id="op")
    assert emojis(bench, session_id, row) == [("❤️", "user")]
    assert again.seq is None  # the number belonged to the former epoch
    bench.clock.now += DAY
    bench.service.set_reaction(session_id, row, "👍", op_id="op")
    assert emojis(bench, session_id, row) == [("👍", "user")]


async def test_the_same_again_is_success_without_an_event(bench: ServiceBench) -> None:
    session_id, _, row = await chat(bench)
    sink = bench.attach(session_id)
    first = bench.service.set_reaction(session_id, row, "👍")
    again = bench.service.set_reaction(session_id, row, "👍\ufe0f")
    assert (first.changed, again.changed) == (True, False)
    assert again.reactions == first.reactions
    assert (first.seq, again.seq) == (sink.events[-1]["seq"], None)
    assert len(sink.of("message.reaction")) == 1


async def test_every_attached_client_hears_it_with_rising_numbers(bench: ServiceBench) -> None:
    """Faults F1 and F2 of a Hermes gateway; B052."""
    session_id, user, row = await chat(bench)
    sinks = [bench.attach(session_id) for _ in range(3)]
    bench.service.set_reaction(session_id, row, "👍")
    bench.service.set_reaction(session_id, row, None)
    await bench.service.react_as_agent(session_id, "😂")
    told = [(event["payload"]["row_id"], event["payload"]["role"]) for event in sinks[0].events]
    assert told == [(row, "assistant"), (row, "assistant"), (user, "user")]
    numbers = [event["seq"] for event in sinks[0].events]
    assert numbers == sorted(set(numbers))
    assert all(sink.events == sinks[0].events for sink in sinks)


async def test_a_client_that_attaches_in_mid_turn_hears_the_agents_reaction(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    hold = Wait()

    async def react(turn: object) -> str:
        await bench.service.react_as_agent(session_id, "😂")
        return "done"

    bench.agent.expect(hold, Call("send_message", "{}", react))
    await bench.service.submit(session_id, "haha")
    await hold.reached.wait()
    late = bench.attach(session_id)
    hold.event.set()
    await bench.quiet(session_id)
    assert [event["reactions"][0]["emoji"] for event in late.of("message.reaction")] == ["😂"]


async def test_the_agent_reacts_to_the_message_of_the_user_not_to_its_own_partial_answer(
    bench: ServiceBench,
) -> None:
    """B008."""
    session_id, _ = bench.new_session()

    async def react(turn: object) -> str:
        outcome = await bench.service.react_as_agent(session_id, "😂")
        return str(outcome.row_id)

    first = await bench.say(session_id, "first")
    bench.agent.expect(Say("well"), Call("send_message", "{}", react), Say("funny"))
    row = await bench.say(session_id, "haha")
    assert emojis(bench, session_id, row) == [("😂", "agent")]
    outcome = await bench.service.react_as_agent(session_id, "👍", messages_back=1)
    assert outcome.row_id == first
    for back in (2, -1, 2**70):
        with pytest.raises(RowNotFound):
            await bench.service.react_as_agent(session_id, "👍", messages_back=back)


async def test_a_new_status_of_the_agent_replaces_the_old(bench: ServiceBench) -> None:
    """B004."""
    session_id, user, _ = await chat(bench)
    await bench.service.react_as_agent(session_id, "👀")
    await bench.service.react_as_agent(session_id, "✅")
    await bench.service.react_as_agent(session_id, "✅")
    assert emojis(bench, session_id, user) == [("✅", "agent")]


@pytest.mark.parametrize("mode", ["off", "user"])
async def test_the_agent_keeps_still_where_the_person_wants_it(bench: ServiceBench, mode: str) -> None:
    session_id, user, _ = await chat(bench)
    bench.service.config_set("reactions", mode)
    with pytest.raises(InvalidInput, match="switched your reactions off"):
        await bench.service.react_as_agent(session_id, "👍")
    assert emojis(bench, session_id, user) == []


async def test_nobody_reacts_in_the_agents_name(bench: ServiceBench) -> None:
    session_id, user, _ = await chat(bench)
    with pytest.raises(WrongAuthor):
        bench.service.toggle_reaction(session_id, "👍", row_id=user, author=Author.AGENT)
    assert emojis(bench, session_id, user) == []


async def test_rows_that_are_not_there_are_refused_and_nothing_is_written(bench: ServiceBench) -> None:
    """B043, B049."""
    session_id, _, row = await chat(bench)
    other, _, foreign = await chat(bench)
    bench.agent.expect(Call("look"), Say("done"))
    await bench.say(session_id, "look")
    tool = next(r.row_id for r in bench.store.messages.all(session_id) if r.role == "tool")
    for row_id in (foreign, tool, 999_999, 0, -1, 2**63, 10**30):
        with pytest.raises(RowNotFound):
            bench.service.set_reaction(session_id, row_id, "👍")
        with pytest.raises(RowNotFound):
            bench.service.toggle_reaction(session_id, "👍", row_id=row_id)
    for unknown in ("20270101_000000_ffffff", "", "' OR 1=1 --", "\ud800", "x" * 10_000):
        with pytest.raises(SessionNotFound):
            bench.service.set_reaction(unknown, row, "👍")
    assert emojis(bench, other, foreign) == []
    assert [len(bench.service.list_sessions().sessions)] == [2]


@pytest.mark.parametrize(
    "emoji", ["", " ", "\u200b", "\u0301", "a" * 200, "abc", "👍👍", "\a", "<b>", "\ud800"]
)
async def test_what_is_no_emoji_is_refused(bench: ServiceBench, emoji: str) -> None:
    """B010, B011."""
    session_id, _, row = await chat(bench)
    bench.service.set_reaction(session_id, row, "❤️")
    with pytest.raises(NotAnEmoji):
        bench.service.set_reaction(session_id, row, emoji)
    with pytest.raises(NotAnEmoji):
        bench.service.toggle_reaction(session_id, emoji, row_id=row)
    assert emojis(bench, session_id, row) == [("❤️", "user")]


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("👍\ufe0f", "👍"),
        ("\u2764", "❤️"),
        ("👍🏽", "👍🏽"),
        ("0\u20e3", "0️⃣"),
        ("🏴\u200d☠", "🏴‍☠️"),
        ("🫩", "🫩"),
    ],
)
async def test_every_spelling_is_stored_fully_qualified(bench: ServiceBench, sent: str, stored: str) -> None:
    """B018, B020, B026, B028; a second tap in either spelling retracts."""
    session_id, _, row = await chat(bench)
    bench.service.toggle_reaction(session_id, sent, row_id=row)
    assert emojis(bench, session_id, row) == [(stored, "user")]
    bench.service.toggle_reaction(session_id, stored, row_id=row)
    assert emojis(bench, session_id, row) == []


async def test_the_newer_choice_of_another_device_stays(bench: ServiceBench) -> None:
    """B024: A saw 👍, B chose ❤️ meanwhile."""
    session_id, _, row = await chat(bench)
    bench.service.set_reaction(session_id, row, "👍", expected=None)
    bench.service.set_reaction(session_id, row, "❤️", expected="👍")
    with pytest.raises(StaleReaction, match="changed to ❤️") as caught:
        bench.service.set_reaction(session_id, row, "😂", expected="👍")
    assert [reaction.emoji for reaction in caught.value.present] == ["❤️"]
    with pytest.raises(StaleReaction):
        bench.service.set_reaction(session_id, row, None, expected="👍")
    assert emojis(bench, session_id, row) == [("❤️", "user")]
    # What is asked for is there already: nobody has to hear of a conflict.
    assert not bench.service.set_reaction(session_id, row, "\u2764", expected="👍").changed
    bench.service.set_reaction(session_id, row, None, expected="\u2764")
    with pytest.raises(StaleReaction, match="removed"):
        bench.service.set_reaction(session_id, row, "😂", expected="❤️")


async def test_a_stale_operation_is_judged_anew_when_it_comes_again(bench: ServiceBench) -> None:
    session_id, _, row = await chat(bench)
    with pytest.raises(StaleReaction):
        bench.service.set_reaction(session_id, row, "👍", op_id="op", expected="❤️")
    assert bench.service.set_reaction(session_id, row, "👍", op_id="op", expected=None).changed


async def test_parts_are_slots_of_their_own(bench: ServiceBench) -> None:
    session_id, _, row = await chat(bench)
    bench.service.set_reaction(session_id, row, "👍")
    bench.service.set_reaction(session_id, row, "😂", part="p1")
    bench.service.set_reaction(session_id, row, "❤️", part="p1")
    bench.service.set_reaction(session_id, row, None)
    stored = bench.store.messages.get(session_id, row)
    assert stored is not None
    part = {"anchor": "p1", "quote": ""}
    assert [(r["emoji"], r["part"]) for r in stored.metadata["reactions"]] == [("❤️", part)]


async def test_one_row_does_not_take_reactions_without_end(bench: ServiceBench) -> None:
    session_id, _, row = await chat(bench)
    for n in range(MAX_PARTS):
        bench.service.set_reaction(session_id, row, "👍", part=f"p{n}")
    with pytest.raises(InvalidInput, match="At most"):
        bench.service.set_reaction(session_id, row, "👍", part="one more")
    bench.service.set_reaction(session_id, row, "❤️", part="p0")
    assert len(emojis(bench, session_id, row)) == MAX_PARTS


@pytest.mark.parametrize("bad", ["", "x" * 201, "a\nb", "\x00", "\ud800"])
async def test_ids_of_peers_are_checked(bench: ServiceBench, bad: str) -> None:
    session_id, _, row = await chat(bench)
    with pytest.raises(InvalidInput, match="op_id"):
        bench.service.set_reaction(session_id, row, "👍", op_id=bad)
    with pytest.raises(InvalidInput, match="part"):
        bench.service.set_reaction(session_id, row, "👍", part=bad)
    with pytest.raises(InvalidInput, match="client_ref"):
        await bench.service.submit(session_id, "hello", bad)


async def test_newest_role_finds_the_answer_that_is_being_written(bench: ServiceBench) -> None:
    """Fault F10 of a Hermes gateway: it hits the answer before."""
    session_id, sink = bench.new_session()
    await bench.say(session_id, "one")
    hold = Wait()
    bench.agent.expect(Say("writing"), hold)
    await bench.service.submit(session_id, "two")
    await hold.reached.wait()
    outcome = bench.service.toggle_reaction(session_id, "👍", newest_role="assistant")
    assert outcome.row_id == sink.of("message.start")[-1]["row_id"]
    for role in (None, "tool", "agent"):
        with pytest.raises(InvalidInput, match="needs a message"):
            bench.service.toggle_reaction(session_id, "👍", newest_role=role)
    hold.event.set()
    await bench.quiet(session_id)
    assert emojis(bench, session_id, outcome.row_id) == [("👍", "user")]


async def test_an_answer_without_a_word_yet_cannot_be_reacted_to(bench: ServiceBench) -> None:
    """It may come to nothing, and an acknowledged reaction would go with it."""
    session_id, sink = bench.new_session()
    before = await bench.say(session_id, "one") + 1
    hold = Wait()
    bench.agent.expect(Say(" "), hold)
    await bench.service.submit(session_id, "two")
    await hold.reached.wait()
    with pytest.raises(RowNotFound):
        bench.service.set_reaction(session_id, sink.of("message.start")[-1]["row_id"], "👍")
    assert bench.service.toggle_reaction(session_id, "👍", newest_role="assistant").row_id == before
    assert bench.service.busy
    await bench.service.interrupt(session_id)
    assert not bench.service.busy


async def test_no_row_yet_is_not_found(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    with pytest.raises(RowNotFound):
        bench.service.toggle_reaction(session_id, "👍", newest_role="user")
    with pytest.raises(RowNotFound):
        await bench.service.react_as_agent(session_id, "👍")


async def test_a_doubled_entry_in_the_file_counts_once(bench: ServiceBench) -> None:
    """B014."""
    session_id, _, row = await chat(bench)
    twice = [{"emoji": "👍", "author": "user", "at": 1.0}] * 2 + [{"emoji": "", "author": "agent", "at": 2.0}]
    with bench.store.transaction():
        bench.store.messages.set_metadata(row, {"reactions": twice})
    assert bench.service.pending_notes(session_id) == ['[The user reacted 👍 to your message: "ok"]']
    bench.service.set_reaction(session_id, row, "🔥", Author.AGENT)
    assert emojis(bench, session_id, row) == [("👍", "user"), ("🔥", "agent")]


async def test_a_row_far_back_in_a_resumed_session_takes_a_reaction(bench: ServiceBench) -> None:
    """B041: 341 rows, a restart, row 12."""
    session_id, _ = bench.new_session()
    with bench.store.transaction():
        for n in range(341):
            role = "assistant" if n % 2 else "user"
            bench.store.messages.insert(
                NewMessage(session_id=session_id, role=role, text=f"text {n}", at=1.0)
            )
    await bench.restart()
    rows = bench.service.resume(session_id).messages
    assert len(rows) == 341
    row_id = rows[11].row_id
    assert row_id is not None
    outcome = bench.service.set_reaction(session_id, row_id, "👍")
    assert [reaction.emoji for reaction in outcome.reactions] == ["👍"]
    shown = bench.service.resume(session_id).messages[11].display_metadata
    assert shown is not None
    assert [entry["emoji"] for entry in shown["reactions"]] == ["👍"]
