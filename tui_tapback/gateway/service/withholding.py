"""What the model will be told of reactions with the next message, and what a person keeps back from it."""

from __future__ import annotations

import msgspec

from tui_tapback.domain.errors import InvalidInput, RowNotFound
from tui_tapback.wire.conversation import PendingLine, PendingNotes

from .core import Core
from .inputs import message_part
from .notes import Note, lines
from .pending import with_withheld, withheld_of
from .sessions import Sessions
from .turns import Turns


class Withholding:
    """A line is kept back by what stands in the slot at that moment, stored with the row: it survives a
    restart and goes with the row, and any change of the reaction makes the line due again."""

    def __init__(self, core: Core, sessions: Sessions, turns: Turns) -> None:
        self._store = core.store
        self._broadcast = core.broadcast
        self._sessions = sessions
        self._turns = turns

    def pending(self, session_id: str) -> PendingNotes:
        """Every line, and the head of the next message. Raises SessionNotFound."""
        self._sessions.require(session_id)
        notes = self._turns.pending(session_id)
        told = [PendingLine(note.row_id, note.line, note.part, note.withheld) for note in notes]
        return PendingNotes(told, lines([note for note in notes if not note.withheld]))

    def withhold(self, session_id: str, row_id: int, part: str | None, withheld: bool) -> PendingNotes:
        """Keep the line about a slot back, or no longer; the clients are told where that changes anything.

        Raises SessionNotFound, RowNotFound, InvalidInput where nothing about that slot is due, StoreError.
        """
        self._sessions.require(session_id)
        place = message_part(part)
        anchor = place.anchor if place is not None else None
        row = self._store.messages.get(session_id, row_id)
        if row is None:
            raise RowNotFound("That message is not in this chat (or no longer).", hint="Reload the chat.")
        note = self._note(session_id, row_id, anchor)
        slots = withheld_of(row.metadata)
        if withheld and note is None:
            raise InvalidInput(
                "The model is not about to hear of that reaction.", hint="Nothing was changed."
            )
        if withheld and note is not None:
            slots[anchor] = note.tap.emoji if note.tap is not None else None
        else:
            slots.pop(anchor, None)
        if slots != withheld_of(row.metadata):
            with self._store.transaction():
                self._store.messages.set_metadata(row_id, with_withheld(row.metadata, slots))
            found = self.pending(session_id)
            told = [msgspec.structs.asdict(line) for line in found.lines]
            self._broadcast.emit(session_id, "reactions.pending", {"lines": told, "head": found.head})
        return self.pending(session_id)

    def _note(self, session_id: str, row_id: int, part: str | None) -> Note | None:
        notes = self._turns.pending(session_id)
        return next((note for note in notes if (note.row_id, note.part) == (row_id, part)), None)
