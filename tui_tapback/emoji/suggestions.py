"""Suggests tapbacks for a message from its words, its signs and its reader's habits, without a model."""

from __future__ import annotations

import heapq
import json
import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from tui_tapback.domain.values import value
from tui_tapback.emoji.catalogue import known_locale
from tui_tapback.emoji.core import bare, core
from tui_tapback.emoji.emoticons import read_emoticon
from tui_tapback.emoji.fold import fold
from tui_tapback.emoji.index import Kind, LocaleIndex, locale_index
from tui_tapback.emoji.locate import asset
from tui_tapback.emoji.normalise import base_of, normalise_or_none
from tui_tapback.emoji.phrases import languages_of, opens_question, said
from tui_tapback.emoji.popularity import priors
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.emoji.search import Match
from tui_tapback.emoji.thesaurus import related
from tui_tapback.emoji.variants import number_forms, verb_forms

_LONGEST = 2000
_WORDS = 80
_PHRASE = 4
# Words of so many emoji say nothing about any of them.
_COMMON = 40
_RELATED = 0.7
# A message that says "nine" wants no 9️⃣ as an answer.
_KEYCAP = "\u20e3"
_CUE, _OPENING, _TOPIC, _SIGN, _HABIT, _PRIOR = 2.0, 0.3, 1.2, 1.0, 0.9, 0.35
# Each further answer to a phrase is less likely by so much.
_NEXT = 0.65
# What one taps when a message is good or bad as a whole, and how much each point of valence says.
_GLAD, _SORRY, _MOOD, _MOOD_CAP = ("🎉", "❤️", "👏"), ("😢", "😬", "😡"), 0.28, 5
_NEGATIONS = frozenset(
    (
        "not",
        "no",
        "never",
        "dont",
        "doesnt",
        "didnt",
        "isnt",
        "wasnt",
        "cant",
        "couldnt",
        "without",
        "hardly",
        "nobody",
        "nothing",
        "wont",
    )
)
_ASKED = ("🤔", "❓", "👀")
# Messages whose words are kept understood: those between which one moves about.
_UNDERSTOOD = 64


@value
class _Lexicon:
    """``cues``: folded phrase → emoji, best first. ``idle``: words that are about nothing."""

    cues: dict[str, tuple[str, ...]]
    idle: frozenset[str]


@cache
def _lexicon() -> _Lexicon:
    document = json.loads(asset("cues.json").read_text(encoding="utf-8"))
    cues: dict[str, tuple[str, ...]] = {}
    for phrases, answers in document["cues"]:
        for phrase in phrases.split(","):
            key = fold(phrase)
            cues[key] = (*cues.get(key, ()), *answers.split())
    return _Lexicon(cues, frozenset(document["idle"].split()))


def suggest(
    message: str,
    limit: int = 3,
    *,
    locales: Sequence[str] = ("en",),
    recents: Mapping[str, float] | None = None,
) -> list[Match]:
    """The tapbacks that fit ``message`` best, at most ``limit``; what nothing speaks for is filled by habit.

    ``recents`` maps emoji to a weight from 0 to 1, as ``Recents.weights`` gives them. The label of an
    answer is the word or phrase of the message that brought it, and is empty for habit alone.
    """
    understood = _understood(message[:_LONGEST], tuple(locales))
    scores = dict(understood.scores)
    for emoji, weight in (recents or {}).items():
        form = normalise_or_none(emoji)
        if form is not None:
            scores[form] = scores.get(form, 0.0) + _HABIT * weight
    # The quick six stand in their own order behind whatever the message says.
    usual = {emoji: (place, _PRIOR * (1.0 - place / 10)) for place, emoji in enumerate(QUICK_REACTIONS)}
    scores = {**dict.fromkeys(usual, 0.0), **scores}
    prior, numbers = priors(), core().number

    def order(emoji: str) -> tuple[float, int]:
        if emoji in usual:
            place, before = usual[emoji]
            return -scores[emoji] - before, place
        number = numbers.get(bare(base_of(emoji)), -1)
        return -scores[emoji] - (_PRIOR * prior[number] if number >= 0 else 0.0), number

    best = heapq.nsmallest(max(0, limit), scores, key=order)
    return [Match(emoji, understood.labels.get(emoji, "")) for emoji in best]


def prepare(message: str, *, locales: Sequence[str] = ("en",)) -> None:
    """Understand ``message`` before it is asked about; may be called in a thread.

    That is nearly all of the work of ``suggest``, and depends on nothing but the text.
    """
    _understood(message[:_LONGEST], tuple(locales))


@value
class _Understood:
    """What a message speaks for. ``labels``: the strongest word or phrase that brought each emoji."""

    scores: Mapping[str, float]
    labels: Mapping[str, str]


@lru_cache(maxsize=_UNDERSTOOD)
def _understood(text: str, locales: tuple[str, ...]) -> _Understood:
    scores: dict[str, float] = {}
    strongest: dict[str, tuple[float, str]] = {}
    for emoji, score, label in (*_signs(text), *_said(text, locales)):
        scores[emoji] = scores.get(emoji, 0.0) + score
        strongest[emoji] = max(strongest.get(emoji, (0.0, "")), (score, label))
    return _Understood(scores, {emoji: label for emoji, (_, label) in strongest.items()})


