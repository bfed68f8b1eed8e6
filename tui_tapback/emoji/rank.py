"""Scores whole queries against one language's index: all their words in one label over words apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tui_tapback.domain.values import value
from tui_tapback.emoji.query import Query
from tui_tapback.emoji.rank_words import ENOUGH, Hits, WordScorer
from tui_tapback.emoji.typos import prefix_corrections

# Shortest word that may carry a query alone when its other words mean nothing.
ANCHOR = 4


@value
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


class Scorer(WordScorer):
    """Scores whole queries against one index."""

    def match(self, query: Query, *, typos: bool) -> Hits:
        """The emoji that answer all needed words of ``query``; with ``typos``, mistyped words too."""
        if len(query.needed) == 1:
            hits = self.one_word(query.needed[0], query.text, typos=typos)
            hits.weigh_evidence(self.weights)
            return hits
        return self._several(query, typos=typos)

    def _pattern(self, word: str, *, typos: bool) -> Pattern:
        forms = self.forms(word, typos=typos)
        beginnings: dict[str, float] = {word: 1.0} if self.index.words.count(word) else {}
        inside = self.may_be_inside(word)
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
            if pattern.inside and len(words) < ENOUGH:
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
