"""Reactions to rows that have not come yet, kept for a while."""

from __future__ import annotations

from tui_tapback.domain.reactions import NO_REACTIONS, ReactionSet

LIMIT = 256
TURNS = 2
"""How many turns later a reaction without a row is given up."""


class Orphans:
    """By row id; bounded by number and by age in turns."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[int, ReactionSet]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, row_id: int, reactions: ReactionSet, turn: int) -> None:
        """Remember the newest state of a row that is not here."""
        self._kept.pop(row_id, None)
        self._kept[row_id] = (turn, reactions)
        if len(self._kept) > LIMIT:
            del self._kept[next(iter(self._kept))]

    def take(self, row_id: int) -> ReactionSet:
        """The row is here now."""
        return self._kept.pop(row_id, (0, NO_REACTIONS))[1]

    def age(self, turn: int) -> None:
        """A new turn begins: give up the old ones."""
        self._kept = {row: kept for row, kept in self._kept.items() if kept[0] + TURNS >= turn}

    def clear(self) -> None:
        """A whole history was read: what it lacks does not exist."""
        self._kept.clear()
