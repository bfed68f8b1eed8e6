"""Scores one word against one language's index: exact over prefix over word over inside."""

from __future__ import annotations

from dataclasses import field

from tui_tapback.domain.values import record
from tui_tapback.emoji.index import Kind, LocaleIndex
from tui_tapback.emoji.thesaurus import related
from tui_tapback.emoji.typos import corrections, prefix_corrections
from tui_tapback.emoji.variants import number_forms, verb_forms
from tui_tapback.emoji.weights import DEFAULT, Weights

# Above so many words that begin with the query's, words that merely contain it are noise.
ENOUGH = 12


@record
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


class WordScorer:
    """Scores single words against one index."""

    def __init__(self, index: LocaleIndex, weights: Weights = DEFAULT) -> None:
        self.index = index
        self.weights = weights

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

    def one_word(self, word: str, text: str, *, typos: bool) -> Hits:
        """All labels with a form of ``word``; ``text`` is the whole query, for labels that are just it."""
        hits = Hits()
        index = self.index
        words, numbers, add = index.words, index.numbers, hits.add
        for form, quality in self.forms(word, typos=typos).items():
            for label in words[form]:
                add(numbers[label], self._exact(label, form, text, quality), label)
        longer = self._longer(word, text, hits, 1.0)
        if longer < ENOUGH and self.may_be_inside(word):
            for other in index.containing(word):
                quality = self.weights.inside * (0.6 + 0.4 * len(word) / len(other))
                for label in words[other]:
                    add(numbers[label], self.weights.word[index.kinds[label]] * quality, label)
        if typos and not hits.scores:
            for form in prefix_corrections(word, index.words.ordered):
                self._longer(form, form, hits, self.weights.typo_prefix)
        return hits

    def may_be_inside(self, word: str) -> bool:
        """Whether words that contain ``word`` somewhere are worth a look: not for a letter or two."""
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
        return max(len(labels), ENOUGH)
