"""Renders a conversation for a small model on this machine, and says how it is asked for a feeling."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tui_tapback.gateway.service.ports import ModelRequest

SYSTEM = (
    "You are a friendly assistant in a chat. Answer in one to three short sentences. A line in square "
    "brackets at the head of a message tells which emoji the user put on your words; do not repeat it."
)
"""In place of the long system prompt, of which so small a model makes nothing but noise."""
FEELINGS = {
    "happy": "🎉",
    "sad": "😢",
    "grateful": "❤️",
    "amused": "😂",
    "greeting": "👋",
    "agreeing": "👍",
    "neutral": "",
}
"""What the model is asked to tell apart, and the tapback for each."""
PLAIN = (
    "The report has four pages.",
    "What is the capital of Peru?",
    "Write a function.",
    "N/A",
)
"""Messages without a feeling, against which the others are measured."""
MARGIN = 3.0
"""How much more a feeling must fit than none (in natural logarithms of odds) before it is shown."""
_EXAMPLES = (
    ("I got the job!", "happy"),
    ("What time is it?", "neutral"),
    ("My dog died last night.", "sad"),
    ("thanks a lot for your help", "grateful"),
    ("How do I sort a list in Python?", "neutral"),
    ("hahaha that joke was so funny", "amused"),
    ("hello there", "greeting"),
    ("Translate this sentence to German.", "neutral"),
    ("we won the game!!", "happy"),
    ("ok, do it", "agreeing"),
    ("I feel so alone", "sad"),
    ("bye, see you tomorrow", "greeting"),
    ("thank you, you are great", "grateful"),
    ("lol", "amused"),
    ("Explain gravity to me.", "neutral"),
    ("yes please", "agreeing"),
)
SHOTS = "Name the feeling of each message.\n\n" + "".join(
    f"Message: {message}\nFeeling: {feeling}\n\n" for message, feeling in _EXAMPLES
)
_LONGEST_FELT = 400


class _Message(msgspec.Struct):
    role: str
    content: str | None = None


def chatml(request: ModelRequest) -> str:
    """The prompt for an answer. Of two requests of which one begins with the other, so do their prompts, but
    for the line that asks for the answer. Calls of tools and their results are left out."""
    turns = [("system", SYSTEM)]
    for text in request.messages:
        message = msgspec.json.decode(text, type=_Message)
        if message.role in ("user", "assistant") and message.content:
            turns.append((message.role, message.content))
    spoken = "".join(f"<|im_start|>{role}\n{_harmless(text)}<|im_end|>\n" for role, text in turns)
    return spoken + "<|im_start|>assistant\n"


def felt(message: str) -> str:
    """A message on one line, as it stands behind the examples."""
    return _harmless(" ".join(message[:_LONGEST_FELT].split()))


def tapback_for(odds: Mapping[str, float]) -> str:
    """The emoji for what fits best, or nothing where nothing fits clearly better than no feeling."""
    best = max(odds, key=lambda label: odds[label])
    return FEELINGS[best] if odds[best] - odds["neutral"] >= MARGIN else ""


def _harmless(text: str) -> str:
    """Nobody writes the marks between which the model's turns stand."""
    return text.replace("<|", "< |")
