"""Scores the labels of one language's index against a query: exact over prefix over word over inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tui_tapback.emoji.index import Kind, LocaleIndex
from tui_tapback.emoji.query import Query
from tui_tapback.emoji.thesaurus import related
from tui_tapback.emoji.typos import corrections, prefix_corrections
from tui_tapback.emoji.variants import number_forms, verb_forms
from tui_tapback.emoji.weights import DEFAULT, Weights

# Shortest word that may carry a query alone when its other words mean nothing.
ANCHOR = 4
# Above so many words that begin with the query's, words that merely contain it are noise.
_ENOUGH = 12


@dataclass(slots=True)
class Hits:
    """What one language answers: for each emoji number its score and the label that earned it."""

    scores: dict[int, float] = field(default_factory=dict[int, float])
    labels: dict[int, int] = field(default_factory=dict[int, int])
    totals: dict[int, float] = field(default_factory=dict[int, float])

    def add(self, numbers: list[int], score: float, label: int) -> None:
        """Record that ``label`` scores so much for each of its emoji."""
        scores, totals = self.scores, self.totals
        for number in numbers:
            seen = scores.get(number)
            if seen is None:
                scores[number] = totals[number] = score
                self.labels[number] = label
            else:
                totals[number] += score
                if seen < score:
                    scores[number] = score
                    self.labels[number] = label

    def weigh_evidence(self, weights: Weights) -> None:
        """An emoji that answers by several of its labels is a likelier answer."""
        scores = self.scores
        for number, total in self.totals.items():
            rest = total - scores[number]
            if rest:
                scores[number] += weights.evidence * min(rest, weights.evidence_cap)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One word of a query with the words it may stand for (``forms``) and the beginnings it may be of."""

    word: str
    forms: tuple[tuple[str, float], ...]
    beginnings: tuple[tuple[str, float], ...]
    inside: bool
    needles: tuple[str, ...]

    def whole(self) -> Pattern:
        """The same word with nothing after it."""
        return replace(self, beginnings=(), needles=tuple(f" {form} " for form, _ in self.forms))

    def is_in(self, padded: str) -> bool:
        """Whether the word is in a text at all: the quick look before ``quality``."""
        return any(map(padded.__contains__, self.needles))

    def word_quality(self, word: str) -> float:
        """How well one word of the index answers."""
        for form, quality in self.forms:
            if form == word:
                return quality
        for beginning, quality in self.beginnings:
            if word.startswith(beginning):
                return quality * (0.6 + 0.3 * len(beginning) / len(word))
        return 0.3

    def quality(self, padded: str) -> float:
        """How well a label (folded, a blank at either end) holds the word, 0 for not at all."""
        if not self.is_in(padded):
            return 0.0
        best = 0.0
        for form, quality in self.forms:
            if quality > best and f" {form} " in padded:
                best = quality
        if best:
            return best
        for beginning, quality in self.beginnings:
            place = padded.find(f" {beginning}")
            if place >= 0:
                length = len(beginning)
                return quality * (0.6 + 0.3 * length / (padded.index(" ", place + 1 + length) - place - 1))
        return 0.3 if self.inside and self.word in padded else 0.0


class Known(NamedTuple):
    """A pattern with the words that it may mean; ``size`` is the most labels that can have one."""

    size: int
    pattern: Pattern
    words: dict[str, Sequence[int]]


