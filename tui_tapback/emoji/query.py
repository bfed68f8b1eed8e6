"""Takes a query apart: a tone, an optional colon form, the folded words, and the ones that may be missing."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace

from tui_tapback.domain.values import value
from tui_tapback.emoji.fold import fold

LONGEST = 120
# Shortest half of two words written as one.
_PART = 3
_SLACK_TONE = re.compile(r":?:?skin[-_ ]tone[-_ ]?([1-6]):?\s*$", re.IGNORECASE)
_DISCORD_TONE = re.compile(r"[_ ]tone([1-5]):?\s*$", re.IGNORECASE)
# ``skin tone`` may be as yet half typed, and so may the second word of ``medium dark``.
_SKIN = r"(?: s(?:k(?:in?)?)?(?: t(?:o(?:ne?)?)?)?)?"
_WORD_TONE = re.compile(
    rf"\b(medium|mid)[ -]?(light|dark){_SKIN}\b"
    rf"|\b(light|medium|dark)(?:(?<=medium) (?:l(?:i(?:gh?)?)?|d(?:ar?)?)$)?{_SKIN}\b",
    re.IGNORECASE,
)
_TONE_NUMBER = {"light": 1, "medium light": 2, "medium": 3, "medium dark": 4, "dark": 5}
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "and",
        "with",
        "in",
        "on",
        "to",
        "for",
        "is",
        "that",
        "so",
        "very",
        "really",
        "my",
        "your",
        "emoji",
        "emojis",
        "icon",
        "symbol",
        "sign",
    ]
)


@value
class Query:
    """``text`` is the folded query, ``words`` its words, ``needed`` those that must match somewhere.

    ``tone`` is 0, or 1 (light) to 5 (dark) as asked for; ``open`` says that the last word may still be
    typed on (no blank or colon after it).
    """

    text: str
    words: tuple[str, ...]
    needed: tuple[str, ...]
    tone: int = 0
    open: bool = True


def _make(text: str, tone: int, open_end: bool) -> Query:
    folded = fold(text)
    words = tuple(dict.fromkeys(folded.split()))
    needed = tuple(word for word in words if word not in _STOP) or words
    return Query(folded, words, needed, tone, open_end)


def parse(text: str) -> tuple[Query, ...]:
    """The readings of a query, the likeliest first: at most one with a tone and the plain one.

    ``thumbs up dark`` may be 👍🏿; ``dark sunglasses`` (no such tone form) is left to the plain reading.
    """
    text = text.strip()[:LONGEST]
    closed = len(text) > 1 and text.endswith(":")
    slack = _SLACK_TONE.search(text)
    if slack:
        # Slack counts from 2 (light) to 6 (dark).
        return (_make(text[: slack.start()], max(int(slack[1]) - 1, 1), False),)
    discord = _DISCORD_TONE.search(text)
    if discord:
        return (_make(text[: discord.start()], int(discord[1]), False),)
    plain = _make(text, 0, not closed)
    match = _WORD_TONE.search(plain.text)
    if match is None:
        return (plain,)
    name = match[3] or f"medium {match[2]}"
    rest = f"{plain.text[: match.start()]} {plain.text[match.end() :]}"
    toned = _make(rest, _TONE_NUMBER[name.lower()], not closed)
    return (toned, plain) if toned.words else (plain,)


def _cuts(word: str) -> Sequence[int]:
    """Where a word may be two; a number only before its last two digits, as in a time of day."""
    if word.isdecimal():
        return (len(word) - 2,) if len(word) in {3, 4} else ()
    return range(_PART, len(word) - _PART + 1)


def parted(query: Query, vocabulary: Container[str]) -> list[Query]:
    """The query with a word that ``vocabulary`` lacks read as two that it has: ``redheart``, ``1130``."""
    found: list[Query] = []
    for place, word in enumerate(query.needed):
        if word in vocabulary:
            continue
        for cut in _cuts(word):
            pair = (word[:cut], word[cut:])
            if pair[0] in vocabulary and pair[1] in vocabulary:
                words = (*query.needed[:place], *pair, *query.needed[place + 1 :])
                found.append(replace(query, text=" ".join(words), words=words, needed=words))
    return found
