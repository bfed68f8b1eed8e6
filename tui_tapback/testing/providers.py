"""The real model provider made ready for tests: no pauses, short requests, everything collected."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager

from tui_tapback.config.secret import Secret
from tui_tapback.gateway.agent.endpoint import Endpoint
from tui_tapback.gateway.agent.openai_provider import OpenAIProvider, Patience
from tui_tapback.gateway.agent.provider import Piece, Provider
from tui_tapback.gateway.agent.tools import TOOL_SCHEMA
from tui_tapback.gateway.service.ports import ModelRequest

TEST_KEY = "sk-tapback-secret-0123456789"
HELLO_REQUEST = ModelRequest(('{"role": "user", "content": "hello"}',), TOOL_SCHEMA)
ONE_TRY = Patience(connect=10.0, silence=30.0, pauses=())
THREE_TRIES = Patience(connect=10.0, silence=30.0, pauses=(0.1, 0.2))


async def no_wait(_seconds: float) -> None:
    """A pause, passed at once."""


@asynccontextmanager
async def provider_at(
    url: str, *, key: str = TEST_KEY, model: str = "m1", patience: Patience = ONE_TRY
) -> AsyncGenerator[OpenAIProvider, None]:
    """A provider for ``url`` that is closed at the end of the block."""
    provider = OpenAIProvider(Endpoint(url, Secret(key), model), patience=patience, sleep=no_wait)
    try:
        yield provider
    finally:
        await provider.close()


async def collect(provider: Provider, request: ModelRequest = HELLO_REQUEST) -> list[Piece]:
    """The whole answer to ``request``."""
    async with aclosing(provider.stream(request)) as stream:
        return [piece async for piece in stream]
