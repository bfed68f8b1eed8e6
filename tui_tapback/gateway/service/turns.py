"""Use cases of a conversation: submit, edit, queue, undo, interrupt, and what begins of itself."""

from __future__ import annotations

import hashlib
import logging
from typing import Any

from tui_tapback.domain.errors import Busy, StoreError
from tui_tapback.gateway.store.records import MessageRecord, SessionRecord
from tui_tapback.wire.conversation import Compressed, Submitted, Undone

from .affection import is_affectionate
from .compaction import Compaction
from .core import Core
from .inputs import message_text, reference, suggested_title
from .live_turn import LiveTurn, live_row
from .meanwhile import Meanwhile, prompt, waiting_prompt
from .notes import Note, lines
from .own_words import own_words
from .pending import NOTES, due_notes
from .ports import Agent
from .provider_messages import user_message
from .repetition import answer_before, remember_answer
from .rewind import Rewind, Truncation
from .rows import CLIENT_REF, MEANWHILE, QUEUED, row_payload
from .running import INTERRUPT_GRACE, Running
from .sessions import Sessions
from .settings import Reacting, Settings
from .settle import NOTHING_SETTLED
from .summing import Summing
from .turn_end import TurnEnd
from .usage import Usage

_log = logging.getLogger(__name__)


