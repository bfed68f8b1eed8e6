"""Carries the user's tapbacks to the other chats: at once, again when an adapter is down, or says why not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from tui_tapback.domain.errors import PlatformError, StoreError, TapbackError
from tui_tapback.gateway.service.errands import Errand

from .adapter import Adapter, MessageRef

_log = logging.getLogger(__name__)
SECONDS = 30.0
PAUSES = (1.0, 5.0, 30.0, 120.0, 300.0)
"""Seconds until the next attempt on an adapter that could not be reached, the last for ever."""


class Work(Protocol):
    """Where the errands are kept (the service's ``Errands``)."""

    def due(self) -> list[Errand]:
        """What is to be carried out. Raises StoreError."""
        ...

    def trying(self, errand: Errand, emoji: str) -> None:
        """It is sent now. Raises StoreError."""
        ...

    def arrived(self, errand: Errand, standing: str | None) -> None:
        """This stands there now, and nothing else of ours. Raises StoreError."""
        ...

    def unsent(self, errand: Errand, reason: str) -> None:
        """It is tried again. Raises StoreError."""
        ...

    def refused(self, errand: Errand, reason: str) -> None:
        """It is not. Raises StoreError."""
        ...


class Outgoing:
    """One task for each adapter, so that a slow one keeps no other waiting."""

    def __init__(
        self,
        adapters: Sequence[Adapter],
        work: Work,
        *,
        seconds: float = SECONDS,
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        """``seconds``: how long one call may take."""
        self._adapters = {adapter.name.lower(): adapter for adapter in reversed(adapters)}
        self._work = work
        self._seconds = seconds
        self._pauses = pauses
        self._calls = {name: asyncio.Event() for name in self._adapters}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Carry out what is due from earlier, and from now on what ``wake`` tells of."""
        for name, adapter in self._adapters.items():
            self._tasks.append(asyncio.create_task(self._serve(name, adapter), name=f"tapbacks to {name}"))
        self.wake()

    def wake(self) -> None:
        """There may be something to carry out."""
        for call in self._calls.values():
            call.set()
        # In a moment: whoever calls may be in the middle of storing it.
        asyncio.get_running_loop().call_soon(self._complain_of_missing)

    async def close(self) -> None:
        """End; what is not carried out is so at the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    def _complain_of_missing(self) -> None:
        try:
            for errand in self._work.due():
                if errand.address.platform not in self._adapters:
                    self._work.unsent(errand, f"No adapter {errand.address.platform} is connected.")
        except StoreError as error:
            _log.warning("It cannot be said that a tapback waits: %s", error)

    async def _serve(self, name: str, adapter: Adapter) -> None:
        failures = 0
        while True:
            pause = self._pauses[min(failures, len(self._pauses)) - 1] if failures else None
            try:
                async with asyncio.timeout(pause):
                    await self._calls[name].wait()
            except TimeoutError:
                pass  # it is time to try again
            self._calls[name].clear()
            try:
                reached = await self._carry_out(name, adapter)
            except StoreError as error:
                _log.warning("Tapbacks to %s wait: %s", name, error)
                reached = False
            failures = 0 if reached else failures + 1

    async def _carry_out(self, name: str, adapter: Adapter) -> bool:
        """Carry out what is due on a platform; False where it cannot be reached. Raises StoreError."""
        for errand in self._work.due():
            if errand.address.platform != name:
                continue
            try:
                await self._bring(adapter, errand)
            except PlatformError as error:
                self._work.unsent(errand, error.sentence())
                return False
            except TapbackError as error:
                if isinstance(error, StoreError):
                    raise
                self._work.refused(errand, error.sentence())
            except TimeoutError:
                self._work.unsent(errand, f"{name} did not answer within {self._seconds:g} seconds.")
                return False
            except Exception as error:  # noqa: BLE001 - an adapter is foreign code
                _log.exception("The adapter %s failed.", name)
                self._work.unsent(errand, f"The adapter {name} failed ({type(error).__name__}).")
                return False
        return True

    async def _bring(self, adapter: Adapter, errand: Errand) -> None:
        """Both calls are absolute, so that doing one again after a stop is harmless."""
        message = MessageRef(errand.address.chat, errand.address.message)
        can, wanted, standing = adapter.capabilities, errand.wanted, errand.standing
        taken = wanted is None or (can.reacts and (can.allowed is None or wanted in can.allowed))
        others = [emoji for emoji in standing if emoji != wanted or not taken]
        if others and (wanted is None or not taken or can.several_per_author):
            if not can.takes_back:
                self._work.refused(errand, "A tapback cannot be taken back there.")
                return
            for emoji in others:
                async with asyncio.timeout(self._seconds):
                    await adapter.remove_reaction(message, emoji)
            self._work.arrived(errand, None)
        if wanted is not None and not taken:
            self._work.refused(errand, "That chat takes no such tapback.")
        elif wanted is not None:
            self._work.trying(errand, wanted)
            async with asyncio.timeout(self._seconds):
                await adapter.add_reaction(message, wanted)
            self._work.arrived(errand, wanted)
