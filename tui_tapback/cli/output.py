"""Prints for a person or for a program: cleaned words, JSON, and errors as one sentence."""

from __future__ import annotations

import json
import sys
from typing import Any, TextIO

from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.text import clean_line, clean_text


def say(text: str, *, end: str = "\n", stream: TextIO | None = None) -> None:
    """Print text from outside: nothing in it can drive the terminal."""
    target = sys.stdout if stream is None else stream
    target.write(clean_text(text) + end)
    target.flush()


def say_json(value: Any) -> None:
    """Print one JSON document; anything but ASCII is escaped, so it is safe in every terminal."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")
    sys.stdout.flush()


def complain(error: TapbackError) -> None:
    """One line on standard error."""
    say(clean_line(f"tui-tapback: {error.sentence()}", 800), stream=sys.stderr)


def message_json(message: Message) -> dict[str, Any]:
    """A message as ``export --json`` and ``send --json`` give it."""
    return {
        "row_id": message.row_id,
        "role": str(message.role),
        "text": message.text,
        "at": message.at,
        "status": str(message.status),
        "error": message.error or None,
        "reactions": [{"emoji": r.emoji, "author": str(r.author), "at": r.at} for r in message.reactions],
    }


def reaction_words(message: Message) -> str:
    """``❤️ you · 👍 agent``, newest first; the empty string where there are none."""
    names = {Author.USER: "you", Author.AGENT: "agent"}
    return " · ".join(
        f"{clean_line(item.emoji, 20)} {names[item.author]}" for item in message.reactions.newest_first()
    )
