"""What a server counts: asked for behind everything else, read leniently, never at the price of an answer."""

from __future__ import annotations

import json

import pytest

from tui_tapback.gateway.agent.chunks import read_chunk
from tui_tapback.gateway.agent.provider import TextPiece, UsagePiece
from tui_tapback.testing.model_server import ModelServer, Raw, Refusal, said
from tui_tapback.testing.providers import collect, provider_at


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
