"""Hooks at work: which events they hear, in which order, and that none hurts the gateway or another."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tui_tapback.gateway.hooks.command import Outcome
from tui_tapback.gateway.hooks.events import TEXT_LIMIT, HookEvent
from tui_tapback.gateway.hooks.origin import HookProcesses
from tui_tapback.gateway.hooks.runner import WAITING, Breaker, Hooks
from tui_tapback.testing.client import wait_for
from tui_tapback.testing.hooks import KeepingHook, reaction


def row(row_id: int, text: str = "hello", role: str = "user") -> dict[str, Any]:
    payload = {"row": {"role": role, "text": text, "row_id": row_id}}
    return {"type": "tapback.row", "session_id": "s1", "payload": payload}


async def heard(hooks: Hooks, *events: dict[str, Any]) -> None:
    for event in events:
        hooks.deliver(event)
    await hooks.idle()


async def test_added_removed_and_replaced() -> None:
    hook = KeepingHook()
    await heard(
        Hooks([hook], HookProcesses(), clock=lambda: 9.0),
        reaction(emoji="👍"),
        reaction(emoji="❤️", before="👍"),
        reaction(emoji=None, before="❤️", author="agent"),
    )
    told = [(event.name, event.facts["emoji"], event.facts["author"]) for event in hook.events]
    assert told == [
        ("reaction:added", "👍", "user"),
        ("reaction:removed", "👍", "user"),
        ("reaction:added", "❤️", "user"),
        ("reaction:removed", "❤️", "agent"),
    ]
    assert hook.events[0].as_json()["at"] == 9.0
    assert hook.events[-1].facts["reactions"] == []


async def test_a_message_is_told_once_and_a_long_one_cut() -> None:
    hook = KeepingHook()
    await heard(Hooks([hook], HookProcesses()), row(1), row(1), row(2, "x" * 20_000, "assistant"))
    assert [(event.facts["row_id"], event.facts.get("cut")) for event in hook.events] == [
        (1, None),
        (2, True),
    ]
    assert len(hook.events[1].facts["text"]) == TEXT_LIMIT


async def test_turns_sessions_and_nothing_else() -> None:
    hook = KeepingHook()
    rows = {"user_row_id": 1, "final_assistant_row_id": 2}
    await heard(
        Hooks([hook], HookProcesses()),
        {"type": "message.start", "session_id": "s1", "payload": {"row_id": 2}},
        {"type": "message.delta", "session_id": "s1", "payload": {"text": "a"}},
        {
            "type": "message.complete",
            "session_id": "s1",
            "payload": {"status": "complete", "persisted_turn": rows},
        },
        {"type": "session.title", "session_id": "s1", "payload": {"title": "T"}},
        {"type": "sessions.changed", "session_id": "", "payload": {}},
        {"type": "tapback.row", "session_id": "s1", "payload": {"row": {"role": "tool"}}},
        {"type": "message.reaction", "session_id": "s1"},
        {"type": 5},
    )
    assert hook.names == ["turn:started", "turn:ended", "session:renamed", "session:changed"]
    assert hook.events[1].facts == {"status": "complete", "user_row_id": 1, "row_id": 2}


async def test_each_hook_hears_its_own_events_in_their_order() -> None:
    only, everything = KeepingHook("only", lambda name: name == "message:added"), KeepingHook("all")
    await heard(Hooks([only, everything], HookProcesses()), row(1), reaction(), row(2))
    assert only.names == ["message:added"] * 2
    assert everything.names == ["message:added", "reaction:added", "message:added"]


async def test_a_hook_that_fails_or_hangs_hurts_no_other(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    raising, failing, hanging, sound = (
        KeepingHook(name) for name in ("raising", "failing", "hanging", "sound")
    )
    raising.failure, failing.failure = RuntimeError("planted"), "it was planted"
    hanging.gate.clear()
    hooks = Hooks([raising, failing, hanging, sound], HookProcesses())
    for number in range(3):
        hooks.deliver(row(number))
    await wait_for(lambda: len(sound.events) == 3)
    assert (len(raising.events), len(failing.events), len(hanging.events)) == (3, 3, 1)
    assert "The hook failing failed on message:added: it was planted." in caplog.text
    assert "The hook raising failed" in caplog.text
    assert "The hook sound was run for message:added in" in caplog.text
    await hooks.close()
    hooks.deliver(row(9))
    assert len(sound.events) == 3


async def test_a_slow_hook_loses_the_oldest_and_the_gateway_keeps_its_memory(
    caplog: pytest.LogCaptureFixture,
) -> None:
    slow = KeepingHook()
    slow.gate.clear()
    hooks = Hooks([slow], HookProcesses(), breaker=Breaker(runs=1000))
    for number in range(WAITING + 3):
        hooks.deliver(row(number))
        await asyncio.sleep(0)
    slow.gate.set()
    await hooks.idle()
    assert [event.facts["row_id"] for event in slow.events] == [0, *range(3, WAITING + 3)]
    assert caplog.text.count("too slow") == 2


async def test_a_hook_that_sets_itself_off_is_left_out_for_a_while(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    breaker = Breaker(runs=5, seconds=10.0, pause=60.0)

    class Mirror(KeepingHook):
        """Reacts to each reaction by a reaction."""

        async def run(self, event: HookEvent) -> Outcome:
            hooks.deliver(reaction(len(self.events)))
            return await super().run(event)

    mirror, other = Mirror("mirror"), KeepingHook("other", lambda name: name.startswith("message"))
    hooks = Hooks([mirror, other], HookProcesses(), monotonic=lambda: now, breaker=breaker)
    await heard(hooks, reaction())
    assert len(mirror.events) == 5
    assert "The hook mirror was run 5 times within 10 seconds and is left out for 60 seconds" in caplog.text
    await heard(hooks, reaction(), row(1))
    assert (len(mirror.events), len(other.events)) == (5, 1)  # the others go on
    now = 61.0
    await heard(hooks, reaction())
    assert len(mirror.events) == 10
