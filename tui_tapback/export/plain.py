"""A conversation as plain text, with tapbacks beside the names; also what a screen reader may be given."""

from __future__ import annotations

from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.text import clean_text
from tui_tapback.words import _

from .record import Record, emoji_of, part_of, state_of, who


def badges(message: Message) -> str:
    """``❤️ you · 👍 agent on “the second line”``, newest first; the empty string where there are none."""
    return " · ".join(_badge(item) for item in message.reactions.newest_first())


def _badge(reaction: Reaction) -> str:
    mine, part = reaction.author is Author.USER, part_of(reaction)
    if part:
        told = _("{emoji} you on “{part}”") if mine else _("{emoji} agent on “{part}”")
    else:
        told = _("{emoji} you") if mine else _("{emoji} agent")
    return told.format(emoji=emoji_of(reaction), part=part)


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
