"""Keeps a link up: one attempt at a time, growing delays, and an end where the gateway will not have us."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from tui_tapback.domain.errors import (
    GatewayNotStarted,
    GatewayRefused,
    IncompatibleGateway,
    LinkDown,
    LoginNeeded,
    SettingsError,
)
from tui_tapback.wire.events import EventParams
from tui_tapback.wire.peer import Asked
from tui_tapback.words import _

from .handshake import Welcome, greet
from .link import Link
from .ports import Connector
from .reconnect import ReconnectPolicy
from .state import ConnectionState, Counters, Phase


class Guest(Protocol):
    """Who uses the link."""

    def online(self, link: Link, welcome: Welcome) -> None:
        """The link is ready."""
        ...

    def offline(self) -> None:
        """The link is gone."""
        ...

    def event(self, params: EventParams) -> None:
        """An event of the gateway after the greeting."""
        ...

    def question(self, asked: Asked) -> bool:
        """The gateway asks the person something; False: nobody here can be asked."""
        ...

    def declined(self, method: str) -> None:
        """The gateway asked for something that cannot be shown here, and was told so."""
        ...

    def connection_changed(self, connection: ConnectionState) -> None:
        """The link stands otherwise now."""
        ...


class Supervisor:
    """``run`` never returns by itself; it ends by being cancelled."""

    def __init__(
        self,
        connect: Connector,
        guest: Guest,
        policy: ReconnectPolicy,
        *,
        clock: Callable[[], float],
        jitter: Callable[[], float],
        counters: Counters,
        name: str = "",
    ) -> None:
        self._connect = connect
        self._guest = guest
        self._policy = policy
        self._clock = clock
        self._jitter = jitter
        self._counters = counters
        self._name = name
        self._now = asyncio.Event()
        self._ready = False

    def retry_now(self) -> None:
        """Do not wait any longer (nothing happens while the link is up)."""
        self._now.set()

    async def run(self) -> None:
        """Connect, serve, and begin again when the link breaks."""
        failures = 0
        self._tell(ConnectionState(Phase.CONNECTING, _("Connecting to the gateway."), gateway=self._name))
        while True:
            began = asyncio.get_running_loop().time()
            self._ready = False
            try:
                await self._serve()
            except (GatewayRefused, IncompatibleGateway, SettingsError) as error:
                wanted = isinstance(error, LoginNeeded)
                self._tell(ConnectionState(Phase.REFUSED, error.sentence(), failures + 1, wants_login=wanted))
                self._now.clear()
                await self._now.wait()
                failures = 0
                self._tell(ConnectionState(Phase.CONNECTING, _("Connecting to the gateway.")))
                continue
            except LinkDown as error:
                lived = asyncio.get_running_loop().time() - began
                failures = self._policy.failures_after(failures, ready=self._ready, lived=lived)
                if isinstance(error, GatewayNotStarted):
                    # Its reason is known and stays for a while: the person hears it now, not after a while.
                    failures = max(failures, self._policy.patience)
                await self._pause(failures, error.sentence())

    async def _pause(self, failures: int, detail: str) -> None:
        delay = self._policy.delay(max(failures, 1), self._jitter())
        phase = Phase.OFFLINE if failures >= self._policy.patience else Phase.RECONNECTING
        self._tell(ConnectionState(phase, detail, failures, self._clock() + delay))
        self._now.clear()
        try:
            async with asyncio.timeout(delay):
                await self._now.wait()
        except TimeoutError:
            pass
        # An attempt may take long: why the last one failed stays on screen until there is something newer.
        self._tell(ConnectionState(phase, detail, failures))

    async def _serve(self) -> None:
        transport = await self._connect()
        self._counters.connects += 1
        hello: asyncio.Future[EventParams] = asyncio.get_running_loop().create_future()

        def on_event(params: EventParams) -> None:
            if not hello.done():
                if params.type == "gateway.ready":
                    hello.set_result(params)
                return
            self._guest.event(params)

        link = Link(
            transport,
            self._policy,
            on_event,
            on_question=self._guest.question,
            on_declined=self._guest.declined,
            wall_clock=self._clock,
        )
        reader = asyncio.create_task(link.run(), name="link")
        greeting = asyncio.create_task(greet(link, hello, self._policy.handshake), name="greeting")
        try:
            await asyncio.wait({reader, greeting}, return_when=asyncio.FIRST_COMPLETED)
            if not greeting.done():
                await reader  # raises why the link broke
            welcome = greeting.result()
            self._ready = True
            self._tell(ConnectionState(Phase.ONLINE, gateway=self._name or welcome.gateway))
            self._guest.online(link, welcome)
            await reader
        finally:
            self._guest.offline()
            greeting.cancel()
            reader.cancel()
            await asyncio.gather(greeting, reader, return_exceptions=True)
            self._count(link)

    def _count(self, link: Link) -> None:
        seen = link.peer.counters
        self._counters.malformed_frames += seen.malformed
        self._counters.bad_items += seen.bad_items
        self._counters.stray_answers += seen.stray_answers
        self._counters.declined_questions += seen.declined

    def _tell(self, connection: ConnectionState) -> None:
        self._guest.connection_changed(connection)
