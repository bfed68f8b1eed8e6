"""Scores the labels of one language's index against a query: exact over prefix over word over inside."""

from __future__ import annotations

from dataclasses import dataclass, field

from tui_tapback.emoji.index import LocaleIndex
from tui_tapback.emoji.query import Query
from tui_tapback.emoji.typos import corrections, prefix_corrections
from tui_tapback.emoji.variants import number_forms, verb_forms

# Shortest word that may carry a query alone when its other words mean nothing.
ANCHOR = 4
# Above so many words that begin with the query's, words that merely contain it are noise.
_ENOUGH = 12


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of the ranking, on a scale where 10 is an emoji's own name typed in full.

    Tuples run over ``Kind``: name, shortcode, keyword, further keyword, group.
    """

    whole: tuple[float, ...] = (10.0, 9.7, 8.6, 8.0, 5.0)
    word: tuple[float, ...] = (7.0, 6.8, 5.6, 4.8, 3.0)
    prefix: tuple[float, ...] = (5.0, 4.8, 3.6, 3.0, 1.5)
    share: float = 1.5
    first: float = 0.7
    completion: float = 1.5
    evidence: float = 0.05
    evidence_cap: float = 20.0
    number_form: float = 0.92
    verb_form: float = 0.8
    typo: float = 0.7
    typo_prefix: float = 0.6
    inside: float = 0.45
    spread: float = 0.85
    relaxed: float = 0.6
    prior: float = 1.3
    prior_open: float = 1.0
    recent: float = 0.9
    foreign: float = 0.8
    toned: float = 0.7


DEFAULT = Weights()


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
        if typos and not found:
            found.update(dict.fromkeys(corrections(word, words), weights.typo))
        return found

    def _word(self, word: str, text: str, *, typos: bool, scale: float = 1.0) -> Hits:
        """All labels with a form of ``word``; ``text`` is the whole query, for labels that are just it."""
        hits = Hits()
        index = self.index
        words, numbers, add = index.words, index.numbers, hits.add
        forms = self.forms(word, typos=typos)
        for form, quality in forms.items():
            for label in words[form]:
                add(numbers[label], self._exact(label, form, text, quality) * scale, label)
        longer = self._longer(word, text, hits, scale)
        if longer < _ENOUGH and (len(word) >= 3 or not word.isascii()):
            for other in index.containing(word):
                quality = self.weights.inside * (0.6 + 0.4 * len(word) / len(other))
                for label in words[other]:
                    add(numbers[label], self.weights.word[index.kinds[label]] * quality * scale, label)
        if typos and not hits.scores:
            for form in prefix_corrections(word, index.ordered):
                self._longer(form, form, hits, scale * self.weights.typo_prefix)
        return hits

    def _exact(self, label: int, form: str, text: str, quality: float) -> float:
        index, weights = self.index, self.weights
        folded, kind = index.folded[label], index.kinds[label]
        if folded in (form, text):
            return weights.whole[kind] * quality
        score = weights.word[kind] + weights.share / index.lengths[label]
        if folded.startswith(form):
            score += weights.first
        return score * quality

    def _longer(self, word: str, text: str, hits: Hits, scale: float) -> int:
        """Words that begin with ``word`` and go on; returns how many there were."""
        index, weights = self.index, self.weights
        folded, kinds, lengths, numbers = index.folded, index.kinds, index.lengths, index.numbers
        prefix, first, share, add = weights.prefix, weights.first, weights.share * 0.5, hits.add
        others = index.starting(word)
        for other in others:
            if len(other) == len(word):
                continue
            base = weights.completion * len(word) / len(other)
            for label in index.words[other]:
                score = base + prefix[kinds[label]] + share / lengths[label]
                if folded[label].startswith(text):
                    score += first
                add(numbers[label], score * scale, label)
        return len(others)

    def _several(self, query: Query, *, typos: bool) -> Hits:
        """All words in one label count for more than all words spread over the labels of one emoji."""
        weights, index = self.weights, self.index
        parts = [(word, self._word(word, query.text, typos=typos)) for word in query.needed]
        filled = [(word, hits) for word, hits in parts if hits.scores]
        scale = 1.0
        if len(filled) < len(parts):
            anchored = any(len(word) >= ANCHOR and word in index.words for word, _ in filled)
            if not typos or not anchored or len(filled) * 2 < len(parts):
                return Hits()
            scale = weights.relaxed
        result = Hits()
        first, *others = (hits for _, hits in filled)
        for number, score in first.scores.items():
            if all(number in hits.scores for hits in others):
                total = score + sum(hits.scores[number] for hits in others)
                result.scores[number] = weights.spread * scale * total / len(filled)
                result.labels[number] = first.labels[number]
        if scale == 1.0:
            self._together(query, result, typos=typos)
        return result

    def _together(self, query: Query, result: Hits, *, typos: bool) -> None:
        """Labels that hold every word by themselves."""
        index = self.index
        tables = [self._labels_of(word, typos=typos) for word in query.needed]
        for label in min(tables, key=len):
            qualities = [table.get(label, 0.0) for table in tables]
            if all(qualities):
                score = self._joint(label, query, sum(qualities) / len(qualities))
                for number in index.numbers[label]:
                    if result.scores.get(number, 0.0) < score:
                        result.scores[number] = score
                        result.labels[number] = label

    def _labels_of(self, word: str, *, typos: bool) -> dict[int, float]:
        """Labels that contain a form or a continuation of ``word``, each with the best quality."""
        index = self.index
        qualities = {
            other: 0.6 + 0.3 * len(word) / len(other) for other in index.starting(word) if other != word
        }
        qualities.update(self.forms(word, typos=typos))
        labels: dict[int, float] = {}
        for other, quality in qualities.items():
            for label in index.words[other]:
                if labels.get(label, 0.0) < quality:
                    labels[label] = quality
        return labels

    def _joint(self, label: int, query: Query, quality: float) -> float:
        index, weights = self.index, self.weights
        folded, kind = index.folded[label], index.kinds[label]
        if folded == query.text:
            return weights.whole[kind]
        share = len(query.words) / index.lengths[label]
        score = (weights.word[kind] + 1.4 * weights.share * min(share, 1.0)) * quality
        return score + weights.first if folded.startswith(query.text) else score
