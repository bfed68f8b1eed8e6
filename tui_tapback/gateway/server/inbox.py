"""The requests of one client that wait to be carried out: in order, bounded in number and in bytes."""

from __future__ import annotations

import asyncio
from collections import deque

from tui_tapback.wire.frames import Frame


class Inbox:
    """A queue for one reader and one worker.

    More than ``number`` requests are refused; more than ``size`` bytes make the reader wait, so that a client
    cannot fill the memory with large requests that are sound each.
    """

    def __init__(self, number: int, size: int) -> None:
        self._number = number
        self._size = size
        self._frames: deque[tuple[Frame, int]] = deque()
        self._waiting = 0
        self._came = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def put(self, frame: Frame, size: int) -> bool:
        """Add a request of ``size`` bytes; False where too many wait already."""
        await self._room.wait()
        if len(self._frames) >= self._number:
            return False
        self._frames.append((frame, size))
        self._waiting += size
        if self._waiting > self._size:
            self._room.clear()
        self._came.set()
        return True

    async def next(self) -> Frame:
        """The next request."""
        while not self._frames:
            self._came.clear()
            await self._came.wait()
        frame, size = self._frames.popleft()
        self._waiting -= size
        if self._waiting <= self._size:
            self._room.set()
        return frame
