"""iMessage: six native tapbacks and an emoji one, each addressed to a part; and the text of older phones."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.emoji.normalise import base_of, normalise_or_none

NATIVE = {"❤️": 2000, "👍": 2001, "👎": 2002, "😂": 2003, "‼️": 2004, "❓": 2005}
"""Emoji → ``associated_message_type``; 1000 more takes it back."""
EMOJI_TAPBACK = 2006
_REMOVAL = 1000
_OF_TYPE = {number: emoji for emoji, number in NATIVE.items()}
_ADDED = {
    "❤️": "Loved",
    "👍": "Liked",
    "👎": "Disliked",
    "😂": "Laughed at",
    "‼️": "Emphasized",
    "❓": "Questioned",
}
_REMOVED = {
    "❤️": "a heart",
    "👍": "a like",
    "👎": "a dislike",
    "😂": "a laugh",
    "‼️": "an exclamation",
    "❓": "a question mark",
}
_TEXT = re.compile(
    r"\s*(?:(?P<verb>Loved|Liked|Disliked|Laughed at|Emphasi[sz]ed|Questioned)"
    r"|Reacted (?P<emoji>\S{1,30}) to|Removed (?P<gone>a heart|a like|a dislike|a laugh|an exclamation"
    r"|a question mark|\S{1,30}) from) [“\"](?P<quote>.*)[”\"]\s*",
    re.DOTALL,
)
_PART = re.compile(r"(?:p:(?P<part>\d{1,4})/|bp:)?(?P<guid>[^/]+)")


@dataclass(frozen=True, slots=True)
class IMessageTapback:
    """A row of the message table. ``guid`` is ``p:<part>/<id>``; ``emoji`` only for type 2006 and 3006."""

    type: int
    guid: str
    is_from_me: bool
    at: float
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class SpokenTapback:
    """What a text such as ``Loved “see you at 8”`` says; ``removed`` for ``Removed a heart from “…”``."""

    emoji: str
    quote: str
    removed: bool = False


def to_imessage(reactions: ReactionSet, message: str) -> list[IMessageTapback]:
    """One tapback for each reaction, oldest first. ``is_from_me`` is the agent: its account sends.

    A part of ours that is not one of iMessage's (``p:1``) becomes a tapback on the whole message, where the
    same author has none there.
    """
    return [
        IMessageTapback(
            type=NATIVE.get(reaction.emoji, EMOJI_TAPBACK),
            guid=f"{reaction.part or 'p:0'}/{message}",
            is_from_me=reaction.author is Author.AGENT,
            at=reaction.at,
            emoji=None if reaction.emoji in NATIVE else reaction.emoji,
        )
        for reaction in _addressed(reactions)
    ]


def from_imessage(before: ReactionSet, tapback: IMessageTapback, message: str) -> ReactionSet:
    """``before`` after one tapback; one that belongs to another message or is no emoji changes nothing."""
    address = _PART.fullmatch(tapback.guid)
    if address is None or address["guid"] != message:
        return before
    number = int(address["part"] or 0)
    part = f"p:{number}" if number else None
    author = Author.AGENT if tapback.is_from_me else Author.USER
    if tapback.type in _OF_TYPE or tapback.type == EMOJI_TAPBACK:
        emoji = _OF_TYPE.get(tapback.type) or normalise_or_none(tapback.emoji or "")
        return before if emoji is None else before.set(Reaction(emoji, author, tapback.at, part))
    if tapback.type - _REMOVAL in _OF_TYPE or tapback.type - _REMOVAL == EMOJI_TAPBACK:
        return before.remove(author, part)
    return before


def spoken(emoji: str, quote: str, *, removed: bool = False) -> str:
    """The text that a phone without tapbacks gets. A toned thumb is still a like."""
    native = base_of(emoji)
    if removed:
        return f"Removed {_REMOVED.get(native, emoji)} from “{quote}”"
    verb = _ADDED.get(native)
    return f"{verb} “{quote}”" if verb else f"Reacted {emoji} to “{quote}”"


def heard(text: str) -> SpokenTapback | None:
    """Reads such a text; None for any other message."""
    found = _TEXT.fullmatch(text)
    if found is None:
        return None
    if found["verb"]:
        verb = found["verb"].replace("Emphasised", "Emphasized")
        emoji = next(emoji for emoji, name in _ADDED.items() if name == verb)
        return SpokenTapback(emoji, found["quote"])
    named = next((emoji for emoji, name in _REMOVED.items() if name == found["gone"]), None)
    given = named or normalise_or_none(found["emoji"] or found["gone"] or "")
    return None if given is None else SpokenTapback(given, found["quote"], removed=bool(found["gone"]))


def _addressed(reactions: ReactionSet) -> list[Reaction]:
    known: list[Reaction] = []
    for reaction in reactions:
        if reaction.part is None or re.fullmatch(r"p:[1-9]\d{0,3}", reaction.part):
            known.append(reaction)
        elif reactions.by(reaction.author) is None:
            known.append(Reaction(reaction.emoji, reaction.author, reaction.at))
    return known
