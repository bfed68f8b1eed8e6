"""The end of a turn: its rows are put in order, then the clients are told."""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from tui_tapback.domain.errors import StoreError
from tui_tapback.gateway.store.records import SessionRecord
from tui_tapback.wire.rows import TOOL_RESULT_LIMIT

from .core import Core
from .live_turn import LiveTurn, live_row, take_in
from .rewind import REDIRECT
from .rows import MEANWHILE, row_payload
from .settle import NOTHING_SETTLED, Outcome, Settled, settle
from .usage import Usage

_log = logging.getLogger(__name__)
_LEFT_OPEN = (
    "The answer broke off because the gateway ended or could not store it. "
    "Send the message again to get a whole one."
)


class TurnEnd:
    """Ends turns, those of this run and those that an earlier run left open."""

    def __init__(self, core: Core, usage: Usage) -> None:
        self._core = core
        self._usage = usage

    def end(self, turn: LiveTurn, outcome: Outcome, error: str) -> None:
        """Store the final form of the rows and send the events of the end, up to ``message.complete``.

        Where the store fails the turn ends with that error, and its rows stay open; ``settle_open`` closes
        them before the next turn.
        """
        turn.stop()
        settled = NOTHING_SETTLED
        now = self._core.clock()
        try:
            with self._core.store.transaction():
                turn.save()
                settled = settle(
                    self._core.store.messages,
                    turn.session_id,
                    turn.user_row_id,
                    outcome,
                    error=error,
                    now=now,
                )
                self._core.store.sessions.set_running(turn.session_id, None, now)
        except StoreError as failure:
            settled = NOTHING_SETTLED
            outcome, error = "error", error or failure.sentence()
        self.tell_rows(turn.session_id, settled)
        complete = _complete(turn, settled, outcome, error) | self._counted(turn.session_id)
        self._core.broadcast.emit(turn.session_id, "message.complete", complete)

    def _counted(self, session_id: str) -> dict[str, Any]:
        """The tokens of the session; nothing where the store cannot be read."""
        try:
            session = self._core.store.sessions.get(session_id)
            return {} if session is None else {"usage": msgspec.structs.asdict(self._usage.report(session))}
        except StoreError:
            return {}

    def redirect(self, turn: LiveTurn) -> LiveTurn | None:
        """Where the user cut the answer short with other words: close it as it stands, put the words behind
        it, and make the turn that goes on from there. None where there are no such words, or where they
        could not be stored; they then wait as a prompt of their own."""
        messages, now = self._core.store.messages, self._core.clock()
        try:
            rows = [
                row for row in messages.waiting(turn.session_id) if row.metadata.get(MEANWHILE) == REDIRECT
            ]
            if not rows:
                return None
            turn.stop()
            with self._core.store.transaction():
                turn.save()
                settled = settle(messages, turn.session_id, turn.user_row_id, "interrupted", now=now)
                taken = [take_in(messages, row, REDIRECT, now) for row in rows]
                live = messages.insert(live_row(turn.session_id, now))
        except StoreError as failure:
            _log.warning("A turn could not be redirected: %s", failure)
            return None
        self.tell_rows(turn.session_id, settled)
        for row in taken:
            self._core.broadcast.emit(turn.session_id, "tapback.row", row_payload(row))
        self._core.broadcast.emit(turn.session_id, "message.start", {"row_id": live.row_id})
        ids = [row.row_id for row in (*settled.answered, *settled.closed, *taken)]
        return turn.go_on_from(ids, live.row_id)

    def settle_open(self, session: SessionRecord, now: float) -> Settled:
        """Close a turn that was left open by a crash or a full disk; inside a transaction, after which
        ``tell_rows`` tells the clients that are there."""
        if session.running_row is None:
            return NOTHING_SETTLED
        settled = settle(
            self._core.store.messages,
            session.id,
            session.running_row,
            "error",
            error=_LEFT_OPEN,
            always_tell=False,
            now=now,
        )
        self._core.store.sessions.set_running(session.id, None, now)
        return settled

    def tell_rows(self, session_id: str, settled: Settled) -> None:
        """Tell the clients which rows got their final form, and which are gone."""
        emit = self._core.broadcast.emit
        for row in settled.answered:
            result = row.text[:TOOL_RESULT_LIMIT]
            emit(
                session_id,
                "tool.complete",
                {"tool_id": row.tool_call_id, "name": row.tool_name, "result": result},
            )
        for row in settled.closed:
            emit(session_id, "tapback.row", row_payload(row))
        if settled.removed:
            emit(session_id, "tapback.rows_removed", {"row_ids": list(settled.removed)})


def _complete(turn: LiveTurn, settled: Settled, outcome: Outcome, error: str) -> dict[str, Any]:
    answers = [row for row in settled.closed if row.sent is not None]
    final = answers[-1] if answers else turn.final if outcome == "complete" else None
    persisted: dict[str, Any] = {
        "row_ids": [*turn.row_ids, *(row.row_id for row in (*settled.answered, *settled.closed))],
        "complete": outcome == "complete" and not turn.redirected,
        "user_row_id": turn.user_row_id,
    }
    if final is not None:
        persisted["final_assistant_row_id"] = final.row_id
    payload: dict[str, Any] = {
        "text": final.text if final is not None else None,
        "status": outcome,
        "persisted_turn": persisted,
    }
    return payload | ({"error": error} if error else {})
