"""What waits to be sent to one client: in order, and bounded in bytes."""

from __future__ import annotations

import asyncio
from collections import deque


class Outbox:
    """A queue of frames for one writer.

    Events come whether the client reads or not, so those that wait may take ``limit`` bytes at most. Answers
    are bounded by whoever makes them: nothing is answered before the queue is ``calm`` again.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._frames: deque[tuple[bytes, bool]] = deque()
        self._waiting = 0
        self._events = 0
        self._closed = False
        self._changed = asyncio.Event()
        self._calm = asyncio.Event()
        self._calm.set()

    @property
    def waiting(self) -> int:
        """Bytes that wait, without the frame that is being sent."""
        return self._waiting

    def put_event(self, frame: bytes) -> bool:
        """Add an event; False where the client has fallen too far behind (it is not kept then)."""
        if self._closed:
            return True
        if self._events + len(frame) > self._limit:
            return False
        self._events += len(frame)
        self._put(frame, is_event=True)
        return True

    def put_answer(self, frame: bytes) -> None:
        """Add an answer."""
        if not self._closed:
            self._put(frame, is_event=False)

    async def next(self) -> bytes | None:
        """The next frame to send, or None once the queue was closed and is empty. For one writer."""
        while not self._frames:
            if self._closed:
                return None
            self._changed.clear()
            await self._changed.wait()
        frame, is_event = self._frames.popleft()
        self._waiting -= len(frame)
        if is_event:
            self._events -= len(frame)
        self._update_calm()
        return frame

    async def calm(self) -> None:
        """Wait until less than half of the limit is taken by what waits."""
        await self._calm.wait()

    def drop(self) -> None:
        """Throw away what waits, and take nothing more."""
        self._frames.clear()
        self._waiting = self._events = 0
        self.close()

    def close(self) -> None:
        """Take nothing more; what waits is still handed out."""
        self._closed = True
        self._changed.set()
        self._calm.set()

    def _put(self, frame: bytes, *, is_event: bool) -> None:
        self._frames.append((frame, is_event))
        self._waiting += len(frame)
        self._changed.set()
        self._update_calm()

    def _update_calm(self) -> None:
        if self._closed or self._waiting <= self._limit // 2:
            self._calm.set()
        else:
            self._calm.clear()
