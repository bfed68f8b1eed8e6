"""Puts a tapback into words, for screen readers, announcements and the transcript without colour."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.normalise import base_of
from tui_tapback.emoji.quick import QUICK_REACTIONS

# The words that Messages uses for its six tapbacks.
TAPBACK_VERBS: Mapping[str, str] = MappingProxyType(
    dict(
        zip(
            QUICK_REACTIONS,
            ("loved", "liked", "disliked", "laughed at", "emphasized", "questioned"),
            strict=True,
        )
    )
)


def verb(emoji: str) -> str:
    """What someone did who reacted so: ``loved``, ``liked`` …, else ``reacted 🦄 to``."""
    return TAPBACK_VERBS.get(base_of(emoji), f"reacted {emoji} to")


def sentence(who: str, emoji: str, quote: str) -> str:
    """``Agent loved “see you at 8”``; an empty quote speaks of ``a message``."""
    return f"{who} {verb(emoji)} {f'“{quote}”' if quote else 'a message'}"


def spoken(emoji: str, locale: str = "en") -> str:
    """The name of an emoji as it is read aloud: ``thumbs up: medium skin tone``."""
    return load_catalogue(locale).name(emoji)