def _signs(text: str) -> Iterator[tuple[str, float, str]]:
    """What emoji, emoticons and punctuation in the message say."""
    for piece in text.split()[:_WORDS]:
        emoji = normalise_or_none(piece.strip(".,;"))
        if emoji is not None:
            yield emoji, _CUE, emoji
        for read in read_emoticon(piece)[:1] if not piece.isalnum() else ():
            yield read, _CUE, piece
    ending = _ending(text)
    if "?" in ending:
        yield "❓", _SIGN * 0.8, "?"
        yield "👍", _SIGN * 0.5, "?"
        yield "🤔", _SIGN * 0.7, "?"
    if "!!" in ending:
        yield "‼️", _SIGN * 0.8, "!!"
    if "!" in ending:
        yield "🎉", _SIGN * 0.3, "!"
        yield "❤️", _SIGN * 0.3, "!"


def _ending(text: str) -> str:
    """The last signs of a message, the wide ones of East Asia as ours."""
    return unicodedata.normalize("NFKC", text.rstrip()[-3:])


def _said(text: str, locales: Sequence[str]) -> Iterator[tuple[str, float, str]]:
    """What the words and phrases of the message say: first how one feels about it, then what it is about."""
    folded = " ".join(fold(text).split()[:_WORDS])
    own = [known_locale(locale) for locale in locales]
    for locale in languages_of(folded, own, _lexicon().idle):
        if locale == "en":
            yield from _cues(folded.split())
        for found in said(folded, locale):
            for place, emoji in enumerate(found.answers):
                yield emoji, (_CUE + 0.4 * found.phrase.count(" ")) * _NEXT**place, found.phrase
        first = folded.partition(" ")[0]
        if "?" in _ending(text) and opens_question(first, locale):
            for place, emoji in enumerate(_ASKED):
                yield emoji, _CUE * _NEXT**place, first
        yield from _topics(locale_index(locale), folded.split())


def _cues(words: Sequence[str]) -> Iterator[tuple[str, float, str]]:
    """What one answers to English phrases, and to a good or a bad message as a whole."""
    cues = _lexicon().cues
    for start, _ in enumerate(words):
        for length in range(1, _PHRASE + 1):
            phrase = " ".join(words[start : start + length])
            if length <= len(words) - start:
                for place, emoji in enumerate(cues.get(phrase, ())):
                    opening = _OPENING if start == 0 else 0.0
                    yield emoji, (_CUE + 0.4 * (length - 1) + opening) * _NEXT**place, phrase
    mood = valence(words)
    for place, emoji in enumerate(_GLAD if mood > 0 else _SORRY if mood < 0 else ()):
        yield emoji, _MOOD * min(abs(mood), _MOOD_CAP) * _NEXT**place, ""


@cache
def _valences() -> dict[str, int]:
    return json.loads(asset("valence.json").read_text(encoding="utf-8"))["words"]


def valence(words: Sequence[str]) -> int:
    """How good (above 0) or bad English ``words`` sound together; a negation turns the three after it."""
    total, table = 0, _valences()
    for place, word in enumerate(words):
        number = table.get(word, 0)
        negated = number and not _NEGATIONS.isdisjoint(words[max(0, place - 3) : place])
        total -= number if negated else -number
    return total


def _topics(index: LocaleIndex, words: Sequence[str]) -> Iterator[tuple[str, float, str]]:
    """The search index turned round: labels that the message contains."""
    chars, prior, idle = core().chars, priors(), _lexicon().idle
    spread = len(words) ** 0.25 if words else 1.0
    for start, word in enumerate(words):
        phrase = word
        for length in range(1, min(_PHRASE, len(words) - start) + 1):
            if length > 1:
                phrase = f"{phrase} {words[start + length - 1]}"
            elif word in idle or (len(word) < 3 and word.isascii()):
                continue
            for label, nearness in _near(index, phrase, length):
                numbers = index.numbers[label]
                if len(numbers) > _COMMON or index.kinds[label] == Kind.GROUP:
                    continue
                numbers = [number for number in numbers if not chars[number].endswith(_KEYCAP)]
                if not numbers:
                    continue
                rare = nearness / (1.0 + math.log(len(numbers)))
                for number in numbers:
                    score = _TOPIC * rare * (0.5 + prior[number]) * (1.0 + 0.4 * (length - 1)) / spread
                    yield chars[number], score, phrase


def _near(index: LocaleIndex, phrase: str, length: int) -> Iterator[tuple[int, float]]:
    """Labels that are ``phrase``, or nearly mean it where no emoji is called that, and how near they are."""
    exact = _labels(index, phrase, length)
    yield from ((label, 1.0) for label in exact)
    if not exact and length == 1 and index.locale == "en":
        for word in related(phrase):
            yield from ((label, _RELATED) for label in _labels(index, word, 1))


def _labels(index: LocaleIndex, phrase: str, length: int) -> Sequence[int]:
    """Labels that are ``phrase``, or a form of it if it is one word."""
    forms = [phrase]
    if length == 1 and index.locale == "en":
        forms += number_forms(phrase)
        if len(phrase) > 4:
            forms += verb_forms(phrase)
    first = forms if length == 1 else [phrase.split(" ", 1)[0]]
    return [label for form in first for label in index.words.get(form, ()) if index.folded[label] in forms]
