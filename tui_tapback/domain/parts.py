"""The parts of a message that one can react to: paragraphs, code blocks, lists, over its source."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final, Literal

from .messages import Message
from .reactions import ReactionSet
from .text import clean_line
from .values import value

Kind = Literal["text", "code", "tool"]
QUOTE_MOST: Final = 120
FORMATTED_MOST: Final = 220_000
"""Characters of an answer up to which its Markdown counts; a longer one is taken as it was written."""
TOOLS_MOST: Final = 30
"""Tool calls in front of an answer that are taken for its own."""
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})")
_MARKS = re.compile(r"^(?:[#>\s]+|[-*+] |\d+[.)] )|[*`]|__|~~")


@value
class Part:
    """``anchor`` finds it again in this message, ``quote`` is its beginning on one line, ``source`` what was
    written, ``row`` its first row in the drawn body (of a tool call 0: it has a row of its own)."""

    anchor: str
    kind: Kind
    quote: str
    source: str
    row: int = 0

    @property
    def bare(self) -> str:
        """What one wants of it in the clipboard: of a code block the code alone."""
        if self.kind != "code":
            return self.source
        lines = self.source.split("\n")
        if not _FENCE.match(lines[0]):
            return "\n".join(line.removeprefix("    ") for line in lines)
        closed = len(lines) > 1 and _FENCE.match(lines[-1]) is not None
        return "\n".join(lines[1 : -1 if closed else None])


def parts_of(text: str, blocks: Sequence[tuple[int, int]]) -> tuple[Part, ...]:
    """The parts of a text whose ``blocks`` begin at these source lines and rows.

    An anchor counts and knows the words: ``"2.1f3a…"``; it is found again as long as either holds.
    """
    lines = text.split("\n")
    parts: list[Part] = []
    for number, (start, row) in enumerate(blocks):
        stop = blocks[number + 1][0] if number + 1 < len(blocks) else len(lines)
        source = "\n".join(lines[start:stop]).strip("\n")
        code = _FENCE.match(source) is not None or source.startswith("    ")
        part = Part("", "code" if code else "text", "", source, row)
        said = part.bare if code else _MARKS.sub("", source)
        quote = clean_line(said, QUOTE_MOST)
        parts.append(Part(f"{number}.{digest(source)}", part.kind, quote, source, row))
    return tuple(parts)


def tool_part(message: Message) -> Part:
    """The part that a tool row is of the answer it belongs to."""
    tool = message.tool
    call = tool.call_id if tool is not None else message.key
    name, context = (tool.name, tool.context) if tool is not None else (message.kind, message.text)
    said = clean_line(f"{name} {context}")
    return Part(f"tool.{call}", "tool", clean_line(said, QUOTE_MOST), tool.result if tool else said)


def known_anchor(part: Part, at: int | None, reactions: ReactionSet, parts: Sequence[Part]) -> str:
    """The anchor under which there are reactions to ``part`` already, else its own; ``at`` is its place among
    ``parts``, None for a tool call."""
    if at is None:
        return part.anchor
    anchors = (each.part for each in reactions if each.part is not None)
    return next((anchor for anchor in anchors if resolve(anchor, parts) == at), part.anchor)


def digest(source: str) -> str:
    """Twelve characters that tell one block's words from another's."""
    return hashlib.sha256(source.strip().encode("utf-8", "replace")).hexdigest()[:12]


def resolve(anchor: str, parts: Sequence[Part]) -> int | None:
    """Which part an anchor means: the same words, at the same place if possible, else what stands there now.

    None for an anchor that was not made here or whose part is gone.
    """
    number, _, words = anchor.partition(".")
    if not number.isdecimal() or not words:
        return None
    same = [index for index, part in enumerate(parts) if part.anchor.partition(".")[2] == words]
    if same:
        return min(same, key=lambda index: abs(index - int(number)))
    return int(number) if int(number) < len(parts) else None
