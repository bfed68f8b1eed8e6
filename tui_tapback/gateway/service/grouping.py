"""Stores what several clients ask for at the same moment in one transaction, and answers after its commit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tui_tapback.domain.errors import StoreError

from .core import Core

T = TypeVar("T")
MOST = 256
"""Requests of one transaction."""


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[], None]
    answer: asyncio.Future[None]


class Grouping:
    """One commit, and so one wait for the disk, for all requests that wait when it begins.

    For use cases without state of their own beside store and broadcast (reactions): each runs in a savepoint,
    so that one that is refused leaves the others alone; events go out and answers are given after the commit.
    Where the commit fails nothing of the group has happened, and each is tried alone.
    """

    def __init__(self, core: Core) -> None:
        self._store = core.store
        self._broadcast = core.broadcast
        self._waiting: list[_Job] = []

    async def run(self, work: Callable[[], T]) -> T:
        """Carry out ``work`` with whatever else waits. Raises what it raises, and StoreError."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[None] = loop.create_future()
        results: list[T] = []

        def carry_out() -> None:
            results[:] = [work()]

        if not self._waiting:
            loop.call_soon(self.flush)
        self._waiting.append(_Job(carry_out, answer))
        await answer
        return results[0]

    def flush(self) -> None:
        """Carry out everything that waits, now."""
        while self._waiting:
            jobs, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            if len(jobs) == 1:
                _settle(jobs[0], _failure(jobs[0]))
                continue
            try:
                with self._broadcast.held(), self._store.group():
                    failures = [_failure(job) for job in jobs]
            except StoreError:
                failures = [_failure(job) for job in jobs]
            except Exception as error:  # noqa: BLE001 - a fault of ours; nobody may wait for an answer for ever
                failures = [error for _ in jobs]
            for job, failure in zip(jobs, failures, strict=True):
                _settle(job, failure)


def _failure(job: _Job) -> Exception | None:
    try:
        job.work()
    except Exception as error:  # noqa: BLE001 - handed to whoever asked, who must not take the others with him
        return error
    return None


def _settle(job: _Job, failure: Exception | None) -> None:
    if job.answer.done():  # nobody waits for it any more
        return
    if failure is None:
        job.answer.set_result(None)
    else:
        job.answer.set_exception(failure)
