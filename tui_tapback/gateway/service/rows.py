"""Shows stored rows as rows of the wire, without what only the gateway needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tui_tapback.gateway.store.records import MessageRecord
from tui_tapback.wire.rows import TOOL_RESULT_LIMIT, WireRow, reactions_from_wire, reactions_to_wire

from .errands import abroad_of
from .pending import FAILED_TURN

STREAMING = "_streaming"
"""Mark in the metadata of an answer that is being written."""
QUEUED = "_queued_prompt"
"""Mark in the metadata of a prompt that waits behind a running turn."""
MEANWHILE = "_meanwhile"
"""Mark in the metadata of words that wait for the running turn: their display kind to be."""
CLIENT_REF = "client_ref"
"""Key in the metadata of a prompt under which its sender knows it."""
_PUBLIC = ("reactions", "interrupted", "error", QUEUED, CLIENT_REF)


def listed(row: MessageRecord) -> bool:
    """Whether people see the row. An answer that only calls tools has nothing to show."""
    return row.role != "assistant" or bool(row.text.strip()) or row.kind == FAILED_TURN


def wire_row(row: MessageRecord) -> WireRow:
    """The row as it stands in history and in ``tapback.row`` events."""
    shown: dict[str, Any] = {key: row.metadata[key] for key in _PUBLIC if key in row.metadata}
    if complaint := abroad_of(row.metadata).complaint:
        shown["reaction_complaint"] = complaint
    if "reactions" in shown:
        # What an older version or another hand has written may be no emoji, and is shown harmlessly.
        usable = reactions_to_wire(reactions_from_wire(shown.pop("reactions")))
        shown |= {"reactions": usable} if usable else {}
    if row.role == "tool":
        return WireRow(
            role=row.role,
            timestamp=row.created_at,
            name=row.tool_name,
            context=row.metadata.get("context"),
            tool_call_id=row.tool_call_id,
            content=row.text[:TOOL_RESULT_LIMIT],
        )
    return WireRow(
        role=row.role,
        text=row.text,
        timestamp=row.created_at,
        row_id=row.row_id,
        display_kind=row.kind,
        display_metadata=shown or None,
        reasoning=row.reasoning or None,
    )


def row_payload(row: MessageRecord) -> dict[str, Any]:
    """Payload of a ``tapback.row`` event."""
    payload: dict[str, Any] = {"row": msgspec.to_builtins(wire_row(row))}
    ref = row.metadata.get(CLIENT_REF)
    return payload | ({"client_ref": ref} if ref else {})


def wire_rows(rows: Iterable[MessageRecord]) -> list[WireRow]:
    """The rows that people see; the answer being written is left out, it travels as ``inflight``."""
    return [wire_row(row) for row in rows if listed(row) and not row.metadata.get(STREAMING)]
