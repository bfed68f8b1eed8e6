"""The quick reactions of the pill as the settings give them: emoji or the old names, bad ones left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tui_tapback.domain.errors import NotAnEmoji
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.words import _

QUICK_LIMIT = len(QUICK_REACTIONS)
"""One per digit key; the seventh place of the pill is a suggestion."""

NAMES = {
    "love": "❤️",
    "heart": "❤️",
    "like": "👍",
    "dislike": "👎",
    "laugh": "😂",
    "haha": "😂",
    "emphasize": "‼️",
    "emphasise": "‼️",
    "question": "❓",
}
"""Names that older chat programs wrote into their settings."""

Normalise = Callable[[str], str]
Warn = Callable[[str], None]


def reaction(value: str, normalise: Normalise) -> str:
    """The emoji for an emoji or an old name. Raises NotAnEmoji."""
    return NAMES.get(value.strip().lower()) or normalise(value)


def quick_reactions(values: Sequence[str], normalise: Normalise, warn: Warn) -> tuple[str, ...]:
    """The usable ones of ``values`` without repetitions, or the six when none is left."""
    found: list[str] = []
    for value in values:
        try:
            emoji = reaction(value, normalise)
        except NotAnEmoji:
            warn(_("“{value}” is not one emoji and was left out.").format(value=clean_line(value, 20)))
            continue
        if emoji not in found:
            found.append(emoji)
    if len(found) > QUICK_LIMIT:
        warn(
            _("only the first {quick_limit} of {count} have a key.").format(
                quick_limit=QUICK_LIMIT, count=len(found)
            )
        )
    if not found and values:
        warn(_("none can be used, so the usual six stand."))
    return tuple(found[:QUICK_LIMIT]) or QUICK_REACTIONS
