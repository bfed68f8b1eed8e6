"""Takes a search query apart, finds its words in a text, and cuts the line that a hit shows."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from wcwidth import iter_graphemes

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.text import clean_line

LONGEST_QUERY = 200
"""Characters of a query."""
_MOST_WORDS = 12
_MOST_SPANS = 20
_PART = re.compile(r'"([^"]+)"?|(\S+)')
_BEFORE, _AFTER = 40, 90
_BLANK = re.compile(r"\s")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a query, folded; all must occur, in any place and order."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, query: str) -> Terms:
        """Read a query; words in quotes stay together. Raises InvalidInput where it is too long."""
        if len(query) > LONGEST_QUERY:
            raise InvalidInput(
                f"The query has {len(query):,} characters; the limit is {LONGEST_QUERY}.",
                hint="Search for fewer words.",
            )
        parts = (quoted or plain for quoted, plain in _PART.findall(clean_line(query)))
        words = dict.fromkeys(fold(part) for part in parts if part.strip('"'))
        return cls(tuple(words)[:_MOST_WORDS])

    def spans(self, text: str) -> list[Span]:
        """Where the words stand in ``text``, in order, overlaps joined; empty where one is missing."""
        folded = fold(text)
        found: list[Span] = []
        for word in self.words:
            at = folded.find(word)
            if at < 0:
                return []
            while at >= 0 and len(found) < _MOST_SPANS * len(self.words):
                found.append((at, at + len(word)))
                at = folded.find(word, at + len(word))
        return _joined(sorted(found))


def fold(text: str) -> str:
    """Lower case, character by character, so that places stay what they are."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def snippet(text: str, spans: Sequence[Span]) -> tuple[str, list[Span]]:
    """One line around the first find, and the spans in it; no grapheme is cut, by neither."""
    first, last = spans[0] if spans else (0, 0)
    # The piece itself may begin inside a grapheme, and that first one is then left out.
    begin = max(0, first - 2 * _BEFORE)
    cuts = [begin]
    for grapheme in iter_graphemes(text[begin : last + 2 * _AFTER]):
        cuts.append(cuts[-1] + len(grapheme))
    if begin > 0 and len(cuts) > 2:
        del cuts[0]
    start = max(_floor(cuts, first - _BEFORE), cuts[0])
    end = _ceiling(cuts, last + _AFTER)
    head, tail = "…" if start > 0 else "", "…" if end < len(text) else ""
    line = head + _BLANK.sub(" ", text[start:end]) + tail
    shift = len(head) - start
    inside = [
        (_floor(cuts, s) + shift, _ceiling(cuts, e) + shift) for s, e in spans if s >= start and e <= end
    ]
    return line, _joined(inside)


def _floor(cuts: Sequence[int], at: int) -> int:
    """The last place between graphemes that is not behind ``at``."""
    return cuts[max(0, bisect_right(cuts, at) - 1)]


def _ceiling(cuts: Sequence[int], at: int) -> int:
    """The first place between graphemes that is not in front of ``at``."""
    return cuts[min(len(cuts) - 1, bisect_left(cuts, at))]


def _joined(spans: list[Span]) -> list[Span]:
    out: list[Span] = []
    for start, end in spans:
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out[:_MOST_SPANS]
