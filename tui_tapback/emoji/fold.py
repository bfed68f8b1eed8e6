"""Folds words so that case, accents and separators make no difference to a search."""

from __future__ import annotations

import re
import unicodedata

# Letters that do not decompose, though people type them without their mark.
_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ı": "i", "ð": "d", "þ": "th",
}  # fmt: skip
# Signs that only separate words, and the apostrophes that people leave out.
_SEPARATORS = '_-–—−/,:;.!?¡¿()[]{}“”„«»"&|\\~*#^`´…·・、。「」『』（）：，／！？'
# Nor does anybody see a soft hyphen, a zero-width blank or a mark of direction that came with a paste.
_UNSEEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe0e\ufe0f\ufeff"
_DROPPED = "'’‘ʼ" + _UNSEEN
_MARKS = re.compile("[\u0300-\u036f]+")
_SPECIAL = re.compile("[" + "".join(_LETTERS) + _DROPPED + "]")
# Regular expressions, since str.translate looks every single character up in a dictionary.
_BREAKS = re.compile("[" + re.escape(_SEPARATORS) + "\\s]+")
_BREAKS_IN_LINE = re.compile("(?:[" + re.escape(_SEPARATORS) + "]|[^\\S\n])+")


def strip_accents(text: str) -> str:
    """``text`` in lower case without the accents of Latin, Greek and Cyrillic letters.

    Marks of scripts in which they are letters in their own right (Devanagari vowels, Thai tones, kana
    voicing) stay.
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _MARKS.sub("", decomposed))


def fold(text: str) -> str:
    """Return the search form of ``text``: lower case, no accents, words parted by single spaces.

    ``fold("Tête_de-Chat!") == "tete de chat"``. A text of signs only folds to the empty string. Newlines
    are kept, so that a whole table can be folded at once.
    """
    folded = strip_accents(text)
    if not folded.isascii() or "'" in folded or "`" in folded:
        folded = _SPECIAL.sub(lambda found: _LETTERS.get(found[0], ""), folded)
    if "\n" not in folded:
        return _BREAKS.sub(" ", folded).strip(" ")
    return _BREAKS_IN_LINE.sub(" ", folded).replace(" \n", "\n").replace("\n ", "\n").strip(" ")
