"""Makes the thesaurus from WordNet: English words that no emoji has, with words that some have."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

# Noun, verb, adjective, adverb, and the names of their files.
_PARTS = (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv"))
_KINDS = frozenset({"@", "@i"})
# By topic of a noun (WordNet's own numbers): animals, artefacts, body, food, natural things, people, plants.
_STEPS = {"05": 4, "06": 2, "08": 2, "13": 3, "17": 2, "18": 1, "20": 3}
_SENSES = 2
_TARGETS = 3
_SHORTEST = 4
_ENDINGS = ("s", "es", "ing", "ed")
# Too high up in the tree of nouns to say anything about a thing.
_VAGUE = frozenset((
    "object", "thing", "person", "whole", "unit", "part", "group", "entity", "matter", "substance", "act",
    "action", "activity", "event", "state", "condition", "quality", "property", "attribute", "cause",
    "change", "move", "instrumentation", "device", "equipment", "structure", "organism", "animal", "plant",
    "artifact", "abstraction", "communication", "message", "content", "information", "process", "point",
    "line", "form", "kind", "area", "region", "place", "location", "being", "make", "get", "have", "give",
    "take", "go", "come", "put", "set", "use", "work", "material", "product", "system", "piece", "body",
    "people", "man", "woman", "natural", "container", "covering", "creation",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Synset:
    """One sense: the words for it and its pointers as ``(symbol, part of speech, offset)``.

    ``topic`` is WordNet's number for what it is about; a ``satellite`` is an adjective near another one.
    """

    words: tuple[str, ...]
    topic: str
    satellite: bool
    pointers: tuple[tuple[str, str, str], ...]


@dataclass(slots=True)
class WordNet:
    """The unpacked database: ``senses`` maps a lemma to its synsets, the commonest first."""

    synsets: dict[tuple[str, str], Synset] = field(default_factory=dict[tuple[str, str], Synset])
    senses: dict[str, list[tuple[str, str, int]]] = field(
        default_factory=dict[str, list[tuple[str, str, int]]]
    )

    @classmethod
    def read(cls, folder: Path) -> WordNet:
        """Read ``index.*`` and ``data.*`` of the folder ``dict``."""
        net = cls()
        for part, name in _PARTS:
            for line in _lines(folder / f"data.{name}"):
                offset, synset = _synset(line)
                net.synsets[part, offset] = synset
            for line in _lines(folder / f"index.{name}"):
                lemma, _, rest = line.partition(" ")
                fields = rest.split()
                offsets = fields[-int(fields[1]) :]
                net.senses.setdefault(lemma, []).extend(
                    (part, offset, place) for place, offset in enumerate(offsets)
                )
        return net

    def near(self, lemma: str) -> Iterator[tuple[int, str, str]]:
        """Words near ``lemma`` with their distance and part of speech.

        Synonyms are at 0, what it is like or a kind of at 1 and up.

        Kinds are followed only for what can be drawn; a term of law or of learning is a kind of something
        as well, but no picture of that something would be one of it.
        """
        for part, offset, place in self.senses.get(lemma, ()):
            if place >= _SENSES:
                continue
            synset = self.synsets[part, offset]
            yield from ((place, part, word) for word in synset.words)
            if synset.satellite and not place:
                heads = (pointer for pointer in synset.pointers if pointer[0] == "&")
                yield from ((1, part, word) for _, p, o in heads for word in self.synsets[p, o].words)
            level = [synset]
            for step in range(1, _STEPS.get(synset.topic, 0) + 1):
                pointers = [pointer for each in level for pointer in each.pointers]
                level = [self.synsets[p, o] for symbol, p, o in pointers if symbol in _KINDS]
                yield from ((step + place, part, word) for each in level for word in each.words)


def thesaurus(
    net: WordNet, known: Collection[str], things: Collection[str], feelings: Collection[str]
) -> dict[str, list[str]]:
    """For each single word that is not among ``known`` (nor with another ending) at most three others.

    They are out of ``things``, or out of ``feelings`` for an adjective: of all that a thing can be, only
    what one can be on a face is drawn for its own sake. The nearest come first.
    """
    table: dict[str, list[str]] = {}
    for lemma in net.senses:
        if len(lemma) < _SHORTEST or not (lemma.isascii() and lemma.isalpha()) or lemma in known:
            continue
        if any(lemma + ending in known or lemma.removesuffix(ending) in known for ending in _ENDINGS):
            continue
        ranked: dict[str, int] = {}
        for distance, part, word in net.near(lemma):
            if word in (feelings if part in "ar" else things) and word not in _VAGUE and len(word) > 2:
                ranked[word] = min(distance, ranked.get(word, distance))
        if ranked:
            nearest = min(ranked.values())
            table[lemma] = [word for word, distance in ranked.items() if distance == nearest][:_TARGETS]
    return table


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from (line for line in file if not line.startswith("  "))


def _synset(line: str) -> tuple[str, Synset]:
    fields = line.partition("|")[0].split()
    count = int(fields[3], 16)
    words = tuple(fields[4 + 2 * place].lower().partition("(")[0] for place in range(count))
    start = 4 + 2 * count
    pointers = tuple(
        (fields[at], fields[at + 2].replace("s", "a"), fields[at + 1])
        for at in range(start + 1, start + 1 + 4 * int(fields[start]), 4)
    )
    return fields[0], Synset(words, fields[1], fields[2] == "s", pointers)
