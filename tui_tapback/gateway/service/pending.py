"""Reads the notes that are due out of the stored rows of a session."""

from __future__ import annotations

from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.store.messages import MessageTable
from tui_tapback.gateway.store.records import MessageRecord
from tui_tapback.wire.rows import reactions_from_wire

from . import notes
from .notes import Note, Target

FAILED_TURN = "failed_turn"
"""Display kind of a row that says why a turn failed; the model never saw it."""


def due_notes(messages: MessageTable, session_id: str) -> list[Note]:
    """The notes for the next user message of the session, in row order."""
    rows = messages.annotated(session_id)
    known = notes.told(
        record for row in rows if row.role == "user" for record in row.metadata.get("notes", ())
    )
    targets = {row.row_id: row for row in rows}
    # A row whose only reaction was told and then taken back has no metadata any more.
    for row_id in {row_id for row_id, _ in known} - targets.keys():
        row = messages.get(session_id, row_id)
        if row is not None:
            targets[row_id] = row
    standing = sorted((row for row in targets.values() if _quotable(row)), key=lambda row: row.position or 0)
    return notes.due((_target(row) for row in standing), known)


def _quotable(row: MessageRecord) -> bool:
    return row.role in ("user", "assistant") and row.kind != FAILED_TURN


def _target(row: MessageRecord) -> Target:
    present = {
        reaction.part: reaction.emoji
        for reaction in reactions_from_wire(row.metadata.get("reactions"))
        if reaction.author is Author.USER
    }
    return Target(row.row_id, row.role == "user", row.text, present)
