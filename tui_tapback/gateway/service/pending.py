"""Reads out of the stored rows of a session what the model was told, and which notes are due."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.store.messages import MessageTable
from tui_tapback.gateway.store.records import MessageRecord
from tui_tapback.wire.rows import reactions_from_wire

from . import notes
from .notes import Note, Slot, Tap, Target

FAILED_TURN = "failed_turn"
"""Display kind of a row that says why a turn failed; the model never saw it."""
NOTES = "notes"
"""Key in the metadata of a row of the user: what it told the model of reactions."""
WITHHELD = "withheld"
"""Key in the metadata of a row: the reactions to it of which the model is not to hear."""


def due_notes(messages: MessageTable, session_id: str) -> list[Note]:
    """The notes for the next user message of the session, in row order, those that are kept back included."""
    targets, known = _read(messages, session_id)
    return notes.due(targets, known)


def told_until(messages: MessageTable, session_id: str, position: int) -> list[str]:
    """What the model knows of the rows up to ``position``, in words, in row order."""
    targets, known = _read(messages, session_id, position)
    return notes.standing(targets, known)


def _read(
    messages: MessageTable, session_id: str, until: int | None = None
) -> tuple[list[Target], dict[Slot, Tap]]:
    rows = messages.annotated(session_id)
    known = notes.told(record for row in rows if row.role == "user" for record in row.metadata.get(NOTES, ()))
    targets = {row.row_id: row for row in rows}
    # A row whose only reaction was told and then taken back has no metadata any more.
    for row_id in {row_id for row_id, _ in known} - targets.keys():
        row = messages.get(session_id, row_id)
        if row is not None:
            targets[row_id] = row
    standing = sorted((row for row in targets.values() if _quotable(row)), key=lambda row: row.position or 0)
    return [_target(row) for row in standing if until is None or (row.position or 0) <= until], known


def _quotable(row: MessageRecord) -> bool:
    return row.role in ("user", "assistant") and row.kind != FAILED_TURN


def _target(row: MessageRecord) -> Target:
    present = {
        reaction.part: Tap(reaction.emoji, reaction.quote)
        for reaction in reactions_from_wire(row.metadata.get("reactions"))
        if reaction.author is Author.USER
    }
    return Target(row.row_id, row.role == "user", row.text, present, withheld_of(row.metadata))


def withheld_of(metadata: Mapping[str, Any]) -> dict[str | None, str | None]:
    """By part the emoji (None: none) of which the model is not to hear."""
    return {entry.get("part"): entry["emoji"] for entry in metadata.get(WITHHELD, ())}


def with_withheld(metadata: Mapping[str, Any], withheld: Mapping[str | None, str | None]) -> dict[str, Any]:
    """The metadata with other slots kept back; without any, the key goes too."""
    entries = list(_entries(withheld.items()))
    rest = {key: value for key, value in metadata.items() if key != WITHHELD}
    return rest | ({WITHHELD: entries} if entries else {})


def _entries(items: Iterable[tuple[str | None, str | None]]) -> Iterable[dict[str, Any]]:
    for part, emoji in items:
        yield {"emoji": emoji} | ({"part": part} if part is not None else {})
