"""Summaries in the making: one a session, during which its prompts wait."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from tui_tapback.gateway.store.records import SessionRecord
from tui_tapback.wire.conversation import Compressed

from .compaction import Compaction, nothing_done

_log = logging.getLogger(__name__)


class Summing:
    """Runs compactions. ``ended`` is called with the session's id when one is over, however it went."""

    def __init__(self, compaction: Compaction, ended: Callable[[str], None]) -> None:
        self._compaction = compaction
        self._ended = ended
        self._tasks: dict[str, asyncio.Task[Compressed]] = {}

    @property
    def busy(self) -> bool:
        """Whether a summary is being made in any session."""
        return bool(self._tasks)

    def holds(self, session_id: str) -> bool:
        """Whether a summary of this session is being made."""
        return session_id in self._tasks

    async def run(self, session: SessionRecord, focus: str | None) -> Compressed:
        """Make a summary and wait for it."""
        task = self._start(session, focus)
        await asyncio.wait({task})
        return nothing_done("It was interrupted.", aborted=True) if task.cancelled() else task.result()

    def start_where_needed(self, session: SessionRecord) -> bool:
        """Begin a summary where the context has grown beyond its limit; whether one was begun."""
        needed = self._compaction.needed(session)
        if needed:
            self._start(session, None)
        return needed

    async def cancel(self, session_id: str) -> None:
        """Leave the summary of a session; nothing where none is being made."""
        task = self._tasks.get(session_id)
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    async def close(self) -> None:
        """Leave all of them."""
        for session_id in tuple(self._tasks):
            await self.cancel(session_id)

    def _start(self, session: SessionRecord, focus: str | None) -> asyncio.Task[Compressed]:
        work = self._compaction.run(session, focus)
        task = asyncio.create_task(work, name=f"summary {session.id}")
        self._tasks[session.id] = task
        task.add_done_callback(lambda done: self._done(session.id, done))
        return task

    def _done(self, session_id: str, task: asyncio.Task[Compressed]) -> None:
        del self._tasks[session_id]
        if not task.cancelled() and (failure := task.exception()) is not None:
            _log.warning("The old part of a session could not be summed up.", exc_info=failure)
        self._ended(session_id)
