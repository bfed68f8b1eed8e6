"""Takes turns back: undo, and the edit that sends other words in the place of old ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tui_tapback.domain.errors import TurnNotFound, WouldEmptyChat
from tui_tapback.gateway.store.records import MessageRecord

from .core import Core

STEER = "steer"
"""Display kind of words that were added to a turn while it ran."""
REDIRECT = "redirect"
"""Display kind of words that cut an answer short and had it go on from there."""
IN_TURN = (STEER, REDIRECT)
"""Display kinds of words of the user that begin no turn of their own."""
Reason = Literal["undo", "edit", "branch", "compress"]


@dataclass(frozen=True, slots=True)
class Truncation:
    """An edit: ``before_row_id`` and all behind it goes first. ``may_empty``: even where nothing is left.
    ``rebind``: ids of which the sender wants to know what has become of them."""

    before_row_id: int
    may_empty: bool = False
    rebind: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Survivors:
    """What stands after an edit: the user's rows, or (asked about) each id and what it is now."""

    user_rows: list[int] | None = None
    by_id: dict[str, int | None] | None = None


class Rewind:
    """Cuts a session. Reactions, notes and lines kept back go with the rows that carry them; what those rows
    had told the model of rows that stand is due again, since it is derived from what stands."""

    def __init__(self, core: Core) -> None:
        self._store = core.store
        self._broadcast = core.broadcast

    def last_turn(self, session_id: str) -> MessageRecord | None:
        """The row with which the last turn began."""
        starts = self._store.turns.starts(session_id, IN_TURN)
        return self._store.messages.get(session_id, starts[-1]) if starts else None

    def target(self, session_id: str, truncation: Truncation) -> MessageRecord:
        """The row of an edit. Raises TurnNotFound, WouldEmptyChat."""
        row = self._store.messages.get(session_id, truncation.before_row_id)
        if row is None or row.role != "user" or row.position is None:
            raise TurnNotFound(
                "That message of yours is no longer in this chat.",
                len(self._store.turns.prompts(session_id)),
                hint="Reload the chat and try again.",
            )
        if self._store.turns.first_row(session_id) == row.row_id and not truncation.may_empty:
            raise WouldEmptyChat(
                "This edit would take back everything in this chat.",
                hint="Say so with confirm_empty_truncate if that is meant.",
            )
        return row

    def cut(self, row: MessageRecord) -> tuple[int, ...]:
        """Take ``row`` and all behind it back; inside a transaction. Returns the ids that are gone."""
        position = row.position or 0
        self._store.summaries.forget_from(row.session_id, position)
        return tuple(self._store.turns.rewind(row.session_id, position))

    def survivors(self, session_id: str, truncation: Truncation) -> Survivors:
        """What stands of the rows that an edit left."""
        if truncation.rebind is None:
            return Survivors(user_rows=self._store.turns.prompts(session_id))
        standing = {
            row_id: row_id if self._store.messages.get(session_id, row_id) else None
            for row_id in truncation.rebind
        }
        return Survivors(by_id={str(row_id): now for row_id, now in standing.items()})

    def tell(self, session_id: str, row_ids: tuple[int, ...], reason: Reason) -> None:
        """Tell the clients which rows are gone; those that come later find it so."""
        if row_ids:
            self._broadcast.emit(session_id, "tapback.rows_removed", {"row_ids": list(row_ids)})
            payload = {"reason": reason, "from_row_id": row_ids[0]}
            self._broadcast.emit(session_id, "history.changed", payload)
            self._broadcast.announce("sessions.changed")
