"""Sloppy emoji of models: what is understood, and what is refused with candidates."""

from __future__ import annotations

import json

import pytest

from tui_tapback.domain.errors import NotAnEmoji
from tui_tapback.emoji.resolve import resolve
from tui_tapback.gateway.agent.spelling import read_emoji
from tui_tapback.gateway.agent.tools import SendMessageTool
from tui_tapback.gateway.service.ports import ToolCall
from tui_tapback.testing.agent import MemoryConversation


# cases B011, B018, B019, B020, B026, B028, B040, B051
@pytest.mark.parametrize(
    ("spelt", "emoji"),
    [
        ("👍️", "👍"),
        ("👍", "👍"),
        (":+1:", "👍"),
        ("+1", "👍"),
        ("thumbs up", "👍"),
        ("Thumbs Up", "👍"),
        ("thumbs_up", "👍"),
        (":thumbs-up:", "👍"),
        ("thumbs up emoji", "👍"),
        ("a red heart", "❤️"),
        ("❤", "❤️"),
        ("'❤️'", "❤️"),
        ("“🎉”", "🎉"),
        ("`:tada:`", "🎉"),
        ("[👀]", "👀"),
        ("👍!", "👍"),
        ("👍👍👍", "👍"),
        ("thumbs up 👍", "👍"),
        ("❤️ (red heart)", "❤️"),
        ("I react with 🎉.", "🎉"),
        ("U+1F44D", "👍"),
        ("u+1f44d u+1f3fd", "👍🏽"),
        ("\\u2764\\ufe0f", "❤️"),
        ("\\ud83d\\udc4d", "👍"),
        ("\\u{1F44D}", "👍"),
        ("\\U0001F44D", "👍"),
        ("&#x1F44D;", "👍"),
        ("0️⃣", "0️⃣"),
        ("keycap: 0", "0️⃣"),
        ("😿", "😿"),
        ("💯", "💯"),
        (":wave::skin-tone-3:", "👋🏼"),
        ("<3", "❤️"),
    ],
)
def test_what_a_model_means_is_understood(spelt: str, emoji: str) -> None:
    assert read_emoji(spelt, resolve) == emoji


@pytest.mark.parametrize(
    "spelt",
    [
        "", " ", "\u200b", "👍👎", "👍 or ❤️", "never 👍", "zzqq", "U+0", "👍" + " " * 300 + "x",
        "U+110000", "U+1F44D and more", "x" * 201, "{}", "emoji", "the", "\x1b]0;x\x07",
    ],
)  # fmt: skip
def test_nothing_is_guessed(spelt: str) -> None:
    with pytest.raises(NotAnEmoji) as refusal:
        read_emoji(spelt, resolve)
    assert refusal.value.hint
    assert "\x1b" not in refusal.value.sentence()


async def test_an_unknown_one_is_answered_with_candidates(
    tool: SendMessageTool, conversation: MemoryConversation
) -> None:
    call = ToolCall("c", "send_message", '{"action": "react", "emoji": "thumb upp"}')
    result = json.loads(await tool.execute("s", call))
    assert result["success"] is False
    assert "👍" in result["error"]
    assert conversation.changes == 0
