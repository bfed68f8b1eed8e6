"""What waits to be sent to one client: in order, and bounded in bytes."""

from __future__ import annotations

import asyncio
from collections import deque


class Outbox:
    """A queue of frames for one writer.

    ``limit`` counts the bytes that wait behind the frame being sent. One large frame always fits into an
    empty queue, so that a long history can be answered.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._frames: deque[bytes] = deque()
        self._waiting = 0
        self._closed = False
        self._changed = asyncio.Event()
        self._calm = asyncio.Event()
        self._calm.set()

    @property
    def waiting(self) -> int:
        """Bytes that wait."""
        return self._waiting

    def put(self, frame: bytes) -> bool:
        """Add a frame; False where the client has fallen too far behind (the frame is not kept then)."""
        if self._closed:
            return True
        if self._frames and self._waiting + len(frame) > self._limit:
            return False
        self._frames.append(frame)
        self._waiting += len(frame)
        self._changed.set()
        self._calm.clear()
        return True

    async def next(self) -> bytes | None:
        """The next frame to send, or None once the queue was closed and is empty. For one writer."""
        if not self._frames:
            self._calm.set()
        while not self._frames:
            if self._closed:
                return None
            self._changed.clear()
            await self._changed.wait()
        frame = self._frames.popleft()
        self._waiting -= len(frame)
        if self._waiting <= self._limit // 2:
            self._calm.set()
        return frame

    async def calm(self) -> None:
        """Wait until less than half of the room is taken, so that answers never overflow it."""
        if self._waiting > self._limit // 2:
            await self._calm.wait()

    def close(self) -> None:
        """Take nothing more; what waits is still handed out."""
        self._closed = True
        self._changed.set()
        self._calm.set()
