"""Brings the rows of a turn that is over into the form in which they are sent from then on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tui_tapback.gateway.store.messages import MessageTable
from tui_tapback.gateway.store.records import MessageRecord, NewMessage

from .pending import FAILED_TURN
from .provider_messages import INTERRUPTED_CALL, assistant_message, calls_of, tool_message
from .rows import STREAMING, listed

Outcome = Literal["complete", "interrupted", "error"]


@dataclass(frozen=True, slots=True)
class Settled:
    """What ``settle`` changed: rows with their final form, results given to open calls, ids of rows that held
    nothing and are gone."""

    closed: tuple[MessageRecord, ...]
    answered: tuple[MessageRecord, ...]
    removed: tuple[int, ...]


NOTHING_SETTLED = Settled((), (), ())


def settle(
    messages: MessageTable,
    session_id: str,
    user_row_id: int,
    outcome: Outcome,
    *,
    error: str = "",
    always_tell: bool = True,
    now: float,
) -> Settled:
    """Close what the turn of ``user_row_id`` left open; inside a transaction.

    A partial answer becomes an answer, marked as interrupted; calls without a result get one that says so; an
    ``error`` stands in a row for people only, in place of an answer that never began. With
    ``always_tell`` False only where the turn has shown nothing else.
    """
    rows = messages.after(session_id, user_row_id)
    calls: dict[str, str] = {}
    live: list[MessageRecord] = []
    for row in rows:
        if row.role == "assistant" and row.metadata.get(STREAMING):
            live.append(row)
        elif row.role == "assistant" and row.sent is not None:
            calls |= calls_of(row.sent)
        elif row.role == "tool" and row.tool_call_id is not None:
            calls.pop(row.tool_call_id, None)
    answered = [_answer(messages, session_id, call_id, name, now) for call_id, name in calls.items()]
    closed = [_close(messages, row, outcome, error) for row in live if row.text.strip()]
    empty = [row for row in live if not row.text.strip()]
    shown = any(row.role == "assistant" and listed(row) for row in rows)
    if outcome == "error" and not closed and (always_tell or not shown):
        place = empty.pop().row_id if empty else None
        closed.append(_failed(messages, session_id, place, error, now))
    for row in empty:
        messages.delete(row.row_id)
    return Settled(tuple(closed), tuple(answered), tuple(row.row_id for row in empty))


def _answer(messages: MessageTable, session_id: str, call_id: str, name: str, now: float) -> MessageRecord:
    return messages.insert(
        NewMessage(
            session_id=session_id,
            role="tool",
            text=INTERRUPTED_CALL,
            at=now,
            sent=tool_message(call_id, INTERRUPTED_CALL),
            tool_call_id=call_id,
            tool_name=name,
        )
    )


def _close(messages: MessageTable, row: MessageRecord, outcome: Outcome, error: str) -> MessageRecord:
    metadata: dict[str, Any] = {key: value for key, value in row.metadata.items() if key != STREAMING}
    if outcome != "complete":
        metadata["interrupted"] = True
    if error:
        metadata["error"] = error
    messages.set_metadata(row.row_id, metadata)
    return messages.seal(row.row_id, assistant_message(row.text))


def _failed(
    messages: MessageTable, session_id: str, row_id: int | None, error: str, now: float
) -> MessageRecord:
    if row_id is None:
        new = NewMessage(session_id=session_id, role="assistant", text="", at=now)
        row_id = messages.insert(new).row_id
    messages.set_kind(row_id, FAILED_TURN, error)
    return messages.set_metadata(row_id, {"error": error})
