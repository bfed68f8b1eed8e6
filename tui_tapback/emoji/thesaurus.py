"""Looks up English words that no emoji has: ``rottweiler`` is a dog, ``infuriated`` is furious."""

from __future__ import annotations

from functools import cache

from tui_tapback.emoji.locate import asset


@cache
def _book() -> str:
    """The whole thesaurus as one string, a line for each word; read when first needed ."""
    return asset("thesaurus.txt").read_text(encoding="utf-8")


def related(word: str) -> list[str]:
    """Words that mean nearly the same or are a kind of it and that some emoji has; the nearest first."""
    if not (word.isascii() and word.isalpha()):
        return []
    book, wanted = _book(), f"{word} "
    low, high = 0, len(book)
    # The lines are sorted: halve what is left, from the beginning of a line to the beginning of another.
    while low < high:
        start = book.rfind("\n", 0, (low + high) // 2) + 1
        end = book.index("\n", start) + 1
        if book.startswith(wanted, start):
            return book[start + len(wanted) : end - 1].split(" ")
        if book[start:end] < wanted:
            low = end
        else:
            high = start
    return []
