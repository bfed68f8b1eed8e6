"""The parts of a message that one can react to, in the order in which the screen walks through them; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from tui_tapback.domain.messages import TAPBACK_TOOLS, Message, Role, Status
from tui_tapback.domain.parts import (
    FORMATTED_MOST,
    TOOLS_MOST,
    Part,
    known_anchor,
    parts_of,
    resolve,
    tool_part,
)
from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.domain.text import clean_text

from .prose import block_starts


def parts(message: Message, messages: Sequence[Message]) -> tuple[Part, ...]:
    """What one can react to in ``message``, its tools first; empty for what is one part or still grows."""
    if message.status is Status.STREAMING:
        return ()
    tools = tuple(map(tool_part, _tools(message, messages)))
    words = parts_of(message.text, [(start, 0) for start in _starts(message)])
    return (*tools, *words) if tools or len(words) > 1 else ()


def _tools(message: Message, messages: Sequence[Message]) -> list[Message]:
    if message.role is not Role.ASSISTANT:
        return []
    place = next((n for n, each in enumerate(messages) if each.key == message.key), 0)
    before = reversed(messages[max(0, place - TOOLS_MOST) : place])
    calls = takewhile(lambda each: each.role is Role.TOOL, before)
    return [each for each in calls if each.tool is None or each.tool.name not in TAPBACK_TOOLS][::-1]


def _starts(message: Message) -> list[int]:
    """The first source line of each part of the words."""
    text = clean_text(message.text)
    if message.role is Role.ASSISTANT and len(message.text) <= FORMATTED_MOST:
        return block_starts(text)
    return list(_paragraphs(text))


def _paragraphs(text: str) -> Iterator[int]:
    blank_before = True
    for number, line in enumerate(text.split("\n")):
        blank = not line.strip()
        if blank_before and not blank:
            yield number
        blank_before = blank


def anchor_of(part: Part, known: Sequence[Part], reactions: ReactionSet) -> str:
    """The anchor under which there are reactions to ``part`` already, else its own."""
    words = _of_words(known)
    at = next((place for place, each in enumerate(words) if each is part), None)
    return known_anchor(part, at, reactions, words)


def reactions_to(part: Part, known: Sequence[Part], reactions: ReactionSet) -> ReactionSet:
    """The reactions to one part, as if it were the whole message."""
    there = (each for each in reactions if each.part is not None and _meant(each.part, known) is part)
    return ReactionSet.of(replace(each, part=None) for each in there)


def _of_words(known: Sequence[Part]) -> list[Part]:
    return [each for each in known if each.kind != "tool"]


def _meant(anchor: str, known: Sequence[Part]) -> Part | None:
    """A tool is known by its name; a place counts the parts of the words alone."""
    words = _of_words(known)
    place = resolve(anchor, words)
    if place is not None:
        return words[place]
    return next((each for each in known if each.kind == "tool" and each.anchor == anchor), None)
