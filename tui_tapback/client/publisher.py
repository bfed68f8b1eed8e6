"""Hands the newest state to whoever watches, coalesced, and notices one by one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Newest(Generic[T]):
    """A value that is computed when it is asked for. Watchers see the newest, not each one between."""

    def __init__(self, compute: Callable[[], T]) -> None:
        self._compute = compute
        self._value: T | None = None
        self._stale = True
        self._watchers: set[asyncio.Event] = set()
        self._ended = False

    @property
    def value(self) -> T:
        """The present value; the same object until it differs."""
        if self._stale or self._value is None:
            fresh = self._compute()
            self._stale = False
            if self._value is None or fresh != self._value:
                self._value = fresh
        return self._value

    def changed(self) -> None:
        """Something it is made of may have moved."""
        self._stale = True
        for watcher in self._watchers:
            watcher.set()

    def end(self) -> None:
        """Let the watchers see the last value and stop."""
        self._ended = True
        self.changed()

    async def watch(self) -> AsyncIterator[T]:
        """The present value first, then the newest after each change; ends after ``end``."""
        woken = asyncio.Event()
        woken.set()
        self._watchers.add(woken)
        shown: T | None = None
        try:
            while True:
                await woken.wait()
                woken.clear()
                ended = self._ended
                value = self.value
                if value is not shown:
                    shown = value
                    yield value
                if ended:
                    return
        finally:
            self._watchers.discard(woken)


class Feed(Generic[T]):
    """Items for every watcher. What comes before there is one is kept for the first, up to ``limit``."""

    def __init__(self, limit: int = 100) -> None:
        self._limit = limit
        self._early: deque[T] = deque(maxlen=limit)
        self._watchers: list[tuple[deque[T], asyncio.Event]] = []
        self._ended = False

    def push(self, item: T) -> None:
        """Hand on an item; a watcher that does not keep up loses the oldest."""
        if not self._watchers:
            self._early.append(item)
        for items, woken in self._watchers:
            items.append(item)
            woken.set()

    def end(self) -> None:
        """Let the watchers stop when they have seen all."""
        self._ended = True
        for _, woken in self._watchers:
            woken.set()

    async def watch(self) -> AsyncIterator[T]:
        """The items as they come."""
        entry = (deque(self._early, maxlen=self._limit), asyncio.Event())
        self._early.clear()
        items, woken = entry
        self._watchers.append(entry)
        try:
            while True:
                while items:
                    yield items.popleft()
                if self._ended:
                    return
                woken.clear()
                await woken.wait()
        finally:
            self._watchers.remove(entry)
