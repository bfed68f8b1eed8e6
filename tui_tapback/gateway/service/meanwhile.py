"""Words of the user for a turn that is running: steering adds them, redirecting cuts the answer short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui_tapback.gateway.store.records import NewMessage
from tui_tapback.wire.conversation import Steered

from .core import Core
from .inputs import message_text
from .rewind import REDIRECT, STEER
from .rows import MEANWHILE, QUEUED, row_payload
from .running import Running
from .sessions import Sessions


def prompt(session_id: str, text: str, metadata: Mapping[str, Any], at: float) -> NewMessage:
    """A new row of the user."""
    return NewMessage(session_id=session_id, role="user", text=text, at=at, metadata=metadata)


def waiting_prompt(session_id: str, text: str, metadata: Mapping[str, Any], at: float) -> NewMessage:
    """A new row of the user that waits for its place."""
    return NewMessage(
        session_id=session_id,
        role="user",
        text=text,
        at=at,
        metadata={**metadata, QUEUED: True},
        waiting=True,
    )


class Meanwhile:
    """The words are stored at once and wait in their row, so that no end of the program loses them; where the
    turn ends before it could take them in they are the next prompt."""

    def __init__(self, core: Core, sessions: Sessions, running: Running) -> None:
        self._core = core
        self._sessions = sessions
        self._running = running

    def steer(self, session_id: str, text: str) -> Steered:
        """Add words to the running turn: the model reads them after its next tool call, without notes.

        Raises SessionNotFound, EmptyMessage, MessageTooLong, StoreError.
        """
        return Steered("queued" if self._keep(session_id, text, STEER) else "rejected", text)

    async def redirect(self, session_id: str, text: str) -> Steered:
        """Cut the answer short and let the turn go on from these words, without notes.

        Raises SessionNotFound, EmptyMessage, MessageTooLong, StoreError.
        """
        if not self._keep(session_id, text, REDIRECT):
            return Steered("rejected", text)
        await self._running.redirect(session_id)
        return Steered("redirected", text)

    def _keep(self, session_id: str, text: str, kind: str) -> bool:
        self._sessions.require(session_id)
        text = message_text(text)
        if self._running.turn(session_id) is None:
            return False
        now = self._core.clock()
        with self._core.store.transaction():
            row = self._core.store.messages.insert(waiting_prompt(session_id, text, {MEANWHILE: kind}, now))
            self._core.store.sessions.touch(session_id, now)
        self._core.broadcast.emit(session_id, "tapback.row", row_payload(row))
        return True
