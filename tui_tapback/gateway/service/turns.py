"""Use cases of a conversation: submit, queue, interrupt, and the life of a turn."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any

from tui_tapback.domain.errors import StoreError, TapbackError
from tui_tapback.gateway.store.records import MessageRecord, NewMessage
from tui_tapback.wire.methods import Submitted

from .core import Core
from .inputs import message_text, reference, suggested_title
from .live_turn import LiveTurn, live_row
from .notes import Note, lines
from .pending import due_notes
from .ports import Agent
from .provider_messages import user_message
from .rows import CLIENT_REF, QUEUED, row_payload
from .sessions import Sessions
from .settings import Reacting, Settings
from .settle import NOTHING_SETTLED, Outcome
from .turn_end import TurnEnd

_log = logging.getLogger(__name__)
INTERRUPT_GRACE = 5.0
"""Seconds an interrupted agent has for letting go; its turn ends then without it."""


@dataclass(frozen=True, slots=True)
class _Running:
    turn: LiveTurn
    answering: asyncio.Task[None]
    given_up: asyncio.Event
    watching: asyncio.Task[None]


class Turns:
    """At most one turn a session; prompts that come meanwhile wait in their rows."""

    def __init__(
        self,
        core: Core,
        sessions: Sessions,
        settings: Settings,
        agent: Agent,
        *,
        interrupt_grace: float = INTERRUPT_GRACE,
    ) -> None:
        self._core = core
        self._store = core.store
        self._sessions = sessions
        self._settings = settings
        self._agent = agent
        self._grace = interrupt_grace
        self._end = TurnEnd(core)
        self._running: dict[str, _Running] = {}
        self._closing = False

    @property
    def busy(self) -> bool:
        """Whether any turn is running."""
        return bool(self._running)

    def running(self, session_id: str) -> LiveTurn | None:
        """The turn that is running, or None."""
        entry = self._running.get(session_id)
        return entry.turn if entry is not None else None

    def submit(self, session_id: str, text: str, client_ref: str | None = None) -> Submitted:
        """Store a message of the user; start a turn, or let it wait behind the one that runs.

        The same ``client_ref`` again gets the same answer and has no effect.
        Raises SessionNotFound, EmptyMessage, MessageTooLong, InvalidInput, StoreError; nothing is stored.
        """
        session = self._sessions.require(session_id)
        ref = None if client_ref is None else reference(client_ref, "client_ref")
        now = self._core.clock()
        if ref is not None:
            before = self._store.operations.find("prompt", session_id, ref, now)
            if before is not None:
                return Submitted(before["status"], before["user_row_id"])
        text = message_text(text)
        waits = session_id in self._running or self._store.messages.first_waiting(session_id) is not None
        title = "" if session.title else suggested_title(text)
        metadata: dict[str, Any] = {CLIENT_REF: ref} if ref is not None else {}
        live: MessageRecord | None = None
        settled = NOTHING_SETTLED
        with self._store.transaction():
            if waits:
                row = self._insert(session_id, text, metadata | {QUEUED: True}, now, waiting=True)
                self._store.sessions.touch(session_id, now)
            else:
                settled = self._end.settle_open(session, now)
                notes = self.due(session_id)
                row = self._insert(session_id, text, metadata, now, waiting=False)
                row, live = self._begin(row, notes, now)
            if title:
                self._store.sessions.set_title(session_id, title)
            answer = Submitted("queued" if waits else "streaming", row.row_id)
            if ref is not None:
                result = {"status": answer.status, "user_row_id": answer.user_row_id}
                self._store.operations.remember("prompt", session_id, ref, result, now)
        self._end.tell_rows(session_id, settled)
        self._core.broadcast.emit(session_id, "tapback.row", row_payload(row))
        if title:
            self._sessions.tell_title(session_id, title)
        if live is not None:
            self._start(row, live)
        else:
            self.wake(session_id)
        return answer

    def wake(self, session_id: str) -> None:
        """Start the turn of the prompt that waits first, where none is running.

        This also closes a turn whose end could not be stored. Where the store still cannot do it the clients
        get a notice, and the session can be read all the same. Raises SessionNotFound.
        """
        self._sessions.require(session_id)
        try:
            self._wake(session_id)
        except StoreError as failure:
            self._core.broadcast.emit(session_id, "notice", {"text": failure.sentence(), "level": "error"})

    def _wake(self, session_id: str) -> None:
        if session_id in self._running or self._closing:
            return
        session = self._sessions.require(session_id)
        row = self._store.messages.first_waiting(session_id)
        if row is None and session.running_row is None:
            return
        live: MessageRecord | None = None
        now = self._core.clock()
        with self._store.transaction():
            settled = self._end.settle_open(session, now)
            if row is not None:
                # The notes first: a reaction to the waiting prompt itself is news for the turn after it.
                notes = self.due(session_id)
                row, live = self._begin(self._store.messages.place(row.row_id, now), notes, now)
        self._end.tell_rows(session_id, settled)
        if row is not None and live is not None:
            self._core.broadcast.emit(session_id, "tapback.row", row_payload(row))
            self._start(row, live)

    def settle_left_open(self) -> None:
        """Close the turns that an earlier run of the gateway left open, so that whoever only reads sees them
        as they are; prompts that wait go on when their session is opened. A store that cannot be written
        now is tried again by ``wake``."""
        now = self._core.clock()
        try:
            with self._store.transaction():
                for session in self._store.sessions.unfinished():
                    self._end.settle_open(session, now)
        except StoreError as failure:
            _log.warning("Turns of an earlier run could not be closed: %s", failure)

    async def interrupt(self, session_id: str) -> None:
        """Stop the running turn and wait until its rows are in order; nothing where none runs."""
        self._sessions.require(session_id)
        entry = self._running.get(session_id)
        if entry is not None:
            await self._stop(entry)

    async def close(self) -> None:
        """Interrupt everything; prompts that wait stay for the next run."""
        self._closing = True
        await asyncio.gather(*(self._stop(entry) for entry in self._running.values()))

    async def _stop(self, entry: _Running) -> None:
        entry.turn.stop()
        entry.answering.cancel()
        await asyncio.wait({entry.answering}, timeout=self._grace)
        entry.given_up.set()
        await asyncio.wait({entry.watching})

    def due(self, session_id: str) -> list[Note]:
        """The notes that the next message carries; none while reactions are switched off."""
        if self._settings.reacting is Reacting.OFF:
            return []
        return due_notes(self._store.messages, session_id)

    def _insert(
        self, session_id: str, text: str, metadata: dict[str, Any], now: float, *, waiting: bool
    ) -> MessageRecord:
        return self._store.messages.insert(
            NewMessage(
                session_id=session_id, role="user", text=text, at=now, metadata=metadata, waiting=waiting
            )
        )

    def _begin(
        self, row: MessageRecord, notes: list[Note], now: float
    ) -> tuple[MessageRecord, MessageRecord]:
        """Record the notes, fix what the model is sent, make the row of the answer; inside a transaction."""
        messages = self._store.messages
        metadata = {key: value for key, value in row.metadata.items() if key != QUEUED}
        if notes:
            metadata["notes"] = [note.record() for note in notes]
        messages.set_metadata(row.row_id, metadata)
        sealed = messages.seal(row.row_id, user_message(lines(notes), row.text))
        live = messages.insert(live_row(row.session_id, now))
        self._store.sessions.set_running(row.session_id, row.row_id, now)
        return sealed, live

    def _start(self, row: MessageRecord, live: MessageRecord) -> None:
        session = self._sessions.require(row.session_id)
        turn = LiveTurn(self._core, session, row.row_id, live.row_id)
        answering = asyncio.create_task(self._agent.run(turn), name=f"agent {session.id}")
        given_up = asyncio.Event()
        watching = asyncio.create_task(self._watch(turn, answering, given_up), name=f"turn {session.id}")
        self._running[session.id] = _Running(turn, answering, given_up, watching)
        info = self._sessions.info(session, self._agent.model, running=True)
        self._core.broadcast.emit(session.id, "session.info", info)
        self._core.broadcast.emit(session.id, "message.start", {"row_id": live.row_id})

    async def _watch(self, turn: LiveTurn, answering: asyncio.Task[None], given_up: asyncio.Event) -> None:
        giving_up = asyncio.create_task(given_up.wait(), name=f"grace {turn.session_id}")
        try:
            await asyncio.wait({answering, giving_up}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # The loop is being shut down: put the rows in order, start nothing new.
            self._closing = True
            raise
        finally:
            giving_up.cancel()
            if not answering.done():
                answering.cancel()
                answering.add_done_callback(_late_end)
            try:
                self._end.end(turn, *_result(answering))
            finally:
                del self._running[turn.session_id]
                self._after(turn.session_id)

    def _after(self, session_id: str) -> None:
        self._core.broadcast.emit(session_id, "session.info", {"running": False, "model": self._agent.model})
        self._core.broadcast.announce("sessions.changed")
        if not self._closing:
            self.wake(session_id)


def _result(answering: asyncio.Task[None]) -> tuple[Outcome, str]:
    if not answering.done() or answering.cancelled():
        return "interrupted", ""
    failure = answering.exception()
    if failure is None:
        return "complete", ""
    if isinstance(failure, TapbackError):
        return "error", failure.sentence()
    _log.error("The agent failed unexpectedly.", exc_info=failure)
    return "error", f"The agent failed unexpectedly ({type(failure).__name__}). The log says more."


def _late_end(answering: asyncio.Task[None]) -> None:
    """An agent that did not let go in time; its turn is over, its failure is only worth a line in the log."""
    if not answering.cancelled() and (failure := answering.exception()) is not None:
        _log.warning("An interrupted agent failed afterwards.", exc_info=failure)
