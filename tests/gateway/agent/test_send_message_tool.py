"""The ``send_message`` tool: what succeeds, what is an argument error, and that errors change nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tui_tapback.domain.errors import InvalidInput, NotAnEmoji
from tui_tapback.gateway.agent.tools import TOOL_SCHEMA, SendMessageTool
from tui_tapback.gateway.service.ports import ToolCall
from tui_tapback.testing.agent import MemoryConversation


def call(arguments: object, name: str = "send_message") -> ToolCall:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall("c1", name, text)


async def run(tool: SendMessageTool, arguments: object, name: str = "send_message") -> dict[str, Any]:
    return json.loads(await tool.execute("s1", call(arguments, name)))


async def test_react_sets_replaces_and_unreact_removes(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    assert await run(tool, {"action": "react", "emoji": "👍"}) == {
        "success": True,
        "row_id": 1,
        "reactions": [{"emoji": "👍", "author": "agent"}],
    }
    await run(tool, {"action": "react", "emoji": "❤"})
    assert conversation.emoji_on(1) == ["❤️"]
    assert await run(tool, {"action": "unreact"}) == {"success": True, "row_id": 1, "reactions": []}


async def test_a_repeated_call_succeeds_and_changes_nothing(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    results = [await run(tool, {"action": "react", "emoji": "👍"}) for _ in range(3)]
    assert results == [results[0]] * 3
    assert results[0]["success"] is True
    assert (conversation.emoji_on(1), conversation.changes) == (["👍"], 1)
    for _ in range(2):
        assert (await run(tool, {"action": "unreact"}))["success"] is True
    assert conversation.changes == 2


# cases B040, B051
@pytest.mark.parametrize(
    ("spelt", "emoji"),
    [
        ("✅", "✅"),
        (":white_check_mark:", "✅"),
        ("white_check_mark", "✅"),
        ("👍🏽", "👍🏽"),
        ("❤", "❤️"),
        (":+1:", "👍"),
        (" 😂 ", "😂"),
        ("🫩", "🫩"),
        ("🏴‍☠️", "🏴‍☠️"),
    ],
)
async def test_glyphs_and_names_are_both_understood(
    tool: SendMessageTool, conversation: MemoryConversation, spelt: str, emoji: str
) -> None:
    result = await run(tool, {"action": "react", "emoji": spelt})
    assert result["reactions"] == [{"emoji": emoji, "author": "agent"}]
    assert conversation.emoji_on(1) == [emoji]


@pytest.mark.parametrize(
    "junk", [" ", "\u200b", "\u0301", "a" * 200, "\u0007", "no such name", "👍👎", "not 👍", "\x1b[31m"]
)
async def test_what_is_no_emoji_is_refused_with_a_reason(
    tool: SendMessageTool, conversation: MemoryConversation, junk: str
) -> None:
    result = await run(tool, {"action": "react", "emoji": junk})
    assert result["success"] is False
    assert len(result["error"]) > 20
    assert "\x1b" not in result["error"]
    assert conversation.changes == 0


async def test_a_near_miss_of_a_name_comes_with_suggestions(tool: SendMessageTool) -> None:
    result = await run(tool, {"action": "react", "emoji": "thumbsupp"})
    assert "Did you mean" in result["error"]
    assert "👍" in result["error"]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({}, "action is missing"),
        ({"action": "react"}, "emoji is missing"),
        ({"action": "react", "emoji": None}, "emoji is missing"),
        ({"action": "react", "emoji": ""}, "emoji is missing"),
        ({"action": "react", "emoji": 7}, "emoji must be a string"),
        ({"action": "react", "emoji": ["👍"]}, "emoji must be a string"),
        ({"emoji": "👍"}, "action is missing"),
        ({"action": "reac", "emoji": "👍"}, "no action “reac”"),
        ({"action": ["react"], "emoji": "👍"}, "action must be a string"),
        ({"action": "react", "emoji": "👍", "message_back": 2}, "no argument “message_back”"),
        ({"action": "react", "emoji": "👍", "messages_back": -1}, "messages_back must be"),
        ({"action": "react", "emoji": "👍", "messages_back": 1.5}, "messages_back must be"),
        ({"action": "react", "emoji": "👍", "messages_back": True}, "messages_back must be"),
        ({"action": "react", "emoji": "👍", "messages_back": 10**30}, "messages_back must be"),
        ({"action": "react", "emoji": "👍", "messages_back": "two"}, "messages_back must be"),
        ({"action": "react", "emoji": "👍", "messages_back": 5}, "no message 5 back"),
        ({"action": "react", "emoji": "👍", "text": "and words"}, "takes no text"),
        ({"action": "send"}, "no text"),
        ({"action": "send", "text": " \n"}, "no text"),
        ({"action": "send", "text": "hi", "emoji": "👍"}, "takes no emoji"),
        ({"action": "send", "text": "hi", "target": "telegram:@bob"}, "no platform adapter"),
        ({"action": "react", "emoji": "👍", "target": "#general"}, "messages of this chat"),
        ("", "action is missing"),
        ("{", "not valid JSON"),
        ('{"action": "react", "emoji": "👍"', "not valid JSON"),
        ('["react"]', "not a JSON object"),
        ("null", "not a JSON object"),
        ("[" * 100_000, "not valid JSON"),
        ('{"action": ' + "9" * 5000 + "}", "not valid JSON"),
    ],
)
async def test_a_wrong_call_says_why_and_changes_nothing(
    tool: SendMessageTool, conversation: MemoryConversation, arguments: object, part: str
) -> None:
    await run(tool, {"action": "react", "emoji": "❤️"})
    result = await run(tool, arguments)
    assert result["success"] is False
    assert part in result["error"]
    assert (conversation.emoji_on(1), conversation.changes, conversation.said) == (["❤️"], 1, [])


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "react", "emoji": "👍", "messages_back": None, "text": None, "target": None},
        {"action": "react", "emoji": "👍", "messages_back": 0, "text": "", "target": ""},
        {"action": " React ", "emoji": "👍", "messages_back": "0", "target": "this chat"},
        {"action": "react", "emoji": "👍", "messages_back": 0.0},
    ],
)
async def test_fillers_of_models_that_give_every_argument_do_no_harm(
    tool: SendMessageTool, conversation: MemoryConversation, arguments: object
) -> None:
    assert (await run(tool, arguments))["success"] is True
    assert conversation.emoji_on(1) == ["👍"]


async def test_messages_back_counts_messages_of_the_user(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    conversation.rows = [1, 3, 5]
    assert (await run(tool, {"action": "react", "emoji": "👍"}))["row_id"] == 5
    assert (await run(tool, {"action": "react", "emoji": "👍", "messages_back": 2}))["row_id"] == 1


async def test_send_adds_a_bubble(tool: SendMessageTool, conversation: MemoryConversation) -> None:
    assert await run(tool, {"action": "send", "text": "By the way"}) == {"success": True, "row_id": 901}
    assert conversation.said == ["By the way"]


# cases B046, B048
async def test_a_refusal_of_the_service_is_a_failed_result_with_its_reason(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    conversation.refusal = NotAnEmoji("This chat takes 👍, 👎 and ❤️ only.", hint="Choose one of them.")
    result = await run(tool, {"action": "react", "emoji": "✅"})
    assert result == {"success": False, "error": "This chat takes 👍, 👎 and ❤️ only. Choose one of them."}
    assert conversation.changes == 0
    conversation.refusal = None
    assert (await run(tool, {"action": "react", "emoji": "👍"}))["success"] is True


async def test_a_refused_bubble_is_a_failed_result(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    conversation.refusal = InvalidInput("No.")
    assert (await run(tool, {"action": "send", "text": "x"}))["success"] is False


async def test_another_tool_is_refused_by_name(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    result = await run(tool, {}, name="rm\x1b[2J")
    assert result["success"] is False
    assert "\x1b" not in result["error"]
    assert '"send_message"' in result["error"]


def test_the_context_for_people_is_one_clean_line(tool: SendMessageTool) -> None:
    assert tool.context(call({"action": "react", "emoji": "👍"})) == "react 👍"
    assert tool.context(call("{")) == "send_message"
    assert tool.context(call({"action": 3})) == "send_message"
    line = tool.context(call({"action": "send", "text": "a\nb\x1b[31m" + "c" * 500}))
    assert "\n" not in line
    assert "\x1b" not in line
    assert len(line) <= 80


def test_the_schema_is_sound_and_its_bytes_are_fixed() -> None:
    (entry,) = json.loads(TOOL_SCHEMA)
    function = entry["function"]
    assert (entry["type"], function["name"]) == ("function", "send_message")
    assert set(function["parameters"]["properties"]) == {"action", "emoji", "messages_back", "text", "target"}
    assert function["parameters"]["properties"]["action"]["enum"] == ["send", "react", "unreact"]
    assert "\n" not in TOOL_SCHEMA


async def test_results_tell_no_time(tool: SendMessageTool) -> None:
    text = await tool.execute("s1", call({"action": "react", "emoji": "👍"}))
    assert "7.5" not in text  # the time at which the double's reaction was made
