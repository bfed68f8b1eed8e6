"""Runs the agent behind the turns of all sessions: one each, interrupted and redirected in good order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from tui_tapback.domain.errors import TapbackError
from tui_tapback.gateway.store.records import SessionRecord

from .live_turn import LiveTurn
from .ports import Agent
from .settle import Outcome
from .turn_end import TurnEnd

_log = logging.getLogger(__name__)
INTERRUPT_GRACE = 5.0
"""Seconds an interrupted agent has for letting go; its turn ends then without it."""


@dataclass(slots=True)
class _Running:
    turn: LiveTurn
    answering: asyncio.Task[None]
    given_up: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    interrupted: bool = False


class Running:
    """The turns that run. ``ended`` is called with the session when one is over and its rows are in order."""

    def __init__(
        self,
        agent: Agent,
        end: TurnEnd,
        ended: Callable[[SessionRecord], None],
        *,
        grace: float = INTERRUPT_GRACE,
    ) -> None:
        self._agent = agent
        self._end = end
        self._ended = ended
        self._grace = grace
        self._running: dict[str, _Running] = {}
        self._watching: set[asyncio.Task[None]] = set()
        self.closing = False

    @property
    def busy(self) -> bool:
        """Whether any turn is running."""
        return bool(self._running)

    def turn(self, session_id: str) -> LiveTurn | None:
        """The turn that is running, or None."""
        entry = self._running.get(session_id)
        return entry.turn if entry is not None else None

    def start(self, session: SessionRecord, turn: LiveTurn) -> None:
        """Let the agent answer."""
        entry = _Running(turn, self._answer(turn))
        self._running[session.id] = entry
        watching = asyncio.create_task(self._watch(session, entry), name=f"turn {session.id}")
        self._watching.add(watching)
        watching.add_done_callback(self._watched)

    def _watched(self, task: asyncio.Task[None]) -> None:
        self._watching.discard(task)
        if not task.cancelled() and (failure := task.exception()) is not None:
            _log.error("A turn could not be ended in good order.", exc_info=failure)

    async def interrupt(self, session_id: str) -> None:
        """Stop the turn and wait until its rows are in order; nothing where none runs."""
        entry = self._running.get(session_id)
        if entry is not None:
            entry.interrupted = True
            await self._stop(entry)
            await entry.over.wait()

    async def redirect(self, session_id: str) -> None:
        """Cut the answer short; the turn goes on as ``TurnEnd.redirect`` says."""
        entry = self._running.get(session_id)
        if entry is not None:
            await self._stop(entry)

    async def close(self) -> None:
        """Interrupt everything."""
        self.closing = True
        await asyncio.gather(*(self.interrupt(session_id) for session_id in tuple(self._running)))

    def _answer(self, turn: LiveTurn) -> asyncio.Task[None]:
        return asyncio.create_task(self._agent.run(turn), name=f"agent {turn.session_id}")

    async def _stop(self, entry: _Running) -> None:
        given_up, answering = entry.given_up, entry.answering
        entry.turn.stop()
        answering.cancel()
        await asyncio.wait({answering}, timeout=self._grace)
        given_up.set()

    async def _watch(self, session: SessionRecord, entry: _Running) -> None:
        try:
            while True:
                await self._until_answered(entry)
                further = None if entry.interrupted else self._end.redirect(entry.turn)
                if further is None:
                    return
                _let_go(entry.answering)
                entry.turn, entry.given_up = further, asyncio.Event()
                entry.answering = self._answer(further)
        except asyncio.CancelledError:
            # The loop is being shut down: put the rows in order, start nothing new.
            self.closing = True
            raise
        finally:
            _let_go(entry.answering)
            try:
                self._end.end(entry.turn, *_result(entry.answering))
            finally:
                del self._running[session.id]
                entry.over.set()
                self._ended(session)

    @staticmethod
    async def _until_answered(entry: _Running) -> None:
        giving_up = asyncio.create_task(entry.given_up.wait(), name=f"grace {entry.turn.session_id}")
        try:
            await asyncio.wait({entry.answering, giving_up}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            giving_up.cancel()


def _let_go(answering: asyncio.Task[None]) -> None:
    """Leave an agent that has not let go in time to itself; it reaches nothing any more."""
    if not answering.done():
        answering.cancel()
        answering.add_done_callback(_late_end)


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
