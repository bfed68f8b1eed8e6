"""The search index of one language: every label of every emoji, and every word of every label."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache, cached_property
from itertools import accumulate, chain

from tui_tapback.emoji.catalogue import (
    LocaleTable,
    locale_table,
    read_locale,
    shared_numbers,
    shortcode_table,
)
from tui_tapback.emoji.core import core
from tui_tapback.emoji.fold import fold

_REGIONAL_A = 0x1F1E6


class Kind(IntEnum):
    """Where a label comes from; what an emoji is called counts for more than what it is filed under."""

    NAME = 0
    SHORTCODE = 1
    KEYWORD = 2
    MORE = 3
    GROUP = 4


class Words(Mapping[str, "array[int]"]):
    """The words of an index and the places of their labels, packed: a dict of lists takes ten times that."""

    def __init__(self, places: Mapping[str, list[int]]) -> None:
        self.ordered = sorted(places)
        self._starts = array("I", [0, *accumulate(len(places[word]) for word in self.ordered)])
        self._places = array("I", chain.from_iterable(places[word] for word in self.ordered))

    @cached_property
    def known(self) -> frozenset[str]:
        """For those who ask about hundreds of words at once."""
        return frozenset(self.ordered)

    def count(self, prefix: str) -> int:
        """How many labels have a word that begins with ``prefix``, one with several counted for each."""
        low = bisect_left(self.ordered, prefix)
        return self._starts[bisect_left(self.ordered, prefix + "\U0010ffff", low)] - self._starts[low]

    def beginning(self, prefix: str) -> Iterator[tuple[str, array[int]]]:
        """The words that begin with ``prefix`` (the word itself too) with the places of their labels."""
        ordered, starts, places = self.ordered, self._starts, self._places
        low = bisect_left(ordered, prefix)
        for place in range(low, bisect_left(ordered, prefix + "\U0010ffff", low)):
            yield ordered[place], places[starts[place] : starts[place + 1]]

    def __getitem__(self, word: str) -> array[int]:
        place = bisect_left(self.ordered, word)
        if place == len(self.ordered) or self.ordered[place] != word:
            raise KeyError(word)
        return self._places[self._starts[place] : self._starts[place + 1]]

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return False
        place = bisect_left(self.ordered, word)
        return place < len(self.ordered) and self.ordered[place] == word

    def __iter__(self) -> Iterator[str]:
        return iter(self.ordered)

    def __len__(self) -> int:
        return len(self.ordered)


class LocaleIndex:
    """Labels with their emoji numbers (``numbers``), and the words that occur in them (``words``).

    Labels are addressed by their place in ``labels`` (as written), ``folded`` and ``kinds``.
    """

    def __init__(self, table: LocaleTable) -> None:
        self.locale = table.locale
        self.labels: list[str] = []
        self.numbers: list[list[int]] = []
        self.kinds = self._gather(table)
        # One call folds the whole table; label by label it takes five times as long.
        folded = fold("\n".join(self.labels)).split("\n")
        # Most labels fold to themselves; one string then serves as both.
        self.folded = [
            label if label == text else text for label, text in zip(self.labels, folded, strict=True)
        ]
        self.lengths, self.signs, self.words = self._split()

    def complete(self) -> None:
        """Make now what else would be made by the first single letter, rare word or slip."""
        _ = self._blob, self._by_letter, self.words.known

    @cached_property
    def _blob(self) -> str:
        return "\n".join(["", *self.words.ordered, ""])

    def _split(self) -> tuple[bytes, dict[str, list[int]], Words]:
        """How many words each label has, the labels that are signs only, and all words."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        signs: dict[str, list[int]] = {}
        lengths = bytearray()
        for label, text in enumerate(self.folded):
            # A label of one word is that word's string: thousands of them are kept once.
            parts = text.split() if " " in text or not text else (text,)
            lengths.append(min(len(parts) or 1, 255))
            for part in parts:
                places[part].append(label)
            if not parts:
                signs.setdefault(self.labels[label], []).extend(self.numbers[label])
        return bytes(lengths), signs, Words(places)

    def _gather(self, table: LocaleTable) -> bytes:
        """Fill labels and numbers; returns the kinds."""
        kinds = bytearray()

        def add(pairs: Iterable[tuple[str, list[int]]], kind: Kind) -> None:
            before = len(self.labels)
            for label, numbers in pairs:
                self.labels.append(label)
                self.numbers.append(numbers)
            kinds.extend(bytes((kind,)) * (len(self.labels) - before))

        alone = shared_numbers()[1]
        english = table.locale == "en"
        add(zip(table.names, alone, strict=True), Kind.NAME)
        add(((country, alone[number]) for number, country in countries(table.names)), Kind.NAME)
        if english:
            add(_own_codes(table.names, alone), Kind.SHORTCODE)
            add(((code, alone[number]) for number, code in flag_codes()), Kind.SHORTCODE)
        add(table.keywords.items(), Kind.KEYWORD)
        add(table.more.items(), Kind.MORE)
        titles = ((table.titles.get(name, name if english else ""), of) for name, of in group_members())
        add((pair for pair in titles if pair[0]), Kind.GROUP)
        return bytes(kinds)

    def named(self, letter: str) -> list[int]:
        """The names and shortcodes that begin with ``letter``."""
        return self._by_letter.get(letter, [])

    @cached_property
    def _by_letter(self) -> dict[str, list[int]]:
        table: dict[str, list[int]] = {}
        for label, kind in enumerate(self.kinds):
            if kind <= Kind.SHORTCODE and self.folded[label]:
                table.setdefault(self.folded[label][0], []).append(label)
        return table

    def containing(self, part: str, limit: int = 200) -> Iterator[str]:
        """The words in which ``part`` stands further inside."""
        blob, place = self._blob, 0
        for _ in range(limit):
            place = blob.find(part, place)
            if place < 0:
                return
            start = blob.rfind("\n", 0, place) + 1
            end = blob.find("\n", place)
            if start != place:
                yield blob[start:end]
            place = end


