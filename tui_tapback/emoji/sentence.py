"""Puts a tapback into words, for screen readers, announcements and the transcript without colour."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tui_tapback.domain.text import isolated
from tui_tapback.emoji.normalise import base_of
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.words import _, mark

# The words that Messages uses for its six tapbacks: of the person, who is spoken to, and of anybody else.
_SIX: Mapping[str, tuple[str, str]] = MappingProxyType(
    dict(
        zip(
            QUICK_REACTIONS,
            (
                (mark("You loved {what}"), mark("{who} loved {what}")),
                (mark("You liked {what}"), mark("{who} liked {what}")),
                (mark("You disliked {what}"), mark("{who} disliked {what}")),
                (mark("You laughed at {what}"), mark("{who} laughed at {what}")),
                (mark("You emphasized {what}"), mark("{who} emphasized {what}")),
                (mark("You questioned {what}"), mark("{who} questioned {what}")),
            ),
            strict=True,
        )
    )
)
_OTHER = (mark("You reacted {emoji} to {what}"), mark("{who} reacted {emoji} to {what}"))
YOU = mark("You")
AGENT = mark("Agent")
"""The two sides, for ``about`` and ``sentence``."""


def quoted(text: str) -> str:
    """``text`` in the quotation marks of the language in use; where it is empty, ``a message``."""
    return _("“{text}”").format(text=isolated(text)) if text else _("a message")


def about(who: str, emoji: str, what: str) -> str:
    """``Agent loved this``, ``You reacted 🦄 to this``: ``who`` is YOU, AGENT or a name, ``what`` the object
    of the sentence in the language in use."""
    you, other = _SIX.get(base_of(emoji), _OTHER)
    return _(you if who == YOU else other).format(who=_(who) if who == AGENT else who, emoji=emoji, what=what)


def sentence(who: str, emoji: str, quote: str) -> str:
    """``Agent loved “see you at 8”``; an empty quote speaks of ``a message``."""
    return about(who, emoji, quoted(quote))


def spoken(emoji: str, locale: str = "en") -> str:
    """The name of an emoji as it is read aloud: ``thumbs up: medium skin tone``."""
    from tui_tapback.emoji.catalogue import load_catalogue

    return load_catalogue(locale).name(emoji)
