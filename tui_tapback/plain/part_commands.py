"""The commands about parts of a message: reading them, and tapbacks on one of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from tui_tapback.client.abilities import Ability
from tui_tapback.client.tapback_history import Change
from tui_tapback.domain.errors import InvalidInput, RowNotFound
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.parts import Part
from tui_tapback.words import _, plural

from . import sentences, tapback_commands
from .parts import anchor_of, parts, reactions_to
from .reading import number, words_and_number
from .room import Room
from .tapback_commands import named, nameless

_PART: Final = re.compile(r"(?P<rest>.*?)\s*\bpart\s+#?(?P<number>\d{1,9})", re.DOTALL | re.IGNORECASE)


async def read_parts(room: Room, rest: str) -> None:
    """``/parts N``."""
    at = number(rest)
    if rest and at is None:
        raise InvalidInput(_("Which message? /parts takes its number."), hint=_("/list reads the numbers."))
    message = room.here(at)
    known = _known(room, message)
    room.go(message)
    of_message = room.number(message)
    count = len(known)
    words = plural("Message {number} has {count} part:", "Message {number} has {count} parts:", count)
    room.say(words.format(number=of_message, count=count))
    for place, part in enumerate(known, 1):
        stuck = replace(message, reactions=reactions_to(part, known, message.reactions))
        line = f"{place}. {_said(room, part)}"
        room.say(" ".join(each for each in (line, sentences.badges(room.speech, stuck)) if each))
    room.say(_("/react NAME on {number} part K reacts to part K of it.").format(number=of_message))


def _known(room: Room, message: Message) -> tuple[Part, ...]:
    """Raises RowNotFound where there are none."""
    known = parts(message, room.state.messages)
    if known:
        return known
    words = _("Message {number} has no parts: it is all one.")
    if message.status is Status.STREAMING:
        words = _("Message {number} is still being written and has no parts yet.")
    raise RowNotFound(words.format(number=room.number(message)))


def _said(room: Room, part: Part) -> str:
    match part.kind:
        case "tool":
            words = _("A tool: {quote}.")
        case "code":
            words = _("Code: {quote}.")
        case "text":  # from its source: a list or a table is read as one, not as a line of marks
            return f"{room.speech.quote(part.source)}."
    return words.format(quote=room.speech.quote(part.quote))


async def react(room: Room, rest: str) -> None:
    """``/react NAME on N``, and ``/react NAME on N part K``."""
    whole, place = _part_number(rest)
    if place is None:
        await tapback_commands.react(room, rest)
        return
    name, at = words_and_number(whole)
    if not name:
        raise nameless()
    message = room.chosen(at, None if at is not None else Role.ASSISTANT)
    _set(room, message, place, named(room, name))


async def unreact(room: Room, rest: str) -> None:
    """``/unreact N``, and ``/unreact N part K``."""
    whole, place = _part_number(rest)
    if place is None:
        await tapback_commands.unreact(room, rest)
        return
    name, at = words_and_number(whole)
    at = number(name) if at is None else at
    if whole and at is None:
        raise InvalidInput(_("Which message? Its number is missing."), hint=_("/list reads the numbers."))
    _set(room, room.chosen(at, None if at is not None else Role.ASSISTANT), place, None)


def _part_number(rest: str) -> tuple[str, int | None]:
    found = _PART.fullmatch(rest)
    return (found["rest"].strip(), int(found["number"])) if found else (rest, None)


def _set(room: Room, message: Message, place: int, emoji: str | None) -> None:
    """Set or take back on one part; it is announced once the gateway has it."""
    room.need(Ability.PARTS)
    known = _known(room, message)
    of_message = room.number(message)
    if not 1 <= place <= len(known):
        raise RowNotFound(
            _("Message {number} has no part {part}.").format(number=of_message, part=place),
            hint=_("/parts {number} reads them.").format(number=of_message),
        )
    part = known[place - 1]
    anchor = anchor_of(part, known, message.reactions)
    before = room.present(message.key, anchor)
    if before == emoji:
        words = _("You have no tapback on part {part} of message {number}.")
        if emoji is not None:
            words = _(
                "Your {emoji} is on part {part} of message {number} already; "
                "/unreact {number} part {part} takes it back."
            )
        said = room.speech.emoji(emoji) if emoji is not None else ""
        room.say(words.format(emoji=said, part=place, number=of_message))
        return
    room.set(message.key, emoji, anchor, part.quote)
    room.steps.record([Change(message.key, before, emoji, anchor, part.quote)])
    if emoji is not None:
        tapback_commands.tell_of_switch(room)