class Turns:
    """At most one turn a session; prompts that come meanwhile wait in their rows."""

    def __init__(
        self,
        core: Core,
        agent: Agent,
        *,
        sessions: Sessions,
        settings: Settings,
        usage: Usage,
        interrupt_grace: float = INTERRUPT_GRACE,
    ) -> None:
        self._core = core
        self._store = core.store
        self._sessions = sessions
        self._settings = settings
        self._usage = usage
        self._agent = agent
        self._rewind = Rewind(core)
        self._end = TurnEnd(core, usage)
        self._running = Running(agent, self._end, self._after, grace=interrupt_grace)
        self._summing = Summing(Compaction(core, sessions, usage, agent), self._summed_up)
        self.meanwhile = Meanwhile(core, sessions, self._running)

    @property
    def busy(self) -> bool:
        """Whether anything is running in any session."""
        return self._running.busy or self._summing.busy

    def running(self, session_id: str) -> LiveTurn | None:
        """The turn that is running, or None."""
        return self._running.turn(session_id)

    def occupied(self, session_id: str) -> bool:
        """Whether the session changes by itself just now: a turn runs, or its old part is being summed up."""
        return self._running.turn(session_id) is not None or self._summing.holds(session_id)

    def submit(
        self,
        session_id: str,
        text: str,
        client_ref: str | None = None,
        truncation: Truncation | None = None,
    ) -> Submitted:
        """Store a message of the user; start a turn, or let it wait behind the one that runs.

        ``truncation`` takes turns back first, in the same step, so that there is either the old chat or the
        edited one. The same ``client_ref`` again gets the same answer and has no effect; with another text
        it is refused.
        Raises OperationReused, SessionNotFound, EmptyMessage, MessageTooLong, InvalidInput, StoreError, and
        with a truncation Busy, TurnNotFound, WouldEmptyChat; nothing is stored.
        """
        session = self._sessions.require(session_id)
        ref = None if client_ref is None else reference(client_ref, "client_ref")
        now = self._core.clock()
        if ref is not None:
            before = answer_before(self._store, "prompt", session_id, ref, asked=_asked(text), now=now)
            if before is not None:
                return Submitted(**before)
        asked, text = _asked(text), message_text(text)
        waits = self.occupied(session_id) or self._store.messages.first_waiting(session_id) is not None
        if truncation is not None and waits:
            raise _busy()
        target = None if truncation is None else self._rewind.target(session_id, truncation)
        title = "" if session.title else suggested_title(text)
        metadata: dict[str, Any] = {CLIENT_REF: ref} if ref is not None else {}
        live: MessageRecord | None = None
        settled, gone = NOTHING_SETTLED, tuple[int, ...]()
        with self._store.transaction():
            if waits:
                row = self._store.messages.insert(waiting_prompt(session_id, text, metadata, now))
                self._store.sessions.touch(session_id, now)
            else:
                settled = self._end.settle_open(session, now)
                gone = () if target is None else self._rewind.cut(target)
                notes = self.due(session_id)
                row = self._store.messages.insert(prompt(session_id, text, metadata, now))
                row, live = self._begin(row, notes, now)
            if title:
                self._store.sessions.set_title(session_id, title)
            answer = self._answer(row, waits, truncation)
            if ref is not None:
                remember_answer(self._store, "prompt", session_id, ref, _plain(answer), asked=asked, now=now)
        self._end.tell_rows(session_id, settled)
        self._rewind.tell(session_id, gone, "edit")
        self._core.broadcast.emit(session_id, "tapback.row", row_payload(row))
        if title:
            self._sessions.tell_title(session_id, title)
        if live is not None:
            self._start(row, live)
        else:
            self.wake(session_id)
        return answer

    def _answer(self, row: MessageRecord, waits: bool, truncation: Truncation | None) -> Submitted:
        answer = Submitted("queued" if waits else "streaming", row.row_id)
        if truncation is not None:
            standing = self._rewind.survivors(row.session_id, truncation)
            answer.survivor_row_id_map = standing.by_id
            if standing.user_rows is not None:
                answer.survivor_user_row_ids = [n for n in standing.user_rows if n != row.row_id]
        return answer

    def undo(self, session_id: str) -> Undone:
        """Take the last turn back. Raises SessionNotFound, Busy, StoreError."""
        session = self._sessions.require(session_id)
        if self.occupied(session_id) or self._store.messages.first_waiting(session_id) is not None:
            raise _busy()
        row = self._rewind.last_turn(session_id)
        if row is None:
            return Undone()
        with self._store.transaction():
            settled = self._end.settle_open(session, self._core.clock())
            gone = self._rewind.cut(row)
        self._end.tell_rows(session_id, settled)
        self._rewind.tell(session_id, gone, "undo")
        return Undone(len(gone), row.text, row.row_id)

    async def compress(self, session_id: str, focus: str | None = None) -> Compressed:
        """Sum the old part of a session up for the model. Raises SessionNotFound, Busy."""
        session = self._sessions.require(session_id)
        if self.occupied(session_id) or self._store.messages.first_waiting(session_id) is not None:
            raise _busy()
        return await self._summing.run(session, focus)

    def wake(self, session_id: str) -> None:
        """Start the turn of the prompt that waits first, where nothing is running.

        This also closes a turn whose end could not be stored. Where the store still cannot do it the clients
        get a notice, and the session can be read all the same. Raises SessionNotFound.
        """
        self._sessions.require(session_id)
        try:
            self._wake(session_id)
        except StoreError as failure:
            self._core.broadcast.emit(session_id, "notice", {"text": failure.sentence(), "level": "error"})

    def _wake(self, session_id: str) -> None:
        if self.occupied(session_id) or self._running.closing:
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
        """Stop the running turn and wait until its rows are in order; nothing where none runs. A summary that
        is being made is left."""
        self._sessions.require(session_id)
        await self._summing.cancel(session_id)
        await self._running.interrupt(session_id)

    async def close(self) -> None:
        """Interrupt everything; prompts that wait stay for the next run."""
        self._running.closing = True
        await self._summing.close()
        await self._running.close()

    def due(self, session_id: str) -> list[Note]:
        """The notes that the next message carries; none while reactions are switched off."""
        return [note for note in self.pending(session_id) if not note.withheld]

    def pending(self, session_id: str) -> list[Note]:
        """All that the model has not heard of, what is kept back included; none while switched off."""
        if self._settings.reacting is Reacting.OFF:
            return []
        return due_notes(self._store.messages, session_id)

    def _begin(
        self, row: MessageRecord, notes: list[Note], now: float
    ) -> tuple[MessageRecord, MessageRecord]:
        """Record the notes, fix what the model is sent, make the row of the answer; inside a transaction."""
        messages = self._store.messages
        metadata = {key: value for key, value in row.metadata.items() if key not in (QUEUED, MEANWHILE)}
        if notes:
            metadata[NOTES] = [note.record() for note in notes]
        messages.set_metadata(row.row_id, metadata)
        sealed = messages.seal(row.row_id, user_message(lines(notes), own_words(row.text)))
        live = messages.insert(live_row(row.session_id, now))
        self._store.sessions.set_running(row.session_id, row.row_id, now)
        return sealed, live

    def _start(self, row: MessageRecord, live: MessageRecord) -> None:
        session = self._sessions.require(row.session_id)
        self._running.start(
            session, LiveTurn(self._core, session, row.row_id, live.row_id, usage=self._usage)
        )
        info = self._sessions.info(session, self._agent.model, running=True)
        self._core.broadcast.emit(session.id, "session.info", info)
        self._core.broadcast.emit(session.id, "message.start", {"row_id": live.row_id})
        if is_affectionate(row.text):
            self._core.broadcast.emit(session.id, "reaction", {"kind": "vibe"})

    def _summed_up(self, session_id: str) -> None:
        if not self._running.closing:
            self._core.broadcast.emit(session_id, "status.update", {"kind": "ready", "text": ""})
            self.wake(session_id)

    def _after(self, session: SessionRecord) -> None:
        info = {"running": False, "model": self._agent.model}
        self._core.broadcast.emit(session.id, "session.info", info)
        self._core.broadcast.announce("sessions.changed")
        if self._running.closing:
            return
        if not self._summing.start_where_needed(session):
            self.wake(session.id)


def _busy() -> Busy:
    return Busy("The agent is still answering in this chat.", hint="Interrupt it first, then try again.")


def _asked(text: str) -> dict[str, str]:
    """What tells a message that comes again from another one; a megabyte is not kept twice for that."""
    return {"text": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()}


def _plain(answer: Submitted) -> dict[str, Any]:
    facts = {name: getattr(answer, name) for name in answer.__struct_fields__}
    return {name: value for name, value in facts.items() if value is not None}
