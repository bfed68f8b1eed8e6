"""The strips of one long message, those of its text painted when they are first looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.strip import Strip


class LateStrips:
    """Strips by their row, as in a list: ``before``, then ``count`` that ``paint`` makes, then ``after``.

    ``paint`` is given the number of a row counted from the first that it makes, once for each.
    """

    __slots__ = ("_first", "_paint", "_rows")

    def __init__(
        self, before: Sequence[Strip], count: int, paint: Callable[[int], Strip], after: Sequence[Strip]
    ) -> None:
        self._first, self._paint = len(before), paint
        self._rows: list[Strip | None] = [*before, *([None] * count), *after]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: int) -> Strip:
        strip = self._rows[row]
        if strip is None:
            strip = self._rows[row] = self._paint(row % len(self._rows) - self._first)
        return strip

    def __setitem__(self, row: int, strip: Strip) -> None:
        self._rows[row] = strip
