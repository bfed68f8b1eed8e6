"""Reads an emoji as models write it: quoted, with a word beside it, as a code point, in a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable

from tui_tapback.domain.errors import NotAnEmoji

from .companion_mood import find_emoji

Resolve = Callable[[str], str]
_CODE_POINTS = re.compile(r"(?:U\+|\\u\{?|\\U|&#x)(?P<hex>[0-9a-f]{2,8})(?:\}|;)?[\s,-]*", re.IGNORECASE)
_WRAPPING = "\"'`“”‘’«»()[]{}<>*_.,;! \t\n"
_FILLER = re.compile(r"^(?:an?|the|my)\s+|\s+(?:emoji|reaction|tapback|sign|symbol)$", re.IGNORECASE)
_LONGEST = 200


def read_emoji(text: str, resolve: Resolve) -> str:
    """The emoji that ``text`` means, fully qualified; ``resolve`` reads one that is written as it should be.

    Nothing is guessed: where two different emoji stand in it, or words that name none, the NotAnEmoji of
    ``resolve`` is raised, with candidates in its hint.
    """
    try:
        return resolve(text)
    except NotAnEmoji as refusal:
        if len(text) <= _LONGEST:
            for other in (_from_code_points(text), *_unwrapped(text)):
                try:
                    return resolve(other)
                except NotAnEmoji:
                    continue
            distinct = set(find_emoji(text))
            if len(distinct) == 1 and not re.search(r"\b(?:not|no|never)\b", text, re.IGNORECASE):
                return distinct.pop()
        raise refusal from None


def _from_code_points(text: str) -> str:
    """``U+1F44D U+1F3FD`` or ``\\u2764`` as characters; empty where there is anything else."""
    if not text.strip() or _CODE_POINTS.sub("", text.strip()):
        return ""
    numbers = [int(match["hex"], 16) for match in _CODE_POINTS.finditer(text)]
    if any(not 0 < number <= 0x10FFFF for number in numbers):
        return ""
    # JSON escapes of characters beyond the first plane come as two halves.
    joined = "".join(map(chr, numbers))
    return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unwrapped(text: str) -> tuple[str, str]:
    """Without quotes and brackets, and then without an article or the word emoji."""
    bare = text.strip(_WRAPPING)
    return bare, _FILLER.sub("", _FILLER.sub("", bare)).strip(_WRAPPING)
