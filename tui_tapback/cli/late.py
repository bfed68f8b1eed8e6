"""Lets the link to the embedded gateway begin when the first frame stands, with all that it imports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from tui_tapback.client.ports import Connector

if TYPE_CHECKING:
    from tui_tapback.client.ports import Transport


class LateConnector:
    """Connects as the connector that ``make`` gives does, but not before ``release``."""

    def __init__(self, make: Callable[[], Connector], gateway_name: str) -> None:
        self.gateway_name = gateway_name
        self._make = make
        self._made: Connector | None = None
        self._released = asyncio.Event()

    def release(self) -> None:
        """The first frame stands."""
        self._released.set()

    async def __call__(self) -> Transport:
        """As the other connector, with its errors."""
        await self._released.wait()
        if self._made is None:
            self._made = self._make()
        return await self._made()
