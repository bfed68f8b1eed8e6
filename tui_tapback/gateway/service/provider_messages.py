"""Writes provider messages as JSON texts; each is written once, stored, and sent as stored ever after."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from .inputs import whole_characters
from .ports import ToolCall

INTERRUPTED_CALL = "This call was interrupted; it is not known whether it took effect."
"""What the model reads as the result of a call that never got one."""


def _text(message: dict[str, Any]) -> str:
    return whole_characters(json.dumps(message, ensure_ascii=False))


def system_message(text: str) -> str:
    """The system prompt, or "" for none."""
    return _text({"role": "system", "content": text}) if text else ""


def user_message(lines: Sequence[str], text: str) -> str:
    """A message of the user with the notes about their reactions at its head."""
    head = "\n".join(lines) + "\n\n" if lines else ""
    return _text({"role": "user", "content": head + text})


def assistant_message(text: str, calls: Sequence[ToolCall] = ()) -> str:
    """An answer, with the tool calls in it."""
    message: dict[str, Any] = {"role": "assistant", "content": text if text.strip() else None}
    if calls:
        message["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
    return _text(message)


def tool_message(call_id: str, content: str) -> str:
    """The result of a call."""
    return _text({"role": "tool", "tool_call_id": call_id, "content": content})


class _Function(msgspec.Struct):
    name: str = "tool"


class _Call(msgspec.Struct):
    id: str
    function: _Function


class _Assistant(msgspec.Struct):
    tool_calls: list[_Call] = []


class _Tool(msgspec.Struct):
    function: _Function


def calls_of(sent: str) -> dict[str, str]:
    """Call id → tool name of an assistant message, in order."""
    return {call.id: call.function.name for call in msgspec.json.decode(sent, type=_Assistant).tool_calls}


def tool_names(tools: str) -> list[str]:
    """The names in a tool list."""
    return [tool.function.name for tool in msgspec.json.decode(tools or "[]", type=list[_Tool])]
