"""``send_message`` with a target: asked for first, sent once, refused usefully."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tui_tapback.domain.errors import StoreError
from tui_tapback.emoji.resolve import resolve
from tui_tapback.gateway.agent.tools import TOOL_SCHEMA, SendMessageTool, tool_schema
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.gateway.platforms.loopback import LoopbackAdapter
from tui_tapback.gateway.service.ports import ToolCall
from tui_tapback.testing.agent import MemoryConversation


@pytest.fixture
def platform() -> LoopbackAdapter:
    return LoopbackAdapter()


@pytest.fixture
def sender(conversation: MemoryConversation, platform: LoopbackAdapter) -> SendMessageTool:
    return SendMessageTool(conversation, resolve, Directory([platform]))


async def send(tool: SendMessageTool, **arguments: object) -> dict[str, Any]:
    call = ToolCall("c", "send_message", json.dumps({"action": "send"} | arguments, ensure_ascii=False))
    return json.loads(await tool.execute("s1", call))


async def test_an_allowed_message_goes_out_once(
    sender: SendMessageTool, conversation: MemoryConversation, platform: LoopbackAdapter
) -> None:
    result = await send(sender, text="See you at 8", target="Loopback: alice")
    assert result == {"success": True, "target": "loopback:alice", "message_id": "1"}
    assert [message.text for message in platform.messages("alice")] == ["See you at 8"]
    ((command, description, pattern),) = conversation.asked
    assert command == "send_message to loopback:alice"
    assert "See you at 8" in description
    assert pattern == "send_message:loopback:alice"
    assert (conversation.said, conversation.posts) == ([], [("loopback:alice", "1", "See you at 8")])


async def test_what_has_gone_out_has_succeeded_whatever_becomes_of_its_bubble(
    sender: SendMessageTool, conversation: MemoryConversation, platform: LoopbackAdapter
) -> None:
    conversation.refusal = StoreError("The disk is full.")
    result = await send(sender, text="See you at 8", target="loopback:alice")
    assert result["success"] is True
    assert len(platform.messages("alice")) == 1


async def test_a_denied_message_does_not_go_out(
    sender: SendMessageTool, conversation: MemoryConversation, platform: LoopbackAdapter
) -> None:
    conversation.approves = False
    result = await send(sender, text="x", target="loopback:alice")
    assert result["success"] is False
    assert "did not allow" in result["error"]
    assert platform.messages("alice") == []


async def test_a_wrong_target_is_not_asked_about(
    sender: SendMessageTool, conversation: MemoryConversation
) -> None:
    result = await send(sender, text="x", target="telegram:@bob")
    assert "loopback:<chat>" in result["error"]
    assert conversation.asked == []


async def test_a_platform_that_is_down_is_a_failed_result(
    sender: SendMessageTool, platform: LoopbackAdapter
) -> None:
    await platform.close()
    result = await send(sender, text="x", target="loopback:alice")
    assert result == {"success": False, "error": "The adapter loopback is closed."}


async def test_this_chat_needs_no_approval(sender: SendMessageTool, conversation: MemoryConversation) -> None:
    assert (await send(sender, text="x", target="here"))["success"] is True
    assert (conversation.said, conversation.asked) == (["x"], [])


def test_the_schema_names_the_adapters_and_is_the_same_without_any() -> None:
    assert tool_schema() == TOOL_SCHEMA
    assert "%" not in TOOL_SCHEMA
    (entry,) = json.loads(tool_schema(["loopback", "slack"]))
    assert "loopback, slack" in entry["function"]["parameters"]["properties"]["target"]["description"]
