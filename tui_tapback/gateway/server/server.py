"""The gateway as its clients see it: all connections, who is there, and the end."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from tui_tapback.gateway.service.service import GatewayService

from .answers import EventEncoder
from .connection import GOING_AWAY, TRY_LATER, Connection, Limits
from .context import Facts
from .dispatcher import Dispatcher
from .ports import Link
from .presence import Presence

_log = logging.getLogger(__name__)


class GatewayServer:
    """Serves links until ``close``. ``max_connections`` is a guard against a client that runs wild."""

    def __init__(
        self,
        service: GatewayService,
        facts: Facts,
        *,
        dispatcher: Dispatcher | None = None,
        limits: Limits | None = None,
        max_connections: int = 256,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._service = service
        self._facts = facts
        self._dispatcher = dispatcher or Dispatcher()
        self._limits = limits or Limits()
        self._max_connections = max_connections
        self._clock = clock
        self._encoder = EventEncoder()
        self._connections: set[Connection] = set()
        self._closing = False
        self.presence = Presence()

    async def serve_link(self, link: Link) -> None:
        """Serve one client until it is gone."""
        if self._closing or len(self._connections) >= self._max_connections:
            await link.close(TRY_LATER, "The gateway is leaving." if self._closing else "Too many clients.")
            return
        connection = Connection(
            link,
            self._service,
            self._facts,
            dispatcher=self._dispatcher,
            limits=self._limits,
            clock=self._clock,
            encoder=self._encoder,
        )
        self._connections.add(connection)
        self.presence.came()
        _log.info("A client came; %d connected.", len(self._connections))
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            self.presence.left()
            _log.info("A client left; %d connected.", len(self._connections))

    async def close(self) -> None:
        """End the turns in good order, tell the clients, and close the store."""
        self._closing = True
        for connection in self._connections:
            connection.stop_work()
        try:
            await self._service.close()
        finally:
            for connection in tuple(self._connections):
                connection.leave(GOING_AWAY, "The gateway is leaving.")
            await self.presence.gone()
