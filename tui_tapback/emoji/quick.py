"""The quick reactions of the pill, and the names that emoji bear where none can be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.normalise import base_of

# Exact code points: the heart and the double mark with U+FE0F, the others without. One more here is all that
# a seventh needs: the keys of transcript and pill, the help and the setting's limit count this tuple.
QUICK_REACTIONS = ("\u2764\ufe0f", "\U0001f44d", "\U0001f44e", "\U0001f602", "\u203c\ufe0f", "\u2753")

ASCII_NAMES: Mapping[str, str] = MappingProxyType(
    {"\u2764\ufe0f": "<3", "👍": "+1", "👎": "-1", "😂": "XD", "\u203c\ufe0f": "!!", "❓": "??"}
)


def ascii_form(emoji: str) -> str:
    """How an emoji is written in plain ASCII: ``<3`` for ❤️, ``:tada:`` for 🎉, ``:U+1FAE9:`` at worst."""
    base = base_of(emoji)
    short = ASCII_NAMES.get(base)
    if short is not None:
        return short
    known = load_catalogue().get(base)
    if known is not None and known.shortcodes:
        return f":{known.shortcodes[0]}:"
    return ":" + "-".join(f"U+{ord(char):04X}" for char in base) + ":"
