"""A session as a client finds it when it opens it."""

from __future__ import annotations

import msgspec

from tui_tapback.domain.reactions import NO_REACTIONS
from tui_tapback.gateway.store.records import SessionRecord
from tui_tapback.wire.library import LARGEST_LIMIT
from tui_tapback.wire.methods import Inflight, Snapshot
from tui_tapback.wire.rows import WireReaction, reactions_to_wire

from .core import Core
from .live_turn import LiveTurn
from .paging import Paging
from .reactions import reactions_of
from .rows import wire_rows
from .sessions import Sessions


class Snapshots:
    """Reads snapshots. What one holds includes every event up to its ``seq`` and none after."""

    def __init__(self, core: Core, sessions: Sessions, paging: Paging) -> None:
        self._core = core
        self._sessions = sessions
        self._paging = paging

    def take(
        self,
        session: SessionRecord,
        turn: LiveTurn | None,
        model: str,
        *,
        omit_messages: bool = False,
        limit: int | None = None,
    ) -> Snapshot:
        """The session now, with its newest ``limit`` rows, all of them or (``omit_messages``) none; the
        answer that ``turn`` is writing stands in ``inflight``."""
        messages = self._core.store.messages
        has_older = False
        if limit is not None:
            newest = self._paging.newest(session.id, min(max(limit, 0), LARGEST_LIMIT))
            rows, has_older = wire_rows(newest.rows), newest.has_older
        else:
            rows = [] if omit_messages else wire_rows(messages.all(session.id))
        total = messages.count(session.id)
        return Snapshot(
            session_id=session.id,
            stored_session_id=session.id,
            session_key=session.id,
            message_count=total,
            messages=rows,
            info=self._sessions.info(session, model, turn is not None),
            running=turn is not None,
            status="working" if turn is not None else "idle",
            inflight=None if turn is None else self._inflight(turn),
            seq=self._core.broadcast.latest(session.id),
            has_older=has_older,
            total=total,
            parent_session_id=session.parent or None,
            parent_title=self._sessions.parent_title(session),
        )

    def _inflight(self, turn: LiveTurn) -> Inflight:
        live_id = turn.live_row_id
        row = None if live_id is None else self._core.store.messages.get(turn.session_id, live_id)
        reactions = NO_REACTIONS if row is None else reactions_of(row)
        return Inflight(
            assistant=turn.partial,
            streaming=True,
            row_id=live_id,
            reactions=msgspec.convert(reactions_to_wire(reactions), list[WireReaction]),
        )
