"""Sums a chat up for the offline companion, without a model: how each message begins, and no more."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tui_tapback.gateway.service.notes import quote
from tui_tapback.gateway.service.ports import ModelRequest

from .chat_reading import split_notes

HEADLINE = "(Put together without a model: how the messages began.)"
MOST_LINES = 60
"""Messages that are kept, the newest; the companion reads none of them."""


class _Message(msgspec.Struct):
    role: str
    content: str | None = None


def beginnings(request: ModelRequest) -> str:
    """A summary of the messages of ``request`` but its last one, which asks for it. Empty where nothing was
    said. What an earlier summary of this kind held stands in front."""
    lines: list[str] = []
    for text in request.messages[:-1]:
        message = msgspec.json.decode(text, type=_Message)
        if message.role not in ("user", "assistant") or not message.content:
            continue
        if HEADLINE in message.content:
            lines += [line for line in message.content.splitlines() if line.startswith("- ")]
        else:
            lines += _line(message.role, message.content)
    if not lines:
        return ""
    dropped = len(lines) - MOST_LINES
    more = [f"- ({dropped} earlier messages)"] if dropped > 0 else []
    return "\n".join((HEADLINE, *more, *lines[-MOST_LINES:]))


def _line(role: str, content: str) -> Sequence[str]:
    said = split_notes(content)[1] if role == "user" else content
    first = next((line.strip() for line in said.splitlines() if line.strip()), "")
    return [f"- {'The user' if role == 'user' else 'You'}: {quote(first)}"] if first else []
