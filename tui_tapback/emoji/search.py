"""Finds emoji by what a person types: one function for grid, completion, commands and ``+:name:``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tui_tapback.emoji.catalogue import known_locale, load_catalogue
from tui_tapback.emoji.core import bare, core, with_tone
from tui_tapback.emoji.emoticons import read_emoticon
from tui_tapback.emoji.index import LocaleIndex, locale_index
from tui_tapback.emoji.normalise import base_of, normalise_or_none
from tui_tapback.emoji.popularity import priors
from tui_tapback.emoji.query import LONGEST, Query, parse
from tui_tapback.emoji.rank import Found, match

DEFAULT_LIMIT = 60
_PRIOR = 1.1
_RECENT = 0.9
_FOREIGN = 0.8


@dataclass(frozen=True, slots=True)
class Match:
    """One answer: the emoji, toned if the query asked for a tone, and the name or alias that matched."""

    emoji: str
    label: str


def search(
    query: str,
    limit: int = DEFAULT_LIMIT,
    *,
    locales: Sequence[str] = ("en",),
    recents: Mapping[str, float] | None = None,
) -> list[Match]:
    """The emoji that ``query`` may mean, best first, at most ``limit``; nothing for blanks and nonsense.

    ``locales`` are the languages to search, the person's own first; English is always among them.
    ``recents`` maps emoji to a weight from 0 to 1: what is used often wins among equals, no more.
    """
    text = query[: LONGEST * 2].strip()
    if not text or limit <= 0:
        return []
    answers: dict[str, Match] = {}

    def add(emoji: str, label: str) -> None:
        answers.setdefault(emoji, Match(emoji, label))

    for emoji, label in _direct(text):
        add(emoji, label)
    indexes = _indexes(locales)
    for reading in parse(text):
        if len(answers) >= limit:
            break
        for emoji, label in _ranked(reading, indexes, recents or {}, limit):
            add(emoji, label)
    return list(answers.values())[:limit]


def _indexes(locales: Sequence[str]) -> list[LocaleIndex]:
    wanted = dict.fromkeys([*(known_locale(locale) for locale in locales), "en"])
    return [locale_index(locale) for locale in wanted]


def _direct(text: str) -> list[tuple[str, str]]:
    """What the query says without any search: an emoji itself, a shortcode in full, an emoticon."""
    catalogue = load_catalogue()
    found: list[tuple[str, str]] = []
    pasted = normalise_or_none(text)
    if pasted is not None:
        found.append((pasted, catalogue.name(pasted)))
        base = base_of(pasted)
        found.append((base, catalogue.name(base)))
        found += [(char, catalogue.name(char)) for char in core().chars if _family(base, char)]
        return found
    colon = text.startswith(":") and text.endswith(":") and len(text) > 2
    if colon or not any(char.isalnum() for char in text[:1]):
        known = catalogue.by_shortcode(text)
        if known is not None:
            found.append((known.char, text.strip(":").lower()))
    if not found:
        found += [(emoji, text) for emoji in read_emoticon(text)]
    return found


def _family(base: str, char: str) -> bool:
    """Whether ``char`` is a joined sequence with ``base`` in it (👦 and the families)."""
    return char != base and "\u200d" in char and bare(base) in bare(char).split("\u200d")


def _ranked(
    query: Query, indexes: list[LocaleIndex], recents: Mapping[str, float], limit: int
) -> list[tuple[str, str]]:
    if not query.words:
        return []
    best: dict[int, tuple[float, LocaleIndex, Found]] = {}
    for typos in (False, True):
        for place, index in enumerate(indexes):
            weight = 1.0 if place == 0 or index.locale == "en" else _FOREIGN
            if typos and weight < 1.0:
                continue
            for number, found in match(index, query, typos=typos).items():
                score = found.score * weight
                seen = best.get(number)
                if seen is None or seen[0] < score:
                    best[number] = (score, index, found)
        if best:
            break
    prior, table = priors(), core()
    used = {table.number.get(bare(base_of(emoji))): weight for emoji, weight in recents.items()}

    def key(number: int) -> tuple[float, int]:
        score = best[number][0] + _PRIOR * prior[number] + _RECENT * used.get(number, 0.0)
        if query.tone and not table.toned[number]:
            score -= 20.0
        return -score, number

    answers: list[tuple[str, str]] = []
    for number in sorted(best, key=key)[:limit]:
        _, index, found = best[number]
        char = table.chars[number]
        if query.tone:
            if not table.toned[number]:
                continue
            char = with_tone(char, query.tone)
        answers.append((char, index.labels[found.label]))
    return answers
