"""Verb tapbacks: what a reaction may offer to do. An offer only; a person says yes, then it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.emoji.normalise import base_of
from tui_tapback.words import _, mark

QUOTED = 120
"""Characters of a message that an offer quotes."""


class Verb(StrEnum):
    """What a tapback can stand for."""

    RETRY = "retry"
    EXPLAIN = "explain"
    SHORTEN = "shorten"
    PIN = "pin"


@value
class Offer:
    """A chip: ``question`` is shown with yes and no; ``text`` is what yes sends ('': nothing)."""

    verb: Verb
    key: str
    emoji: str
    question: str
    text: str = ""


DEFAULTS: Final[Mapping[str, Verb]] = MappingProxyType(
    {"👎": Verb.RETRY, "❓": Verb.EXPLAIN, "✂️": Verb.SHORTEN, "📌": Verb.PIN}
)
"""The mapping offered to a person who switches verb tapbacks on."""

_QUESTIONS: Final[Mapping[Verb, str]] = MappingProxyType(
    {
        Verb.RETRY: mark("Ask for another answer?"),
        Verb.EXPLAIN: mark("Ask to explain this?"),
        Verb.SHORTEN: mark("Ask for a shorter version?"),
        Verb.PIN: mark("Pin this message?"),
    }
)
_WORDS: Final[Mapping[Verb, str]] = MappingProxyType(
    {
        Verb.RETRY: mark("Please try this answer again, in another way: “{quote}”"),
        Verb.EXPLAIN: mark("Please explain this: “{quote}”"),
        Verb.SHORTEN: mark("Please make this shorter: “{quote}”"),
        Verb.PIN: "",
    }
)


def offer(verbs: Mapping[str, Verb], emoji: str | None, message: Message) -> Offer | None:
    """What setting ``emoji`` on ``message`` offers; None where it means nothing more.

    Taking a reaction back offers nothing. Only answers of the agent are asked about; pinning works on both
    sides. ``verbs`` maps emoji without tone to what they stand for.
    """
    if emoji is None:
        return None
    verb = verbs.get(base_of(emoji))
    if verb is None or (verb is not Verb.PIN and message.role is not Role.ASSISTANT):
        return None
    quote = clean_line(message.text, QUOTED)
    return Offer(
        verb, message.key, emoji, _(_QUESTIONS[verb]), _(_WORDS[verb]).format(quote=quote) if quote else ""
    )
