"""Tokens: counted by the model's server, kept with the session, told to the clients."""

from __future__ import annotations

import msgspec

from tui_tapback.testing.agents import Call, Count, Say
from tui_tapback.testing.service import ServiceBench


async def test_each_request_adds_up_and_is_told(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Say("let me see"), Count(100, 10), Call("look"), Say("there"), Count(150, 20))
    await bench.say(session_id, "one")
    usage = bench.service.changes.usage(session_id)
    assert (usage.input, usage.output, usage.total, usage.calls) == (250, 30, 280, 2)
    assert usage.model == "scripted"
    assert usage.context_max == 32_000
    assert not usage.context_estimated
    told = [payload["usage"] for payload in sink.of("session.usage")]
    assert [(entry["input"], entry["calls"]) for entry in told] == [(100, 1), (250, 2)]


async def test_the_context_is_measured_by_the_newest_count(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    bench.agent.expect(Count(1_000), Say("x" * 400))
    await bench.say(session_id, "y" * 400)
    used = bench.service.changes.usage(session_id).context_used
    # The answer came to what was counted, in the same measure.
    assert 1_000 < used < 2_000
    assert bench.service.changes.usage(session_id).context_percent == round(100 * used / 32_000)


async def test_until_a_server_counts_it_is_a_guess_that_says_so(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "y" * 4_000)
    usage = bench.service.changes.usage(session_id)
    assert usage.context_estimated
    assert 1_000 <= usage.context_used <= 1_100
    assert (usage.total, usage.calls) == (0, 0)


async def test_the_count_survives_a_restart_and_goes_with_the_session(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    bench.agent.expect(Count(100, 10), Say("ok"))
    await bench.say(session_id, "one")
    before = bench.service.changes.usage(session_id)
    await bench.restart()
    assert bench.service.changes.usage(session_id) == before
    branch = bench.service.changes.branch(session_id).session_id
    assert bench.service.changes.usage(branch).total == 0


async def test_numbers_that_no_server_can_mean_do_no_harm(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    bench.agent.expect(Count(-5, -7), Say("ok"))
    await bench.say(session_id, "one")
    usage = bench.service.changes.usage(session_id)
    assert (usage.input, usage.output, usage.calls) == (0, 0, 1)
    assert usage.context_estimated


async def test_the_end_of_a_turn_tells_the_tokens_too(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    bench.agent.expect(Say("there"), Count(150, 20))
    await bench.say(session_id, "one")
    (done,) = sink.of("message.complete")
    assert done["usage"] == msgspec.structs.asdict(bench.service.changes.usage(session_id))
    assert done["usage"]["total"] == 170
