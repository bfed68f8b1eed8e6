"""The companion sums up what it does not understand: honestly, shorter than the chat, and again later."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tui_tapback.config.settings import ModelSettings
from tui_tapback.gateway.agent.companion import Companion
from tui_tapback.gateway.agent.companion_summary import HEADLINE, MOST_LINES, beginnings
from tui_tapback.gateway.agent.switching import agent_factory
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.gateway.service.ports import ModelRequest
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.service import RecordingSink


def request(*contents: tuple[str, str | None]) -> ModelRequest:
    messages = [json.dumps({"role": role, "content": content}) for role, content in contents]
    return ModelRequest((*messages, '{"role": "user", "content": "Sum it up."}'), "[]")


def test_each_message_by_how_it_begins() -> None:
    told = request(
        ("system", "You are the agent."),
        ("user", '[The user reacted 👍 to your message: "hi"]\n\n\n  where to?\nsecond line'),
        ("assistant", None),
        ("tool", '{"success": true}'),
        ("assistant", "To the sea, " + "👨‍👩‍👧‍👦" * 90),
    )
    assert beginnings(told).splitlines() == [
        HEADLINE,
        "- The user: where to?",
        "- You: To the sea, " + "👨‍👩‍👧‍👦" * 84 + "…",
    ]


def test_nothing_said_is_no_summary() -> None:
    assert beginnings(request(("system", "You are the agent."))) == ""


def test_an_earlier_one_stands_in_front_and_the_whole_stays_short() -> None:
    first = beginnings(request(*(("user", f"message {n}") for n in range(50))))
    both = beginnings(
        request(("user", f"[Summary]\n\n{first}"), *(("user", f"later {n}") for n in range(50)))
    )
    lines = both.splitlines()
    assert lines[:3] == [HEADLINE, "- (40 earlier messages)", "- The user: message 40"]
    assert lines[-1] == "- The user: later 49"
    assert len(lines) == MOST_LINES + 2


async def test_a_long_chat_with_the_companion_goes_on_after_its_summary(tmp_path: Path) -> None:
    companion = Companion(sleep=lambda seconds: asyncio.sleep(0))
    settings, environ = ModelSettings(), {"OPENAI_MODEL": "companion"}
    make = agent_factory(settings, environ, Directory(), companion=companion)
    service = GatewayService(Store(tmp_path / "d.db"), make)
    service.config_set("context_tokens", 2_000)
    session_id = service.create_session("test").session_id
    sink = RecordingSink()
    service.attach(session_id, sink)
    for n in range(8):
        done = len(sink.of("message.complete"))
        await service.submit(session_id, f"story {n}: " + "once upon a time " * 60)
        await sink.until(lambda done=done: len(sink.of("message.complete")) > done)
    await sink.until(lambda: bool(sink.of("history.changed")))
    assert {event["reason"] for event in sink.of("history.changed")} == {"compress"}
    assert not [event for event in sink.of("notice") if "summary" in event["text"].lower()]
    assert service.history(session_id).count >= 16
    await service.close()
