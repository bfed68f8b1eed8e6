"""What a server counts: asked for behind everything else, read leniently, never at the price of an answer."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tui_tapback.config.secret import Secret
from tui_tapback.domain.errors import ModelGarbled
from tui_tapback.gateway.agent.chunks import read_chunk
from tui_tapback.gateway.agent.companion import Companion
from tui_tapback.gateway.agent.endpoint import Endpoint
from tui_tapback.gateway.agent.loop import TurnLoop
from tui_tapback.gateway.agent.openai_provider import OpenAIProvider
from tui_tapback.gateway.agent.provider import TextPiece, UsagePiece
from tui_tapback.gateway.agent.switching import SwitchingAgent
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agent import RecordingTurn
from tui_tapback.testing.model_server import ModelServer, Raw, Refusal, said
from tui_tapback.testing.providers import HELLO_REQUEST, TEST_KEY, collect, no_wait, provider_at
from tui_tapback.testing.service import RecordingSink


def stream(*chunks: object) -> Raw:
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return Raw("".join([*lines, "data: [DONE]\n\n"]).encode())


def chunk(content: str = "", **members: object) -> dict[str, object]:
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": None if content else "stop"}
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m1",
        "choices": [choice],
        **members,
    }


COUNTED = {"prompt_tokens": 42, "completion_tokens": 7, "total_tokens": 49}
LAST: dict[str, object] = {
    "id": "c",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "m1",
    "choices": [],
    "usage": COUNTED,
}


async def test_the_count_at_the_end_of_a_stream_is_read() -> None:
    with ModelServer(stream(chunk("hi"), chunk(), LAST)) as server:
        async with provider_at(server.base_url) as provider:
            assert await collect(provider) == [TextPiece("hi"), UsagePiece(42, 7)]
        assert server.chats[0].json()["stream_options"] == {"include_usage": True}
        assert server.chats[0].body.index(b'"tools"') < server.chats[0].body.index(b'"stream_options"')


async def test_a_server_that_refuses_to_be_asked_is_not_asked_again() -> None:
    refusal = Refusal(400, "Unrecognized request argument supplied: stream_options")
    with ModelServer(refusal, said("one"), said("two")) as server:
        async with provider_at(server.base_url) as provider:
            assert await collect(provider) == [TextPiece("one")]
            assert await collect(provider) == [TextPiece("two")]
        assert ["stream_options" in chat.json() for chat in server.chats] == [True, False, False]


@pytest.mark.parametrize(
    "usage", [None, {}, [], "7", {"prompt_tokens": "many"}, {"prompt_tokens": None}, {"total_tokens": 3}]
)
def test_a_count_of_another_kind_is_none(usage: object) -> None:
    assert list(read_chunk({"choices": [], "usage": usage}).pieces()) == []


async def test_of_several_counts_of_a_request_the_last_one_holds() -> None:
    early = {"prompt_tokens": 42, "completion_tokens": 1}
    with ModelServer(stream(chunk("hi", usage=early), chunk(), LAST)) as server:
        async with provider_at(server.base_url) as provider:
            turn = RecordingTurn()
            await TurnLoop(provider, NoTools()).run(turn)
    assert turn.counted == [(42, 7)]


async def test_a_chat_is_summed_up_by_its_model_and_the_server_reads_the_same_bytes_again(
    tmp_path: Path,
) -> None:
    long = "word " * 80
    script = [stream(chunk(f"answer {n} {long}"), chunk(), LAST) for n in range(4)]
    with ModelServer(*script, stream(chunk("They "), chunk("talked."), chunk(), LAST), said("x")) as server:
        endpoint = Endpoint(server.base_url, Secret(TEST_KEY), "m1")
        agent = SwitchingAgent(NoTools(), Companion(sleep=no_wait), OpenAIProvider, fixed=endpoint)
        service = GatewayService(Store(tmp_path / "state.db"), agent)
        session_id, sink = service.create_session().session_id, RecordingSink()
        service.attach(session_id, sink)
        for n in range(4):
            await service.submit(session_id, f"prompt {n} {long}")
            await sink.until(lambda n=n: not service.busy and sink.types().count("message.complete") > n)
        done = await service.changes.compress(session_id)
        assert (done.removed, done.usage.input, done.usage.calls) == (6, 4 * 42, 4)
        await service.submit(session_id, "next")
        await sink.until(lambda: not service.busy and sink.types().count("message.complete") == 5)
        await service.close()
        await agent.close()
        bodies = [request.body for request in server.chats]
    # Five requests, each of which begins with the bytes of the one before; the sixth begins anew.
    for before, after in pairwise(bodies[:5]):
        assert after.startswith(before[: before.rindex(b'],"tools"')])
    messages = json.loads(bodies[5])["messages"]
    assert [message["content"].split()[0] for message in messages[1:]] == [
        "[Summary",
        "prompt",
        "answer",
        "next",
    ]
    assert messages[1]["content"].endswith("\n\nThey talked.")
    assert json.loads(bodies[5])["tools"] == json.loads(bodies[0])["tools"]


async def test_an_answer_without_end_is_stopped() -> None:
    endless = stream(*(chunk("x" * 50_000) for _ in range(5)), chunk())
    with ModelServer(endless) as server:
        async with provider_at(server.base_url) as provider:
            with pytest.raises(ModelGarbled, match="grew beyond"):
                await TurnLoop(provider, NoTools()).complete(HELLO_REQUEST)


class NoTools:
    """One tool, which nobody calls."""

    schema = '[{"type": "function", "function": {"name": "send_message", "parameters": {}}}]'

    def context(self, call: object) -> str:
        raise AssertionError(call)

    async def execute(self, session_id: str, call: object) -> str:
        raise AssertionError((session_id, call))

    def refuse(self, reason: str) -> str:
        raise AssertionError(reason)
