"""A conversation as Markdown that reads well on its own, with a sentence for each tapback."""

from __future__ import annotations

import re

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.text import clean_text

from .record import Record, state_of, told, who

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!])")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")


def escaped(text: str) -> str:
    """``text`` so that Markdown shows it as it is."""
    return _SPECIAL.sub(r"\\\1", text)


def _own_words(text: str) -> str:
    """What the person typed is no Markdown: its signs and line ends stay as they were."""
    return "  \n".join(escaped(line) if line else "" for line in text.split("\n"))


def _closed(text: str) -> str:
    """An answer, with a code block closed that was left open (an interrupted one), so that nothing after it
    becomes code."""
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1][0] == fence[0] and len(found[1]) >= len(fence) and not line.strip(" `~"):
            fence = ""
    return f"{text}\n{fence}" if fence else text


def _block(record: Record, message: Message) -> str:
    head = f"**{who(message)}** · {record.clock(message)}"
    state = state_of(message)
    if state:
        head += f" · _{escaped(state)}_"
    text = clean_text(message.text)
    body = _own_words(text) if message.role is Role.USER else _closed(text)
    # Each sentence is a quotation line of its own; two blanks keep the lines apart.
    tapbacks = "  \n".join(f"> {escaped(words)}" for words in told(message))
    return "\n\n".join(part for part in (head, body, tapbacks) if part)


def to_markdown(record: Record) -> str:
    """Title, a heading for each day, and the messages of either side in order."""
    parts = [f"# {escaped(record.heading)}"]
    day = ""
    for message in record.said:
        if record.day(message) != day:
            day = record.day(message)
            parts.append(f"## {day}")
        parts.append(_block(record, message))
    return "\n\n".join(parts) + "\n"
