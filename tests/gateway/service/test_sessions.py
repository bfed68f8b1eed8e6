"""Sessions: their list, titles, end, and what a client that comes back is told."""

from __future__ import annotations

import json

import pytest

from tui_tapback.domain.errors import InvalidInput, SessionNotFound
from tui_tapback.gateway.service.broadcast import RING_EVENTS, RINGS, Broadcast
from tui_tapback.gateway.service.identity import RandomIds
from tui_tapback.gateway.service.inputs import is_session_id
from tui_tapback.testing.agents import Call, Say, ScriptedAgent, Wait
from tui_tapback.testing.service import RecordingSink, ServiceBench


async def test_a_new_session_is_empty_and_idle(bench: ServiceBench) -> None:
    snapshot = bench.service.create_session("desktop", "My \x1b[31mplans\n")
    assert (snapshot.stored_id, snapshot.messages, snapshot.running, snapshot.seq) == (
        snapshot.session_id,
        [],
        False,
        0,
    )
    assert snapshot.info["title"] == "My plans"
    assert snapshot.info["tools"] == {"tapback": ["send_message"]}
    assert snapshot.info["model"] == "scripted"


async def test_the_list_is_newest_activity_first_and_leaves_out_what_was_never_used(
    bench: ServiceBench,
) -> None:
    assert bench.service.most_recent().session_id is None
    first, _ = bench.new_session()
    second, _ = bench.new_session()
    bench.new_session()
    await bench.say(first, "one")
    await bench.say(second, "two")
    await bench.say(first, "three")
    rows = bench.service.list_sessions().sessions
    assert [(row.id, row.title, row.preview, row.message_count) for row in rows] == [
        (first, "one", "ok", 4),
        (second, "two", "ok", 2),
    ]
    assert [row.id for row in bench.service.list_sessions(1).sessions] == [first]
    assert bench.service.most_recent().session_id == first
    await bench.service.say(second, "an aside of the agent is activity too")
    assert bench.service.most_recent().session_id == second


async def test_what_is_counted_is_what_people_see(bench: ServiceBench) -> None:
    """Not the calls of tools, not their results, not the answer that has not begun."""
    session_id, _ = bench.new_session()
    hold = Wait()
    bench.agent.expect(Call("send_message"), Say("Done."), Call("look"), hold, Say("Bye."))
    await bench.service.submit(session_id, "hello")
    await hold.reached.wait()
    assert bench.service.list_sessions().sessions[0].message_count == 2
    hold.event.set()
    await bench.quiet(session_id)
    assert bench.service.list_sessions().sessions[0].message_count == 3
    for omit in (False, True):
        assert bench.service.resume(session_id, omit_messages=omit).message_count == 3


async def test_a_session_in_which_nothing_was_said_is_forgotten_after_a_day(bench: ServiceBench) -> None:
    empty, sink = bench.new_session()
    bench.service.detach(sink)
    open_since_yesterday, _ = bench.new_session()
    used, _ = bench.new_session()
    await bench.say(used, "hello")
    bench.clock.now += 23 * 3600
    bench.new_session()
    assert bench.service.resume(empty).messages == []
    bench.clock.now += 2 * 3600
    bench.new_session()
    with pytest.raises(SessionNotFound):
        bench.service.resume(empty)
    assert len(bench.service.resume(used).messages) == 2
    await bench.say(open_since_yesterday, "at last")


