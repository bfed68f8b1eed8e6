"""Finds emoji by what a person types: one function for grid, completion, commands and ``+:name:``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from heapq import nsmallest

from tui_tapback.domain.values import value
from tui_tapback.emoji.catalogue import known_locale, load_catalogue, locale_table
from tui_tapback.emoji.core import bare, core, with_tone
from tui_tapback.emoji.emoticons import read_emoticon
from tui_tapback.emoji.fold import fold
from tui_tapback.emoji.index import LocaleIndex, locale_index
from tui_tapback.emoji.normalise import base_of, normalise_or_none
from tui_tapback.emoji.popularity import priors
from tui_tapback.emoji.query import LONGEST, Query, parse, parted
from tui_tapback.emoji.rank import Scorer
from tui_tapback.emoji.rank_words import Hits
from tui_tapback.emoji.weights import DEFAULT, Weights

DEFAULT_LIMIT = 60


@value
class Match:
    """One answer: the emoji, toned if the query asked for a tone, and the name or alias that matched."""

    emoji: str
    label: str


@value
class Answer:
    """A scored emoji before it becomes a match: its number, the tone asked for, and the label's place."""

    score: float
    number: int
    tone: int
    index: LocaleIndex
    label: int


def search(
    query: str,
    limit: int = DEFAULT_LIMIT,
    *,
    locales: Sequence[str] = ("en",),
    others: Callable[[], Sequence[str]] = tuple,
    recents: Mapping[str, float] | None = None,
    weights: Weights = DEFAULT,
) -> list[Match]:
    """The emoji that ``query`` may mean, best first, at most ``limit``; nothing for blanks and nonsense.

    ``locales`` are the person's languages; English is always among them. ``others`` tells in
    which further ones to look, and is asked only where these have no good answer.
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
    if answers and not _closed(text) and not any(len(word) > 1 for word in fold(text).split()):
        # An emoticon or a pasted emoji; its letters, if any, are no words.
        return list(answers.values())[:limit]
    own = _indexes((*locales, "en"))
    table = core()
    used: dict[int, float] = {}
    for emoji, weight in (recents or {}).items():
        number = table.number.get(bare(emoji))
        if number is not None:
            used[number] = max(used.get(number, 0.0), weight)
    ranked: list[Answer] = []
    for reading in parse(text):
        if reading.words:
            # With one reading answered, the other need not be guessed at.
            again = _ranked(reading, own, others, guess=not ranked, used=used, weights=weights, limit=limit)
            ranked = _merged(ranked, again)
    for answer in ranked:
        if len(answers) >= limit:
            break
        char = table.chars[answer.number]
        add(with_tone(char, answer.tone) if answer.tone else char, answer.index.labels[answer.label])
    return list(answers.values())[:limit]


def warm(locales: Sequence[str] = ("en",)) -> None:
    """Read and index what the first search in ``locales`` and English needs; the picker's names too.

    About 0.1 s of work that needs no screen: call it in a thread once the first frame is drawn. A search
    that comes before the end makes what it needs itself, and whoever is later takes that over.
    """
    for locale in dict.fromkeys((*locales, "en")):
        load_catalogue(locale).complete()
        locale_index(known_locale(locale)).complete()
    priors()
    _joined()


def _merged(first: list[Answer], second: list[Answer]) -> list[Answer]:
    """Two readings of one query, the one with the better best answer in front of the other."""
    if first and second and second[0].score > first[0].score:
        return second + first
    return first + second


def _indexes(locales: Sequence[str]) -> list[LocaleIndex]:
    return [locale_index(locale) for locale in dict.fromkeys(map(known_locale, locales))]


def _direct(text: str) -> list[tuple[str, str]]:
    """What the query says without any search: an emoji itself, a shortcode in full, an emoticon."""
    catalogue = load_catalogue()
    pasted = normalise_or_none(text)
    if pasted is not None:
        base = base_of(pasted)
        family = _joined().get(bare(base), [])
        return [(char, catalogue.name(char)) for char in dict.fromkeys((pasted, base, *family))]
    closed = _closed(text)
    found = [] if closed else [(emoji, text) for emoji in read_emoticon(text)]
    if closed or not text[:1].isalnum():
        known = catalogue.by_shortcode(text)
        if known is not None:
            found.append((known.char, text.strip(":").lower()))
    # Keywords that are signs themselves: ``*``, ``#``, ``$``.
    prior, chars = priors(), core().chars
    signs = locale_index("en").signs.get(text, ())
    numbers = sorted(signs, key=lambda number: (text not in chars[number], -prior[number]))
    return found + [(chars[number], text) for number in numbers]


def _closed(text: str) -> bool:
    """Whether the query is a shortcode with both of its colons."""
    return len(text) > 2 and text.startswith(":") and text.endswith(":")


@cache
def _joined() -> dict[str, list[str]]:
    """For each part of a joined sequence the sequences with it: 👦 is in the families."""
    table: dict[str, list[str]] = {}
    for char in core().chars:
        for part in dict.fromkeys(bare(char).split("\u200d")) if "\u200d" in char else ():
            table.setdefault(part, []).append(char)
    return table


@cache
def _further_words() -> tuple[int, ...]:
    """For each emoji how many words its English name has beyond the first, at most four.

    A cat is plainer than a cat with tears of joy; other languages file both under their word for a cat.
    """
    return tuple(min(name.count(" "), 4) for name in locale_table("en").names)


def _ranked(
    query: Query,
    own: Sequence[LocaleIndex],
    others: Callable[[], Sequence[str]],
    *,
    guess: bool,
    used: Mapping[int, float],
    weights: Weights,
    limit: int,
) -> list[Answer]:
    """The best ``limit`` emoji that answer one reading; slips are looked for only with ``guess``."""
    best: dict[int, tuple[float, LocaleIndex, int]] = {}
    further_words = _further_words()

    def take(index: LocaleIndex, hits: Hits, factor: float) -> None:
        plain = 0.0 if index.locale == "en" else weights.plain
        for number, score in hits.scores.items():
            worth = score * factor - plain * further_words[number]
            seen = best.get(number)
            if seen is None or seen[0] < worth:
                best[number] = (worth, index, hits.labels[number])

    def ask(indexes: Sequence[LocaleIndex], factor: float, typos: bool) -> None:
        for index in indexes:
            # Whoever reads Italian means the king by ``re``, not the flag with that code.
            aside = weights.beside if index.locale == "en" and index is not own[0] else 1.0
            take(index, Scorer(index, weights).match(query, typos=typos), factor * aside)

    ask(own, 1.0, typos=False)
    strongest = max((found[0] for found in best.values()), default=0.0)
    if strongest < weights.weak and not _too_short(query):
        further = [index for index in _indexes(others()) if index not in own]
        ask(further, weights.foreign, typos=False)
        strongest = max((found[0] for found in best.values()), default=0.0)
    if guess and strongest < weights.weak:
        for index in own:
            for reading in parted(query, index.words):
                take(index, Scorer(index, weights).match(reading, typos=False), weights.parted)
        strongest = max((found[0] for found in best.values()), default=0.0)
    if guess and strongest < weights.weak:
        # Nothing, or words that merely contain what was typed: perhaps it was a slip.
        ask(own, 1.0, typos=True)
    prior, toned = priors(), core().toned
    scored: list[tuple[float, int]] = []
    for number, (found, _, _) in best.items():
        if not query.tone or toned[number]:
            openness = 1.0 + weights.prior_open * (1.0 - min(found, 10.0) / 10.0)
            score = found + weights.prior * openness * prior[number] + weights.recent * used.get(number, 0.0)
            scored.append((-score - (weights.toned if query.tone else 0.0), number))
    return [
        Answer(-score, number, query.tone, best[number][1], best[number][2])
        for score, number in nsmallest(limit, scored)
    ]


def _too_short(query: Query) -> bool:
    """One or two Latin letters begin a word in every language, which says nothing."""
    return query.text.isascii() and len(query.text) < 3
