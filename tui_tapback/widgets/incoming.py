"""What keys and pastes may put into a text field: printable text, newlines and tabs, whole code points."""

from __future__ import annotations

import re
from typing import Final

from tui_tapback.domain.text import clean_text

_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE: Final = re.compile("[\ud800-\udfff]")
# Characters that are not printable by themselves and still are part of emoji and words.
_JOINING: Final = re.compile("[\u200c\u200d\U000e0020-\U000e007f]")


def clean_paste(text: str) -> str:
    """``text`` with surrogate pairs joined, lone surrogates dropped and control characters made visible."""
    text = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return clean_text(_LONE.sub("", text).replace("\r\n", "\n").replace("\r", "\n"))


class TypedCharacters:
    """Turns the characters of key events into text; joins an emoji that arrives as two surrogates."""

    def __init__(self) -> None:
        self._high = ""

    def take(self, character: str | None) -> str:
        """Text to insert for one key event; ``""`` if there is none (yet)."""
        if not character:
            return ""
        high, self._high = self._high, ""
        if "\ud800" <= character[-1] <= "\udbff":
            self._high = character[-1]
            return ""
        if _LONE.search(character):
            return clean_paste(high + character)
        if character.isprintable() or _JOINING.fullmatch(character):
            return clean_paste(character)
        return ""
