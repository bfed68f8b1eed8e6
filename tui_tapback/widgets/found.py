"""The shape of the emoji search as widgets see it; ``tui_tapback.emoji.search.search`` has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Found(Protocol):
    """One answer of the search."""

    @property
    def emoji(self) -> str:
        """The emoji itself."""
        ...

    @property
    def label(self) -> str:
        """The name or alias that matched."""
        ...


Searcher = Callable[[str, int], Sequence[Found]]
"""``(query, limit)`` gives the best answers first; blanks and nonsense give none."""
