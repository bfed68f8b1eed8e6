"""The agent in the real service over a real store: whole turns, failures, the bytes the model sees."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tui_tapback.config.settings import ModelSettings
from tui_tapback.emoji.resolve import resolve
from tui_tapback.gateway.agent.companion import Companion
from tui_tapback.gateway.agent.openai_provider import OpenAIProvider
from tui_tapback.gateway.agent.provider import Provider
from tui_tapback.gateway.agent.switching import SwitchingAgent, agent_factory
from tui_tapback.gateway.agent.tools import SendMessageTool
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.gateway.service.ports import Agent, ConversationTools
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.model_server import Answer, Call, HangUp, ModelServer, Raw, Refusal, Script, said
from tui_tapback.testing.providers import no_wait, provider_at
from tui_tapback.testing.service import RecordingSink


class Chat:
    """One session of a running service, and what its client was told."""

    def __init__(self, service: GatewayService) -> None:
        self.service = service
        self.sink = RecordingSink()
        self.id = service.create_session("tui_tapback").session_id
        service.attach(self.id, self.sink)

    async def say(self, text: str) -> dict[str, Any]:
        """Send a message; returns the payload with which its turn ended."""
        ended = len(self.sink.of("message.complete"))
        await self.service.submit(self.id, text)
        await self.sink.until(lambda: len(self.sink.of("message.complete")) > ended)
        return self.sink.of("message.complete")[-1]

    def reactions(self, row_id: int) -> list[tuple[str, str]]:
        """(emoji, author) of a row."""
        (row,) = [row for row in self.service.history(self.id).messages if row.row_id == row_id]
        return [(r["emoji"], r["author"]) for r in (row.display_metadata or {}).get("reactions", [])]


@asynccontextmanager
async def chat(
    folder: Path, agent: Agent | Callable[[ConversationTools], Agent]
) -> AsyncGenerator[Chat, None]:
    service = GatewayService(Store(folder / "tapback.db"), agent)
    try:
        yield Chat(service)
    finally:
        await service.close()


def around(provider: Provider) -> Callable[[ConversationTools], Agent]:
    return lambda tools: SwitchingAgent(
        SendMessageTool(tools, resolve, Directory()), provider, OpenAIProvider
    )


async def test_a_first_chat_with_the_companion(tmp_path: Path) -> None:
    make = agent_factory(ModelSettings(discover=False), {}, Directory(), companion=Companion(sleep=no_wait))
    async with chat(tmp_path, make) as talk:
        first = await talk.say("hello")
        assert first["status"] == "complete"
        assert "offline companion" in first["text"]
        assert talk.reactions(first["persisted_turn"]["user_row_id"]) == [("👋", "agent")]
        answer = first["persisted_turn"]["final_assistant_row_id"]
        talk.service.set_reaction(talk.id, answer, "❤️")
        second = await talk.say("thanks")
        assert second["text"].startswith("I saw your ❤️ on “")
        assert talk.reactions(second["persisted_turn"]["user_row_id"]) == [("❤️", "agent")]
        third = await talk.say("keys")
        assert "I saw" not in third["text"]  # told once


async def test_the_model_sees_the_same_bytes_again_whatever_went_wrong_between(tmp_path: Path) -> None:
    react = Call("send_message", '{"action": "react", "emoji": "🎉"}')
    garbled = Call("send_message", '{"action": ', call_id="call_broken")
    script: list[Script] = [
        Answer(text=["One moment"], calls=[react]),
        said("First answer ❤️"),
        Refusal(500, "worker died"),
        Answer(text=["half an", " answer"], cut=True),
        Answer(calls=[garbled]),
        said("Sorry."),
        HangUp(),
        said("Last answer"),
    ]
    with ModelServer(*script) as server:
        async with provider_at(server.base_url) as provider, chat(tmp_path, around(provider)) as talk:
            outcomes = [await talk.say(f"message {number} \x1b[31m") for number in range(6)]
            row = outcomes[0]["persisted_turn"]["user_row_id"]
            assert talk.reactions(row) == [("🎉", "agent")]
        bodies = [request.body for request in server.chats]
    statuses = [outcome["status"] for outcome in outcomes]
    assert statuses == ["complete", "error", "error", "complete", "error", "complete"]
    assert len(bodies) == len(script)
    for before, after in pairwise(bodies):
        head, end, _ = before.rpartition(b'],"tools":')
        assert end
        assert after.startswith(head + b",")
    assert len({body.rpartition(b'],"tools":')[2] for body in bodies}) == 1
    last = json.loads(bodies[-1])["messages"]
    assert "half an answer" in [message["content"] for message in last]
    for message in last:
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (Refusal(401), "refused the API key"),
        (Refusal(429, code="insufficient_quota"), "quota"),
        (Refusal(500), "status 500"),
        (Raw(b"<html>hello</html>", "text/html"), "no answer of a model"),
        (Answer(text=["half"], cut=True), "broke the connection"),
        (Answer(text=["\x1b]0;evil\x07half"], finish=None), "ended its answer in the middle"),
    ],
)
async def test_a_failure_ends_the_turn_with_a_sentence_and_the_next_turn_works(
    tmp_path: Path, script: Script, words: str
) -> None:
    with ModelServer(script, said("Fine again.")) as server:
        async with provider_at(server.base_url) as provider, chat(tmp_path, around(provider)) as talk:
            failed = await talk.say("hello")
            assert failed["status"] == "error"
            assert words in failed["error"]
            assert "\x1b" not in json.dumps(talk.sink.events)
            again = await talk.say("again")
            assert (again["status"], again["text"]) == ("complete", "Fine again.")


async def test_a_tapback_alone_ends_the_turn_without_an_empty_bubble(tmp_path: Path) -> None:
    react = Call("send_message", '{"action": "react", "emoji": "👍"}')
    with ModelServer(Answer(calls=[react]), Answer(text=["\n"])) as server:
        async with provider_at(server.base_url) as provider, chat(tmp_path, around(provider)) as talk:
            ended = await talk.say("ok")
            assert ended["status"] == "complete"
            assert talk.reactions(ended["persisted_turn"]["user_row_id"]) == [("👍", "agent")]
            rows = talk.service.history(talk.id).messages
            assert [
                row.text for row in rows if row.role == "assistant" and not (row.text or "").strip()
            ] == []
