"""Knows what people say in chats in eighteen languages, and which of them a message is written in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from tui_tapback.domain.values import value
from tui_tapback.emoji.fold import fold
from tui_tapback.emoji.locate import asset

_PHRASE = 4
_SHORTEST_STEM = 3
# What stands among the meanings of a language and is none.
_WORDS, _OPENERS = "words", "openers"
_OPENERS_IN_ENGLISH = frozenset(("how", "who", "what", "why", "where", "when", "which", "whose", "whats"))
# Scripts that one language is written in, or that are written without blanks.
_SCRIPTS = (
    ("\u3041", "\u30ff", ("ja",)),
    ("\uac00", "\ud7a3", ("ko",)),
    ("\u3131", "\u318e", ("ko",)),
    ("\u0e01", "\u0e5b", ("th",)),
    ("\u0900", "\u097f", ("hi",)),
    ("\u4e00", "\u9fff", ("zh", "zh-hant")),
)
_UNSPACED = frozenset({"ja", "ko", "th", "zh", "zh-hant"})


@value
class Said:
    """A phrase of a message with its meaning and the emoji that answer it, best first."""

    phrase: str
    meaning: str
    answers: tuple[str, ...]


@value
class Tongue:
    """One language: its commonest ``words``, whole ``phrases`` and ``stems``, each with a meaning.

    ``openers`` begin questions that are not answered with yes or no.
    """

    words: frozenset[str]
    openers: frozenset[str]
    phrases: dict[str, str]
    stems: dict[str, str]


@cache
def _document() -> dict[str, Any]:
    return json.loads(asset("phrases.json").read_text(encoding="utf-8"))


@cache
def tongues() -> dict[str, Tongue]:
    """Every language but English by its locale."""
    found: dict[str, Tongue] = {}
    for locale, by_meaning in _document()["languages"].items():
        phrases: dict[str, str] = {}
        stems: dict[str, str] = {}
        for meaning, text in by_meaning.items():
            for phrase in text.split(",") if meaning in _answers() else ():
                # The first meaning of a phrase holds: thanks before love.
                (stems if phrase.endswith("*") else phrases).setdefault(fold(phrase), meaning)
        words, openers = (frozenset(fold(by_meaning.get(key, "")).split()) for key in (_WORDS, _OPENERS))
        found[locale] = Tongue(words, openers, phrases, stems)
    return found


@cache
def _answers() -> dict[str, tuple[str, ...]]:
    return {name: tuple(of["answers"].split()) for name, of in _document()["meanings"].items()}


def shown(locale: str) -> Iterator[tuple[str, str]]:
    """Phrases of a language that the search is to know, each with one emoji; of stems there are none."""
    meanings = _document()["meanings"]
    for meaning, text in _document()["languages"].get(locale, {}).items():
        for phrase in text.split(",") if meaning in meanings else ():
            for emoji in meanings[meaning]["shows"].split() if not phrase.endswith("*") else ():
                yield phrase.strip(), emoji


def languages_of(text: str, locales: Sequence[str], english: frozenset[str]) -> tuple[str, ...]:
    """The languages that ``text`` (folded) may be written in; ``locales`` and English where nothing tells.

    ``english`` are the commonest words of English.
    """
    counts: dict[str, int] = {}
    for low, high, of in _SCRIPTS:
        number = sum(low <= char <= high for char in text)
        if number:
            # Kana and Hangul stand among Han signs; a few of them say more than all of those.
            return of
    words = text.split()
    counts = {
        locale: sum(word in tongue.words or word in tongue.openers for word in words)
        for locale, tongue in tongues().items()
    }
    counts["en"] = sum(word in english or word in _OPENERS_IN_ENGLISH for word in words)
    most = max(counts.values())
    own = dict.fromkeys((*locales, "en"))
    if not most:
        # "Danke!" has none of these words; what it says is German all the same.
        return tuple(dict.fromkeys((*own, *(locale for locale in tongues() if any(said(text, locale))))))
    best = [locale for locale, count in counts.items() if count == most]
    return tuple(locale for locale in own if locale in best) or tuple(best)


def opens_question(word: str, locale: str) -> bool:
    """Whether ``word`` (folded), first in a question, asks for more than yes or no."""
    tongue = tongues().get(locale)
    return word in (tongue.openers if tongue else _OPENERS_IN_ENGLISH)


def said(text: str, locale: str) -> Iterator[Said]:
    """The phrases of one language that stand in ``text`` (folded), the longest at each place."""
    tongue = tongues().get(locale)
    if tongue is None:
        return
    for phrase, meaning in _inside(text, tongue) if locale in _UNSPACED else _spaced(text, tongue):
        yield Said(phrase, meaning, _answers()[meaning])


def _inside(text: str, tongue: Tongue) -> Iterator[tuple[str, str]]:
    """In a script without blanks any place may be the beginning of a word."""
    return ((phrase, of) for phrase, of in (tongue.phrases | tongue.stems).items() if phrase in text)


def _spaced(text: str, tongue: Tongue) -> Iterator[tuple[str, str]]:
    words = text.split()
    start = 0
    while start < len(words):
        for length in range(min(_PHRASE, len(words) - start), 0, -1):
            phrase = " ".join(words[start : start + length])
            meaning = tongue.phrases.get(phrase) or _stem(phrase, words[start], tongue)
            if meaning:
                yield phrase, meaning
                start += length - 1
                break
        start += 1


def _stem(phrase: str, first: str, tongue: Tongue) -> str | None:
    """The meaning of the longest stem that ends inside the last word of ``phrase``."""
    shortest = max(_SHORTEST_STEM, phrase.rfind(" ") + 2 if phrase != first else 0)
    for end in range(len(phrase), shortest - 1, -1):
        meaning = tongue.stems.get(phrase[:end])
        if meaning:
            return meaning
    return None
