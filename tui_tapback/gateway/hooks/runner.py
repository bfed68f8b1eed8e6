"""Hands events to hooks: each hook has its own queue, so that none waits for another, and none runs away."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from .command import Outcome, Question
from .events import HookEvent, Translator
from .origin import HookProcesses

_log = logging.getLogger(__name__)
WAITING = 200
"""Events that may wait for one hook; the oldest is dropped for a newer one."""
MOST_ASKED = 3
"""Questions that a hook may ask about one event, each after the answer to the one before."""

Ask = Callable[[str, str, Question], Awaitable[str]]
"""Asks the people of a session (its id, the hook's name, the question); the answer, empty for none."""


@dataclass(frozen=True, slots=True)
class Breaker:
    """A hook that is run ``runs`` times within ``seconds`` is left out for ``pause`` seconds.

    One that sets off the very event it waits for would go on for ever."""

    runs: int = 60
    seconds: float = 10.0
    pause: float = 60.0


BREAKER = Breaker()


class Hook(Protocol):
    """Something that is run for events."""

    @property
    def name(self) -> str:
        """For the log."""
        ...

    def wants(self, event: str) -> bool:
        """Whether it is run for an event of that name."""
        ...

    async def run(self, event: HookEvent) -> Outcome:
        """Run it; what goes wrong is the outcome."""
        ...


@dataclass(slots=True)
class _Line:
    """A hook and the events that wait for it."""

    hook: Hook
    events: deque[HookEvent] = field(default_factory=deque[HookEvent])
    started: deque[float] = field(default_factory=deque[float])
    paused_until: float = 0.0
    worker: asyncio.Task[None] | None = None


class Hooks:
    """Implements ``EventSink`` for all sessions at once. ``deliver`` never blocks and never raises."""

    def __init__(
        self,
        hooks: Sequence[Hook],
        processes: HookProcesses,
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        breaker: Breaker = BREAKER,
        ask: Ask | None = None,
    ) -> None:
        """``ask``: how questions of hooks reach people; None where there are none to ask."""
        self._ask = ask
        self._processes = processes
        self._lines = [_Line(hook) for hook in hooks]
        self._clock = clock
        self._monotonic = monotonic
        self._breaker = breaker
        self._translator = Translator()
        self._closed = False

    def deliver(self, params: dict[str, Any]) -> None:
        """Hear an event of the wire. What a hook set off is told to none."""
        if self._closed or not self._lines or self._processes.asking():
            return
        for event in self._translator.read(params, self._clock()):
            for line in self._lines:
                if line.hook.wants(event.name):
                    self._put(line, event)

    async def idle(self) -> None:
        """Wait until every hook has been run for everything that came."""
        while workers := [line.worker for line in self._lines if line.worker is not None]:
            await asyncio.wait(workers)

    async def close(self) -> None:
        """End what runs and forget what waits."""
        self._closed = True
        workers = [line.worker for line in self._lines if line.worker is not None]
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)

    def _put(self, line: _Line, event: HookEvent) -> None:
        if self._monotonic() < line.paused_until:
            return
        if len(line.events) >= WAITING:
            dropped = line.events.popleft()
            _log.warning("The hook %s is too slow: an event %s was dropped.", line.hook.name, dropped.name)
        line.events.append(event)
        if line.worker is None:
            line.worker = asyncio.create_task(self._work(line), name=f"hook {line.hook.name}")

    async def _work(self, line: _Line) -> None:
        try:
            while line.events and self._may_run(line):
                await self._run(line.hook, line.events.popleft())
        finally:
            line.worker = None

    async def _run(self, hook: Hook, event: HookEvent) -> None:
        begun = self._monotonic()
        try:
            outcome = await hook.run(event)
            for _ in range(MOST_ASKED):
                if outcome.failure or outcome.question is None:
                    break
                event = await self._answered(hook, event, outcome.question)
                outcome = await hook.run(event)
        except Exception:  # noqa: BLE001 - a failing hook must not hurt the gateway or the next hook
            _log.exception("The hook %s failed on %s.", hook.name, event.name)
            return
        if outcome.question is not None:
            _log.warning("The hook %s asked more than %d times about one event.", hook.name, MOST_ASKED)
        if outcome.failure:
            _log.warning("The hook %s failed on %s: %s.", hook.name, event.name, outcome.failure)
        else:
            took = self._monotonic() - begun
            _log.info("The hook %s was run for %s in %.2f s.", hook.name, event.name, took)

    async def _answered(self, hook: Hook, event: HookEvent, question: Question) -> HookEvent:
        """The event once more, with what people say to the hook's question."""
        answer = ""
        if self._ask is None or not event.session_id:
            _log.warning("The hook %s asks about %s, but there is nobody to ask.", hook.name, event.name)
        else:
            answer = await self._ask(event.session_id, hook.name, question)
        return replace(event, facts={**event.facts, "asked": question.ask, "answer": answer})

    def _may_run(self, line: _Line) -> bool:
        now = self._monotonic()
        while line.started and line.started[0] <= now - self._breaker.seconds:
            line.started.popleft()
        if len(line.started) < self._breaker.runs:
            line.started.append(now)
            return True
        line.paused_until = now + self._breaker.pause
        line.events.clear()
        line.started.clear()
        _log.error(
            "The hook %s was run %d times within %g seconds and is left out for %g seconds: it seems "
            "to set off the event that it waits for.",
            line.hook.name,
            self._breaker.runs,
            self._breaker.seconds,
            self._breaker.pause,
        )
        return False
