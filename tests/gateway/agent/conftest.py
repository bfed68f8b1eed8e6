"""The conversation and the tool that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tui_tapback.emoji.resolve import resolve
from tui_tapback.gateway.agent.tools import SendMessageTool
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.testing.agent import MemoryConversation
from tui_tapback.testing.model_server import ModelServer


@pytest.fixture
def conversation() -> MemoryConversation:
    return MemoryConversation()


@pytest.fixture
def tool(conversation: MemoryConversation) -> SendMessageTool:
    return SendMessageTool(conversation, resolve, Directory())


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running
