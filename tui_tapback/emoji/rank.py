"""Scores the labels of one language's index against a query: exact over prefix over word over inside."""

from __future__ import annotations

from dataclasses import dataclass

from tui_tapback.emoji.index import Kind, LocaleIndex
from tui_tapback.emoji.query import Query
from tui_tapback.emoji.typos import corrections, prefix_corrections
from tui_tapback.emoji.variants import variants

# What a label weighs by its kind; names and shortcodes are what an emoji is called.
KIND_WEIGHT = {Kind.NAME: 1.0, Kind.SHORTCODE: 0.97, Kind.KEYWORD: 0.86, Kind.MORE: 0.78, Kind.GROUP: 0.5}
_WEIGHTS = tuple(KIND_WEIGHT[kind] for kind in sorted(KIND_WEIGHT))

# Quality of a word match.
EXACT, VARIANT, PREFIX, TYPO, TYPO_PREFIX, INSIDE = 1.0, 0.86, 0.5, 0.55, 0.4, 0.25


@dataclass(slots=True)
class Found:
    """The best match of one emoji so far; ``label`` is a place in the index."""

    score: float
    label: int


def _word_qualities(index: LocaleIndex, word: str, open_end: bool) -> dict[str, float]:
    """The words of the index that ``word`` may mean, with the quality of each."""
    found: dict[str, float] = {}
    length = len(word)
    for other in index.starting(word):
        found[other] = EXACT if other == word else PREFIX + 0.3 * length / len(other)
    if index.locale == "en":
        for form in variants(word):
            if form in index.words and found.get(form, 0.0) < VARIANT:
                found[form] = VARIANT
    return found


def _loose_qualities(index: LocaleIndex, word: str) -> dict[str, float]:
    """Words that contain ``word``, and words one slip away from it."""
    found: dict[str, float] = {}
    if len(word) >= 3 or not word.isascii():
        for other in index.containing(word):
            found[other] = INSIDE + 0.2 * len(word) / len(other)
    return found


def _typo_qualities(index: LocaleIndex, word: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for form in corrections(word, index.words):
        found[form] = TYPO
    if not found:
        for form in prefix_corrections(word, index.ordered):
            for other in index.starting(form):
                found.setdefault(other, TYPO_PREFIX + 0.1 * len(form) / len(other))
    return found


def word_matches(index: LocaleIndex, word: str, open_end: bool, typos: bool) -> dict[int, float]:
    """Labels that contain a form of ``word``, with the quality of the best form."""
    qualities = _word_qualities(index, word, open_end)
    if len(qualities) < 12:
        for other, quality in _loose_qualities(index, word).items():
            qualities.setdefault(other, quality)
    if typos and not qualities:
        qualities = _typo_qualities(index, word)
    labels: dict[int, float] = {}
    words = index.words
    for other, quality in qualities.items():
        for label in words[other]:
            if labels.get(label, 0.0) < quality:
                labels[label] = quality
    return labels


def match(index: LocaleIndex, query: Query, *, typos: bool) -> dict[int, Found]:
    """Score every emoji that matches all needed words of ``query``; emoji number → best match."""
    by_word = {word: word_matches(index, word, query.open, typos) for word in query.needed}
    if len(query.needed) == 1:
        return _single(index, query, by_word[query.needed[0]])
    return _several(index, query, by_word)


def _label_score(index: LocaleIndex, label: int, text: str, quality: float, covered: int) -> float:
    folded = index.folded[label]
    share = covered / index.lengths[label] if index.lengths[label] else 1.0
    if folded == text:
        tier = 10.0
    elif folded.startswith(text):
        tier = 5.5 + 2.0 * len(text) / len(folded) + (1.0 if quality >= 0.99 else 0.0)
    else:
        tier = 6.0 * quality + 2.0 * share * quality
    return tier * _WEIGHTS[index.kinds[label]]


def _single(index: LocaleIndex, query: Query, labels: dict[int, float]) -> dict[int, Found]:
    best: dict[int, Found] = {}
    text, numbers = query.text, index.numbers
    for label, quality in labels.items():
        score = _label_score(index, label, text, quality, 1)
        for number in numbers[label]:
            seen = best.get(number)
            if seen is None:
                best[number] = Found(score, label)
            elif seen.score < score:
                seen.score, seen.label = score, label
    return best


def _several(index: LocaleIndex, query: Query, by_word: dict[str, dict[int, float]]) -> dict[int, Found]:
    """All words in one label count for more than all words spread over the labels of one emoji."""
    tables = list(by_word.values())
    spread: dict[int, Found] | None = None
    for labels in tables:
        of_word: dict[int, Found] = {}
        for label, quality in labels.items():
            score = (4.2 * quality + 1.0 * quality / index.lengths[label]) * _WEIGHTS[index.kinds[label]]
            for number in index.numbers[label]:
                seen = of_word.get(number)
                if seen is None:
                    of_word[number] = Found(score, label)
                elif seen.score < score:
                    seen.score, seen.label = score, label
        if spread is None:
            spread = of_word
        else:
            spread = {
                number: Found(spread[number].score + found.score, spread[number].label)
                for number, found in of_word.items()
                if number in spread
            }
    best = spread or {}
    for found in best.values():
        found.score /= len(tables)
    first = min(tables, key=len)
    for label in first:
        if all(label in labels for labels in tables):
            quality = sum(labels[label] for labels in tables) / len(tables)
            score = _label_score(index, label, query.text, quality, len(query.words))
            for number in index.numbers[label]:
                seen = best.get(number)
                if seen is None or seen.score < score:
                    best[number] = Found(score, label)
    return best