class Scorer:
    """Scores queries against one index."""

    def __init__(self, index: LocaleIndex, weights: Weights = DEFAULT) -> None:
        self.index = index
        self.weights = weights

    def match(self, query: Query, *, typos: bool) -> Hits:
        """The emoji that answer all needed words of ``query``; with ``typos``, mistyped words too."""
        if len(query.needed) == 1:
            hits = self._word(query.needed[0], query.text, typos=typos)
            hits.weigh_evidence(self.weights)
            return hits
        return self._several(query, typos=typos)

    def forms(self, word: str, *, typos: bool) -> dict[str, float]:
        """Words of the index that ``word`` may mean, but for longer ones; each with its quality."""
        words, weights = self.index.words, self.weights
        found: dict[str, float] = {}
        if word in words:
            found[word] = 1.0
        if self.index.locale == "en":
            for form in number_forms(word):
                if form in words:
                    found.setdefault(form, weights.number_form)
            if not typos or found:
                for form in verb_forms(word):
                    if form in words:
                        found.setdefault(form, weights.verb_form)
        # A word known only as a form of a verb may as well be a slip: speakker is a speaker.
        if (typos and not found) or (found and max(found.values()) <= weights.verb_form):
            found.update(dict.fromkeys(corrections(word, words.known), weights.typo))
            if self.index.locale == "en":
                for form in self._related(word):
                    found.setdefault(form, weights.related)
        return found

    def _related(self, word: str) -> list[str]:
        words = self.index.words
        for lemma in (word, *number_forms(word), *verb_forms(word)):
            found = [form for form in related(lemma) if form in words]
            if found:
                return found
        return []

    def _word(self, word: str, text: str, *, typos: bool) -> Hits:
        """All labels with a form of ``word``; ``text`` is the whole query, for labels that are just it."""
        hits = Hits()
        index = self.index
        words, numbers, add = index.words, index.numbers, hits.add
        for form, quality in self.forms(word, typos=typos).items():
            for label in words[form]:
                add(numbers[label], self._exact(label, form, text, quality), label)
        longer = self._longer(word, text, hits, 1.0)
        if longer < _ENOUGH and self._may_be_inside(word):
            for other in index.containing(word):
                quality = self.weights.inside * (0.6 + 0.4 * len(word) / len(other))
                for label in words[other]:
                    add(numbers[label], self.weights.word[index.kinds[label]] * quality, label)
        if typos and not hits.scores:
            for form in prefix_corrections(word, index.words.ordered):
                self._longer(form, form, hits, self.weights.typo_prefix)
        return hits

    def _may_be_inside(self, word: str) -> bool:
        return not word.isascii() or (len(word) >= 3 and self.index.locale == "en")

    def _exact(self, label: int, form: str, text: str, quality: float) -> float:
        index, weights = self.index, self.weights
        folded, kind = index.folded[label], index.kinds[label]
        if folded == text:
            # ``rock on`` is more than ``rock``, though ``on`` need not match.
            # In other languages many a plain word is the name of a rarity: cœur is the organ, Herz a card.
            whole = weights.abroad if kind == Kind.NAME and index.locale != "en" else weights.whole[kind]
            return whole * quality + weights.run * text.count(" ")
        if folded == form:
            return weights.whole[kind] * quality * (0.93 if " " in text else 1.0)
        score = weights.word[kind] + weights.share / index.lengths[label]
        if folded.startswith(form):
            score += weights.first
        elif kind <= Kind.SHORTCODE and folded.endswith(form):
            # The last word of an English name is what the thing is: a chequered flag is a flag.
            score += weights.last
        return score * quality

    def _longer(self, word: str, text: str, hits: Hits, scale: float) -> int:
        """Words that begin with ``word`` and go on; returns how many there were."""
        if len(word) == 1 and word.isascii():
            return self._letter(word, hits, scale)
        index, weights = self.index, self.weights
        folded, kinds, lengths, numbers = index.folded, index.kinds, index.lengths, index.numbers
        prefix, first, half = weights.prefix, weights.first * scale, weights.share * 0.5
        scores, totals, best = hits.scores, hits.totals, hits.labels
        count = 0
        for other, labels in index.words.beginning(word):
            count += 1
            if other == word:
                continue
            base = weights.completion * len(word) / len(other)
            for label in labels:
                score = (base + prefix[kinds[label]] + half / lengths[label]) * scale
                if folded[label].startswith(text):
                    score += first
                # As Hits.add, written out: this loop is where a keystroke spends its time.
                for number in numbers[label]:
                    seen = scores.get(number)
                    if seen is None:
                        scores[number] = totals[number] = score
                        best[number] = label
                    else:
                        totals[number] += score
                        if seen < score:
                            scores[number] = score
                            best[number] = label
        return count

    def _letter(self, letter: str, hits: Hits, scale: float) -> int:
        """A single letter asks only for names and shortcodes that begin with it; more would be half."""
        index, weights = self.index, self.weights
        labels = index.named(letter)
        for label in labels:
            text = index.folded[label]
            if len(text) > 1 and text[1] != " ":
                base = weights.completion / (text.find(" ") if " " in text else len(text))
                score = base + weights.prefix[index.kinds[label]] + weights.share * 0.5 / index.lengths[label]
                hits.add(index.numbers[label], (score + weights.first) * scale, label)
        return max(len(labels), _ENOUGH)

    def _pattern(self, word: str, *, typos: bool) -> Pattern:
        forms = self.forms(word, typos=typos)
        beginnings: dict[str, float] = {word: 1.0} if self.index.words.count(word) else {}
        inside = self._may_be_inside(word)
        if typos and not forms and not beginnings:
            beginnings = dict.fromkeys(
                prefix_corrections(word, self.index.words.ordered), self.weights.typo_prefix
            )
        needles = [f" {beginning}" for beginning in beginnings]
        needles += [f" {form} " for form in forms if not form.startswith(tuple(beginnings))]
        if inside:
            needles = [word, *(needle for needle in needles if word not in needle)]
        return Pattern(word, tuple(forms.items()), tuple(beginnings.items()), inside, tuple(needles))

    def _known(self, patterns: list[Pattern]) -> list[Known]:
        """The patterns that mean some word of the index, the rarest first."""
        index, found = self.index, list[Known]()
        for pattern in patterns:
            words: dict[str, Sequence[int]] = {form: index.words[form] for form, _ in pattern.forms}
            count = sum(map(len, words.values()))
            for beginning, _ in pattern.beginnings:
                words.update(index.words.beginning(beginning))
                count += index.words.count(beginning)
            if pattern.inside and len(words) < _ENOUGH:
                words.update((word, index.words[word]) for word in index.containing(pattern.word))
            if words:
                found.append(Known(count, pattern, words))
        return sorted(found, key=lambda known: known.size)

    def _several(self, query: Query, *, typos: bool) -> Hits:
        """All words in one label count for more than all words spread over the labels of one emoji."""
        hits = Hits()
        patterns = [self._pattern(word, typos=typos) for word in query.needed]
        longer = [pattern for pattern in patterns if len(pattern.word) > 1 or not pattern.word.isascii()]
        known = self._known(longer)
        if longer and len(longer) < len(patterns):
            # The first letter of the next word: begun in one label with the others, or else nothing yet.
            if len(known) == len(longer):
                self._together(query, known, patterns, 1.0, hits)
                if hits.scores:
                    return hits
            patterns = [pattern.whole() if pattern not in longer else pattern for pattern in patterns]
            patterns = [pattern for pattern in patterns if pattern in longer or pattern.forms]
        if len(longer) < len(patterns):
            known = self._known(patterns)
        if len(known) == len(patterns):
            self._every(query, known, 1.0, hits)
        if not typos or hits.scores:
            return hits
        if len(known) == len(patterns) and all(pattern.word in self.index.words for pattern in patterns):
            return self._apart(patterns)
        # One word means nothing: the others then, if one is sure.
        if len(known) == len(patterns):
            known = [each for each in known if each.pattern.word in self.index.words]
        anchored = any(
            len(each.pattern.word) >= ANCHOR and each.pattern.word in self.index.words for each in known
        )
        if anchored and len(patterns) <= len(known) * 2:
            hits = Hits()
            self._every(query, known, self.weights.relaxed, hits)
        return hits

    def _apart(self, patterns: list[Pattern]) -> Hits:
        """No emoji has all of these words, though each means something: those that are called just one."""
        hits, index, weights = Hits(), self.index, self.weights
        for pattern in patterns:
            for form, quality in pattern.forms:
                for label in index.words[form]:
                    if index.folded[label] == form:
                        worth = weights.whole[index.kinds[label]] * quality * weights.relaxed
                        hits.add(index.numbers[label], worth, label)
        return hits

    def _every(self, query: Query, known: list[Known], scale: float, hits: Hits) -> None:
        """The emoji that have every one of ``known``, in one label or in several."""
        # The rarest word first: each next one looks only at the emoji that are left.
        totals: dict[int, float] | None = None
        for each in known:
            best = self._per_emoji(each.pattern, each.words, totals, hits.labels)
            left = totals or dict.fromkeys(best, 0.0)
            totals = {number: left[number] + score for number, score in best.items()}
            if not totals:
                return
        factor = self.weights.spread * scale / len(known)
        hits.scores = {number: total * factor for number, total in (totals or {}).items()}
        self._together(query, known, [each.pattern for each in known], scale, hits)

    def _per_emoji(
        self,
        pattern: Pattern,
        words: Mapping[str, Sequence[int]],
        among: Mapping[int, float] | None,
        labels: dict[int, int],
    ) -> dict[int, float]:
        """The best score of one word for each emoji in ``among`` (None: any); ``labels`` is filled in."""
        index, weights = self.index, self.weights
        kinds, lengths, numbers = index.kinds, index.lengths, index.numbers
        word_weights, share = weights.word, weights.share
        best: dict[int, float] = {}
        for word, places in words.items():
            quality = pattern.word_quality(word)
            for label in places:
                score = (word_weights[kinds[label]] + share / lengths[label]) * quality
                for number in numbers[label]:
                    if score > best.get(number, 0.0) and (among is None or number in among):
                        best[number] = score
                        if among is None:
                            labels[number] = label
        return best

    def _together(
        self, query: Query, known: list[Known], patterns: list[Pattern], scale: float, hits: Hits
    ) -> None:
        """Labels that hold every one of ``patterns`` by themselves; ``known`` says where to look for them."""
        index, scores = self.index, hits.scores
        rarest = known[0]
        others = [pattern for pattern in patterns if pattern is not rarest.pattern]
        # In ``flag f`` the flag itself is not what begins with an f.
        letters = [pattern.word for pattern in patterns if len(pattern.word) == 1 and pattern.word.isascii()]
        again = [(f" {letter}", sum(p.word.startswith(letter) for p in patterns)) for letter in letters]
        for label in {label for places in rarest.words.values() for label in places}:
            padded = f" {index.folded[label]} "
            if again and any(padded.count(beginning) < times for beginning, times in again):
                continue
            if all(pattern.is_in(padded) for pattern in others):
                qualities = [pattern.quality(padded) for pattern in patterns]
                if all(qualities):
                    score = self._joint(label, query, sum(qualities) / len(qualities)) * scale
                    for number in index.numbers[label]:
                        if scores.get(number, 0.0) < score:
                            scores[number] = score
                            hits.labels[number] = label

    def _joint(self, label: int, query: Query, quality: float) -> float:
        index, weights = self.index, self.weights
        folded, kind = index.folded[label], index.kinds[label]
        if folded == query.text:
            return weights.whole[kind] + weights.first + weights.run * (len(query.words) - 1)
        share = len(query.words) / index.lengths[label]
        score = (weights.word[kind] + 1.4 * weights.share * min(share, 1.0)) * quality
        if folded.startswith(query.text):
            score += weights.first + weights.run * (len(query.words) - 1)
        return score
