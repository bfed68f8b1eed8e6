"""A conversation as plain text, with tapbacks beside the names; also what a screen reader may be given."""

from __future__ import annotations

from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.text import clean_text

from .record import Record, emoji_of, part_of, state_of, who


def badges(message: Message) -> str:
    """``❤️ you · 👍 agent on “the second line”``, newest first; the empty string where there are none."""
    return " · ".join(_badge(item) for item in message.reactions.newest_first())


def _badge(reaction: Reaction) -> str:
    name = "you" if reaction.author is Author.USER else "agent"
    part = part_of(reaction)
    return f"{emoji_of(reaction)} {name}{f' on “{part}”' if part else ''}"


def to_text(record: Record) -> str:
    """Title, then one paragraph for each message: name, time, tapbacks, and the text two columns in."""
    parts = [record.heading]
    for message in record.said:
        head = [f"{who(message)}, {record.day(message)} {record.clock(message)}", state_of(message)]
        first = " · ".join(word for word in head if word)
        stuck = badges(message)
        lines = clean_text(message.text).split("\n")
        body = "\n".join(f"  {line}" if line else "" for line in lines)
        parts.append(f"{first}{'  ' + stuck if stuck else ''}\n{body}")
    return "\n\n".join(parts) + "\n"
