"""How many clients are there, and since when there are none."""

from __future__ import annotations

import asyncio


class Presence:
    """Counts clients, and waits for their absence."""

    def __init__(self) -> None:
        self._count = 0
        self._empty = asyncio.Event()
        self._empty.set()
        self._occupied = asyncio.Event()

    @property
    def count(self) -> int:
        """Clients now."""
        return self._count

    def came(self) -> None:
        """One more."""
        self._count += 1
        self._empty.clear()
        self._occupied.set()

    def left(self) -> None:
        """One less."""
        self._count -= 1
        if self._count == 0:
            self._occupied.clear()
            self._empty.set()

    async def gone(self) -> None:
        """Wait until nobody is there."""
        await self._empty.wait()

    async def gone_for(self, seconds: float) -> None:
        """Wait until nobody has been there for ``seconds`` on end."""
        while True:
            await self._empty.wait()
            try:
                async with asyncio.timeout(seconds):
                    await self._occupied.wait()
            except TimeoutError:
                if self._count == 0:
                    return