async def test_renaming_is_told_to_all_and_stays(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    stranger = RecordingSink()
    bench.service.join(stranger)
    assert bench.service.title(session_id, " Pl\x1bans\n").title == "Pl␛ans"
    assert sink.of("session.title") == [{"session_id": session_id, "title": "Pl␛ans"}]
    assert stranger.types() == ["sessions.changed"]
    await bench.say(session_id, "hello")
    assert bench.service.title(session_id).title == "Pl␛ans"
    with pytest.raises(InvalidInput, match="title"):
        bench.service.title(session_id, " \n")


async def test_deleting_takes_everything_and_gives_no_id_again(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "hello")
    bench.service.set_reaction(session_id, row, "👍", op_id="op")
    bench.service.delete_session(session_id)
    with pytest.raises(SessionNotFound):
        bench.service.history(session_id)
    with pytest.raises(SessionNotFound):
        bench.service.delete_session(session_id)
    other, _ = bench.new_session()
    assert await bench.say(other, "hello") > row + 1


async def test_tools_and_system_prompt_stay_as_they_were_when_the_session_was_made(
    bench: ServiceBench,
) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    bench.agent = ScriptedAgent(system_prompt="Another.", tools="[]")
    await bench.restart()
    await bench.say(session_id, "two")
    request = bench.agent.requests[-1]
    assert json.loads(request.messages[0])["content"] == "You are a test."
    assert "send_message" in request.tools


async def test_replay_gives_what_was_missed_and_says_when_something_is_gone(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    await bench.say(session_id, "one")
    seen = sink.events[-2]["seq"]
    missed = bench.service.events_since(session_id, 2)
    assert missed.events == [event for event in sink.events if event.get("seq", 0) > 2]
    assert (missed.truncated, missed.latest_seq, missed.count) == (False, seen, seen - 2)
    assert missed.epoch == bench.service.replay_epoch
    assert bench.service.events_since(session_id, seen).events == []
    epoch = bench.service.replay_epoch
    await bench.restart()
    assert bench.service.replay_epoch != epoch
    assert bench.service.events_since(session_id, seen).truncated
    assert bench.service.events_since("nonsense", 0).count == 0


def test_the_ring_is_bounded_by_number_and_by_size() -> None:
    broadcast = Broadcast("epoch")
    for n in range(RING_EVENTS + 10):
        broadcast.emit("s", "notice", {"text": str(n)})
    assert len(broadcast.since("s", 10).events) == RING_EVENTS
    assert not broadcast.since("s", 10).truncated
    assert broadcast.since("s", 9).truncated
    for _ in range(10):
        broadcast.emit("big", "notice", {"text": "x" * 250_000})
    assert len(broadcast.since("big", 0).events) == 4
    assert broadcast.since("big", 0).truncated


def test_rings_of_quiet_sessions_are_dropped_and_their_numbers_go_on() -> None:
    broadcast, sink = Broadcast("epoch"), RecordingSink()
    broadcast.attach("watched", sink)
    broadcast.emit("watched", "notice", {})
    broadcast.emit("quiet", "notice", {})
    for n in range(RINGS):
        broadcast.emit(f"s{n}", "notice", {})
    assert broadcast.since("watched", 0).count == 1
    assert broadcast.since("quiet", 0).truncated
    assert broadcast.emit("quiet", "notice", {}) == 2


def test_what_is_kept_for_replay_is_bounded_for_all_sessions_together() -> None:
    """Also where somebody hears every one of them: the quietest are told to refetch."""
    broadcast, sink = Broadcast("epoch"), RecordingSink()
    sessions = [f"s{n}" for n in range(80)]
    for session in sessions:
        broadcast.attach(session, sink)
        broadcast.emit(session, "notice", {"text": "x" * 1_000_000})
    kept = [session for session in sessions if broadcast.since(session, 0).count]
    assert kept == sessions[-len(kept) :]
    assert 60 <= len(kept) <= 67
    assert broadcast.since(sessions[0], 0).truncated


def test_a_connection_hears_each_event_once_until_it_is_detached() -> None:
    broadcast, sink = Broadcast("epoch"), RecordingSink()
    for session in ("a", "a", "b"):
        broadcast.attach(session, sink)
    broadcast.emit("a", "notice", {})
    broadcast.announce("sessions.changed")
    assert len(sink.events) == 2
    broadcast.detach(sink, "a")
    assert (broadcast.attached("a"), broadcast.attached("b")) == (0, 1)
    broadcast.emit("a", "notice", {})
    broadcast.announce("sessions.changed")
    assert len(sink.events) == 3
    broadcast.detach(sink)
    broadcast.emit("b", "notice", {})
    broadcast.announce("sessions.changed")
    assert len(sink.events) == 3


@pytest.mark.parametrize(
    ("value", "stored"),
    [("true", True), ("ON", True), (" Yes ", True), (1, True), ("0", False), ("off", False), (False, False)],
)
async def test_words_for_yes_and_no(bench: ServiceBench, value: object, stored: bool) -> None:
    """B059."""
    bench.service.config_set("reactions", "both" if not stored else "off")
    assert bench.service.config_set("display.message_reactions", value).value is stored
    full = bench.service.config_get("full").config
    assert full == {
        "display": {"message_reactions": stored},
        "reactions": "both" if stored else "off",
        "context_tokens": 32_000,
    }
    await bench.restart()
    assert bench.service.config_get("display.message_reactions").value is stored


@pytest.mark.parametrize("value", ["maybe", "", None, 2, 1.0, [], {"a": 1}, "truee"])
@pytest.mark.parametrize("before", ["off", "user", "both"])
async def test_other_words_are_refused_and_change_nothing(
    bench: ServiceBench, value: object, before: str
) -> None:
    """B059."""
    bench.service.config_set("reactions", before)
    for key in ("display.message_reactions", "reactions"):
        with pytest.raises(InvalidInput, match="must be"):
            bench.service.config_set(key, value)
    assert bench.service.config_get("reactions").value == before


async def test_true_does_not_give_the_agent_what_the_person_kept_from_it(bench: ServiceBench) -> None:
    bench.service.config_set("reactions", "user")
    assert bench.service.config_set("display.message_reactions", True).value is True
    assert bench.service.config_get("reactions").value == "user"
    with pytest.raises(InvalidInput, match="no setting"):
        bench.service.config_get("api_key")
    with pytest.raises(InvalidInput, match="no setting"):
        bench.service.config_set("full", {})


def test_random_ids_have_the_form_that_is_looked_for() -> None:
    ids = RandomIds()
    assert is_session_id(ids.session(1_800_000_000.0))
    assert ids.session(1_800_000_000.0).startswith("20270115_080000_")
    assert len({ids.epoch() for _ in range(10)}) == 10
    assert not is_session_id("２０２７0115_080000_abcdef")


def test_every_client_hears_of_another_value_of_a_setting(bench: ServiceBench) -> None:
    _, sink = bench.new_session()
    bench.service.config_set("reactions", "off")
    bench.service.config_set("reactions", "off")
    bench.service.config_set("display.message_reactions", True)
    bench.service.config_set("context_tokens", 5_000)
    assert sink.of("config.changed") == [
        {"key": "reactions", "value": "off"},
        {"key": "reactions", "value": "both"},
        {"key": "context_tokens", "value": 5_000},
    ]
