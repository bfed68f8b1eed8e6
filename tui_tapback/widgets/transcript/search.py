"""Search in the messages of a transcript: which ones say something, pure and kept up to date."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import Final

from tui_tapback.domain.messages import Message

from .roll import Changes, Roll

_MARKERS: Final = str.maketrans("", "", "*_`~")
_MARKED: Final = re.compile(r"[*_`~]")


class Search:
    """The messages that say ``query``, whatever the case: ``hits`` are their indexes, in order."""

    def __init__(self, query: str, roll: Roll) -> None:
        self.query = query
        self._words = query.casefold().split()
        self._phrase = " ".join(self._words)
        self._roll = roll
        self.hits: list[int] = []
        self._look_through()

    def _look_through(self) -> None:
        said = self._said
        self.hits = (
            [index for index, entry in enumerate(self._roll.entries) if said(entry.message)]
            if self._words
            else []
        )

    def _said(self, message: Message) -> bool:
        """Whether the source may say it; markers within the phrase are passed over."""
        text = message.text.casefold()
        if self._words[0] not in text and not _MARKED.search(text):
            return False
        if self._phrase in text:
            return True
        if _MARKED.search(text):
            text = text.translate(_MARKERS)
        return self._phrase in (" ".join(text.split()) if len(self._words) > 1 else text)

    def took(self, changes: Changes) -> None:
        """Follow a new state of the roll."""
        if changes.rebuilt:
            self._look_through()
            return
        if not self._words:
            return
        entries = self._roll.entries
        for index in changes.changed:
            said = self._said(entries[index].message)
            place = bisect_left(self.hits, index)
            present = place < len(self.hits) and self.hits[place] == index
            if said and not present:
                insort(self.hits, index)
            elif present and not said:
                del self.hits[place]
        first = len(entries) - changes.appended
        self.hits += [index for index in range(first, len(entries)) if self._said(entries[index].message)]

    def beyond(self, index: int, delta: int) -> int | None:
        """The next hit below (1) or above (-1) a message."""
        return following(self.hits, index, delta)


def following(sorted_: Sequence[int], value: int, delta: int) -> int | None:
    """The next number of an ascending list above (1) or below (-1) ``value``."""
    place = bisect_left(sorted_, value)
    if delta > 0:
        place += place < len(sorted_) and sorted_[place] == value
        return sorted_[place] if place < len(sorted_) else None
    return sorted_[place - 1] if place else None
