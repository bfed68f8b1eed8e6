"""The real provider, through the real SDK, against a real HTTP server that follows a script."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise

import pytest

from tui_tapback.config.secret import Secret
from tui_tapback.gateway.agent.endpoint import Endpoint
from tui_tapback.gateway.agent.loop import TurnLoop
from tui_tapback.gateway.agent.openai_provider import OpenAIProvider, Patience
from tui_tapback.gateway.agent.prompt import SYSTEM_PROMPT
from tui_tapback.gateway.agent.provider import CallPiece, ReasoningPiece, TextPiece
from tui_tapback.gateway.agent.tools import TOOL_SCHEMA, SendMessageTool
from tui_tapback.gateway.service.ports import ModelRequest
from tui_tapback.testing.agent import MemoryConversation, RecordingTurn
from tui_tapback.testing.model_server import (
    Answer,
    Call,
    HangUp,
    ModelServer,
    Refusal,
    Script,
    said,
)
from tui_tapback.testing.providers import (
    HELLO_REQUEST,
    TEST_KEY,
    THREE_TRIES,
    collect,
    provider_at,
)

# --- what is sent ---------------------------------------------------------------------------------


async def test_text_reasoning_and_calls_arrive_as_pieces(server: ModelServer) -> None:
    call = Call("send_message", '{"action":"react","emoji":"👍"}')
    server.script(Answer(text=["Hel", "lo ❤️"], reasoning=["hm"], calls=[call]))
    async with provider_at(server.base_url) as provider:
        pieces = await collect(provider)
    assert pieces[:3] == [ReasoningPiece("hm"), TextPiece("Hel"), TextPiece("lo ❤️")]
    bits = [piece for piece in pieces if isinstance(piece, CallPiece)]
    assert "".join(bit.arguments for bit in bits) == call.arguments
    assert len(bits) > 3
    assert (bits[0].index, bits[0].call_id, bits[0].name) == (0, "call_scripted", "send_message")


async def test_the_messages_go_out_unchanged_with_the_order_of_their_keys(server: ModelServer) -> None:
    server.script(said("ok"))
    odd = '{"content":"ü \\" ❤️ \\n","role":"user","name":"z","a":[1,2.5,1e3,null,true,{"z":1,"b":2}]}'
    call = {"id": "c", "type": "function", "function": {"name": "x", "arguments": '{ "b":1 , "a":2}'}}
    texts = (odd, json.dumps({"role": "assistant", "content": None, "tool_calls": [call]}))
    async with provider_at(server.base_url) as provider:
        await collect(provider, ModelRequest(texts, TOOL_SCHEMA))
    sent = server.chats[0].body.decode()
    for text in texts:
        assert json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")) in sent
    assert json.dumps(json.loads(TOOL_SCHEMA), ensure_ascii=False, separators=(",", ":")) in sent
    assert (server.chats[0].json()["model"], server.chats[0].json()["stream"]) == ("m1", True)
    assert server.chats[0].headers["authorization"] == f"Bearer {TEST_KEY}"


async def test_each_body_begins_with_the_bytes_of_the_one_before(server: ModelServer) -> None:
    server.script(*(said("ok") for _ in range(3)))
    texts = [json.dumps({"role": "system", "content": SYSTEM_PROMPT})]
    async with provider_at(server.base_url) as provider:
        for number in range(3):
            texts.append(json.dumps({"role": "user", "content": f"[note 👍]\n\nturn {number}"}))
            await collect(provider, ModelRequest(tuple(texts), TOOL_SCHEMA))
    bodies = [chat.body for chat in server.chats]
    for before, after in pairwise(bodies):
        as_far_as_messages, end, _ = before.rpartition(b'],"tools":')
        assert end
        assert after.startswith(as_far_as_messages + b",")
    assert len({body.rpartition(b'],"tools":')[2] for body in bodies}) == 1


@pytest.mark.parametrize("tools", ["", "[]"])
async def test_no_tools_are_sent_where_there_are_none(server: ModelServer, tools: str) -> None:
    server.script(said("ok"))
    async with provider_at(server.base_url, key="") as provider:
        await collect(provider, ModelRequest(HELLO_REQUEST.messages, tools))
    assert "tools" not in server.chats[0].json()


async def test_without_a_name_the_first_model_for_chat_is_taken_once() -> None:
    with ModelServer(said("a"), said("b"), models=["nomic-embed-text", "llama3.2", "other"]) as server:
        async with provider_at(server.base_url, model="") as provider:
            assert provider.model == f"model at 127.0.0.1:{server.port}/v1"
            await collect(provider)
            await collect(provider)
            assert provider.model == "llama3.2"
        assert [chat.json()["model"] for chat in server.chats] == ["llama3.2", "llama3.2"]
        assert len(server.requests) == 3


async def test_a_proxy_of_the_environment_does_not_stand_before_a_server_on_this_machine(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # the discard port: nobody is there
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    server.script(said("direct"))
    async with provider_at(server.base_url) as provider:
        assert await collect(provider) == [TextPiece("direct")]


async def test_two_sessions_may_begin_at_once(server: ModelServer) -> None:
    server.script(*(said(f"answer {number}") for number in range(4)))
    async with provider_at(server.base_url) as provider:
        answers = await asyncio.gather(*(collect(provider) for _ in range(4)))
    assert sorted(len(answer) for answer in answers) == [2, 2, 2, 2]


# --- trying again ---------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [Refusal(503), Refusal(500), Refusal(429, "slow down"), HangUp()])
async def test_a_busy_or_failing_server_is_asked_again(server: ModelServer, script: Script) -> None:
    server.script(script, script, said("at last"))
    async with provider_at(server.base_url, patience=THREE_TRIES) as provider:
        assert await collect(provider) == [TextPiece("at"), TextPiece(" last")]
    assert len({chat.body for chat in server.chats}) == 1
    assert len(server.chats) == 3


async def test_the_pause_that_the_server_asks_for_is_kept(server: ModelServer) -> None:
    pauses: list[float] = []

    async def record(seconds: float) -> None:
        pauses.append(seconds)

    server.script(Refusal(429, headers={"Retry-After": "3"}), Refusal(503), said("ok"))
    endpoint = Endpoint(server.base_url, Secret(TEST_KEY), "m1")
    provider = OpenAIProvider(endpoint, patience=THREE_TRIES, sleep=record)
    await collect(provider)
    await provider.close()
    assert pauses == [3.0, 0.2]


# --- through the loop -----------------------------------------------------------------------------


async def test_a_whole_turn_with_a_tapback_over_http(
    server: ModelServer, tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    call = Call("send_message", '{"action": "react", "emoji": ":tada:"}', bit=3)
    server.script(Answer(text=["One moment."], calls=[call]), said("Done."))
    turn = RecordingTurn(("we won",))
    async with provider_at(server.base_url) as provider:
        await TurnLoop(provider, tool).run(turn)
    assert conversation.emoji_on(1) == ["🎉"]
    assert turn.answers == ["One moment.", "Done."]
    second = server.chats[1].json()["messages"]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "tool"]
    assert second[2]["tool_calls"][0]["function"]["arguments"] == call.arguments
    assert json.loads(second[3]["content"])["success"] is True


async def test_interrupting_closes_the_connection(server: ModelServer, tool: SendMessageTool) -> None:
    server.script(Answer(text=["half"], stall=True), said("next"))
    heard = asyncio.Event()

    class Listening(RecordingTurn):
        async def text(self, delta: str) -> None:
            await super().text(delta)
            heard.set()

    patience = Patience(silence=30.0, pauses=())
    async with provider_at(server.base_url, patience=patience) as provider:
        agent = TurnLoop(provider, tool)
        turn = Listening()
        task = asyncio.create_task(agent.run(turn))
        await asyncio.wait_for(heard.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert turn.pieces == ["half"]
        after = RecordingTurn()
        await agent.run(after)  # the provider is as good as new
        assert after.all_text == "next"