def _own_codes(names: Sequence[str], alone: list[list[int]]) -> Iterator[tuple[str, list[int]]]:
    """The shortcodes that are not just the name, or another code, in other signs."""
    for name, codes, number in zip(names, shortcode_table(), alone, strict=True):
        seen = {name}
        for code in codes:
            words = code.replace("_", " ").replace("-", " ").strip() or code
            if words not in seen:
                seen.add(words)
                yield code, number


def flag_codes() -> Iterator[tuple[int, str]]:
    """The two-letter codes of the flags, and their subdivisions' codes (``gbeng``)."""
    for number, char in enumerate(core().chars):
        if len(char) == 2 and 0 <= ord(char[0]) - _REGIONAL_A < 26:
            yield number, "".join(chr(ord(letter) - _REGIONAL_A + ord("a")) for letter in char)


def countries(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """What stands behind the colon in the names of flags and keycaps: ``flag: Japan`` is also ``Japan``."""
    chars = core().chars
    for number, name in enumerate(names):
        _, colon, rest = name.partition(": ")
        if not colon:
            _, colon, rest = name.partition("：")
        char = chars[number]
        if (
            rest
            and (
                (ord(char[0]) >= _REGIONAL_A and ord(char[0]) <= _REGIONAL_A + 25) or char[0] == "\U0001f3f4"
            )
        ) or (rest and char.endswith("\u20e3")):
            yield number, rest


@cache
def group_members() -> tuple[tuple[str, list[int]], ...]:
    """The ids of groups and subgroups with the numbers of their emoji."""
    table = core()
    members: dict[str, list[int]] = {}
    for number, subgroup in enumerate(table.subgroup):
        name, group = table.subgroups[subgroup]
        members.setdefault(name, []).append(number)
        members.setdefault(table.groups[group][0], []).append(number)
    return tuple(members.items())


@cache
def locale_index(locale: str) -> LocaleIndex:
    """The index of a bundled locale, built when it is first searched.

    The table is not kept for it: of most languages only the index is ever wanted.
    """
    return LocaleIndex(locale_table(locale) if locale == "en" else read_locale(locale))
