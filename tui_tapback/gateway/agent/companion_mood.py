"""Chooses the tapback with which the offline companion answers a message, by what its words feel like."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tui_tapback.emoji.normalise import normalise_or_none

from .chat_reading import Chat

_SCANNED = 400
_LONGEST_EMOJI = 12
_ON_REQUEST = re.compile(r"\b(react|tap ?back|reaction|tapback)\b", re.IGNORECASE)
_TAKE_BACK = re.compile(
    r"\b(unreact|(remove|take back|take away|undo|delete) your (reaction|tapback|emoji))\b", re.IGNORECASE
)
# The first that fits is taken, so the warmer feelings stand before the mere signs. Whoever greets is answered
# with words about the 👋, whatever else was said.
_MOODS = tuple(
    (re.compile(words, re.IGNORECASE), emoji)
    for words, emoji in (
        (r"^\W*(bye|goodbye|good night|see you|see ya|cu)\b", "👋"),
        (r"^\W*(hi|hello|hey|hiya|howdy|good (morning|evening|afternoon)|moin|servus|yo)\b", "👋"),
        (r"\b(thanks|thank you|thx|cheers|you are great|you're great|love (you|it|this))\b", "❤️"),
        (r"\b(lol|rofl|haha\w*|hehe\w*|hilarious|so funny|joke)\b", "😂"),
        (r"\b(yay|hooray|hurray|awesome|amazing|congrat\w*|birthday|it works|we won|i passed)\b", "🎉"),
        (r"\b(sad|lonely|tired|sick|bad day|i failed|it hurts|heartbroken)\b", "❤️"),
        (r"^\W*(ok|okay|fine|alright|sure|good|great|perfect|nice|cool|done)\W*$", "👍"),
        (r"(!!|\b(urgent|asap|important)\b)", "‼️"),
    )
)


@dataclass(frozen=True, slots=True)
class Tapback:
    """A tapback to give; with an empty ``emoji`` the one given earlier is taken back."""

    emoji: str
    messages_back: int = 0


def choose_tapback(chat: Chat) -> Tapback | None:
    """The tapback for the newest message of the user, or None.

    The first message of a conversation always gets one: that is how a newcomer learns that both sides can.
    """
    text = chat.text
    if _TAKE_BACK.search(text):
        # The tapback meant stands on an earlier message, not on the one that asks for its removal.
        return Tapback("", messages_back=1) if chat.turns > 1 else None
    found = find_emoji(text)
    if found and (_ON_REQUEST.search(text) or not re.search(r"\w", text)):
        return Tapback(found[0])
    for words, emoji in _MOODS:
        if words.search(text):
            return Tapback(emoji)
    if _ON_REQUEST.search(text):
        return Tapback("❤️")
    return Tapback("👋") if chat.turns <= 1 else None


def find_emoji(text: str) -> list[str]:
    """The emoji in ``text`` in their order, fully qualified."""
    text = text[:_SCANNED]
    found: list[str] = []
    place = 0
    while place < len(text):
        step = 1
        if not text[place].isascii():
            for length in range(min(_LONGEST_EMOJI, len(text) - place), 0, -1):
                emoji = normalise_or_none(text[place : place + length])
                if emoji is not None and not text[place + length - 1].isspace():
                    found.append(emoji)
                    step = length
                    break
        place += step
    return found
