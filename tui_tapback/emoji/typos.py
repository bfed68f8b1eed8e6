"""Finds the words of a vocabulary that are one slip of the finger away from a mistyped one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
SHORTEST = 4


def one_edit(word: str) -> Iterator[str]:
    """Every string one deletion, transposition, replacement or insertion away; the first letter mostly stays.

    Slips in the first letter are rare, and allowing only a swap there keeps nonsense from meaning something.
    """
    for place in range(len(word)):
        head, tail = word[:place], word[place:]
        if len(tail) > 1 and tail[0] != tail[1]:
            yield head + tail[1] + tail[0] + tail[2:]
        if place:
            yield head + tail[1:]
            for letter in _LETTERS:
                yield head + letter + tail[1:]
                yield head + letter + tail
    for letter in _LETTERS:
        yield word + letter


def corrections(word: str, vocabulary: Collection[str]) -> list[str]:
    """Whole words of ``vocabulary`` one edit away from ``word``; nothing for words below four letters."""
    if len(word) < SHORTEST or not (word.isascii() and word.isalpha()):
        return []
    return [form for form in dict.fromkeys(one_edit(word)) if form in vocabulary]


def prefix_corrections(word: str, ordered: Sequence[str]) -> list[str]:
    """Beginnings one edit away from ``word`` with which some word of the sorted ``ordered`` starts."""
    if len(word) < SHORTEST + 1 or not (word.isascii() and word.isalpha()):
        return []
    found: list[str] = []
    for form in dict.fromkeys(one_edit(word)):
        place = bisect_left(ordered, form)
        if place < len(ordered) and ordered[place].startswith(form):
            found.append(form)
    return found
