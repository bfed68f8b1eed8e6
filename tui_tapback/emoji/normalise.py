"""Turns every spelling of one emoji into its fully-qualified form, and refuses everything else."""

from __future__ import annotations

import unicodedata
from functools import cache

from tui_tapback.domain.errors import NotAnEmoji
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.core import TONES, bare, core
from tui_tapback.words import _, mark

# The longest sequences (two people, a heart, a kiss, two tones) have ten code points when qualified.
_LONGEST = 24
_FOREIGN_LIMIT = 8
_HINT = mark("Use one emoji such as 👍, or its name such as :thumbsup:.")
_UNTONED = str.maketrans("", "", TONES)


@cache
def _newer() -> dict[str, str]:
    """Bare form → qualified form of what the ``emoji`` package knows and the bundle does not."""
    import emoji

    ours = core().full
    qualified = emoji.STATUS["fully_qualified"]
    return {
        bare(char): char
        for char, data in emoji.EMOJI_DATA.items()
        if data["status"] == qualified and bare(char) not in ours
    }


def normalise_or_none(text: str) -> str | None:
    """The fully-qualified RGI form of ``text`` if it is exactly one emoji in any spelling, else None.

    Blanks around it do not matter, variation selectors are set right, tones are kept.
    """
    if len(text) > _LONGEST + 16:
        return None
    text = text.strip()
    if not text or len(text) > _LONGEST or text[0] in "\ufe0e\ufe0f":
        return None
    key = bare(text)
    known = core().full.get(key)
    if known is not None or key.isalnum() or key.isascii():
        return known
    return _newer().get(key)


def normalise(text: str) -> str:
    """As ``normalise_or_none``, but raises NotAnEmoji for everything that is not exactly one emoji."""
    found = normalise_or_none(text)
    if found is not None:
        return found
    shown = "".join(char for char in clean_line(text[:80], 40) if char.isprintable())
    if not any(char.isprintable() and not char.isspace() for char in text[:200]):
        raise NotAnEmoji(_("The reaction is empty: there is no emoji in it."), hint=_(_HINT))
    raise NotAnEmoji(_("“{shown}” is not one emoji.").format(shown=shown), hint=_(_HINT))


def base_of(emoji: str) -> str:
    """The emoji without its tones, for what it means (👍🏽 means 👍); anything else comes back unchanged."""
    table = core()
    place = table.number.get(bare(emoji))
    if place is not None:
        return table.chars[place]
    return normalise_or_none(emoji.translate(_UNTONED)) or emoji


def clean_foreign(text: str) -> str:
    """What another gateway calls a reaction, made fit to show: an emoji, or at most 8 harmless characters.

    Returns the empty string when nothing visible remains.
    """
    found = normalise_or_none(text)
    if found is not None:
        return found
    cleaned = clean_line(text[:200])[:_FOREIGN_LIMIT].strip()
    visible = "".join(char for char in cleaned if char.isprintable()).strip()
    # A leading combining mark would sit on whatever stands before the badge.
    while visible and unicodedata.category(visible[0]).startswith("M"):
        visible = visible[1:].lstrip()
    # What is left may be an emoji now that the rubbish around it is gone.
    return normalise_or_none(visible) or visible
