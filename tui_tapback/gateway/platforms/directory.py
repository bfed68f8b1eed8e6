"""The adapters that are connected, by name, as the agent's tool sees them: ``loopback:alice``."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from tui_tapback.domain.errors import InvalidInput, PlatformError, TapbackError
from tui_tapback.domain.text import clean_line

from .adapter import Adapter

_log = logging.getLogger(__name__)
SEND_SECONDS = 30.0


class Directory:
    """Implements the ``Messenger`` that ``send_message`` uses."""

    def __init__(self, adapters: Sequence[Adapter] = (), *, seconds: float = SEND_SECONDS) -> None:
        """Of two adapters with one name the first counts. ``seconds``: how long one may take to send."""
        self._adapters: dict[str, Adapter] = {}
        self._seconds = seconds
        for adapter in adapters:
            self._adapters.setdefault(adapter.name.lower(), adapter)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the adapters."""
        return tuple(self._adapters)

    @property
    def adapters(self) -> tuple[Adapter, ...]:
        """The adapters themselves."""
        return tuple(self._adapters.values())

    def resolve(self, target: str) -> str:
        """``target`` in its one spelling, ``name:chat``. Raises InvalidInput, which lists what there is."""
        name, colon, chat = target.strip().partition(":")
        if not self._adapters:
            raise InvalidInput(
                f"Nothing was sent to “{clean_line(target, 60)}”: "
                "no platform adapter is connected to this gateway.",
                hint="Leave target out to stay in this chat.",
            )
        if name.strip().lower() not in self._adapters or not colon or not chat.strip():
            known = ", ".join(f"{known}:<chat>" for known in self._adapters)
            raise InvalidInput(
                f"“{clean_line(target, 60)}” is not a target.",
                hint=f"Targets look like {known}; leave target out to stay in this chat.",
            )
        return f"{name.strip().lower()}:{clean_line(chat, 200)}"

    async def send(self, target: str, text: str) -> str:
        """Send to a target that ``resolve`` returned; the message's id there.

        Raises NotFound, PlatformError; an adapter's own failure becomes a PlatformError.
        """
        name, _, chat = target.partition(":")
        adapter = self._adapters[name]
        try:
            async with asyncio.timeout(self._seconds):
                return (await adapter.send(chat, text)).id
        except TapbackError:
            raise
        except TimeoutError:
            raise PlatformError(
                f"{name} did not take the message within {self._seconds:g} seconds; it may have arrived."
            ) from None
        except Exception as error:
            _log.exception("The adapter %s failed.", name)
            raise PlatformError(f"The adapter {name} failed ({type(error).__name__}).") from error

    async def close(self) -> None:
        """End all adapters; one that fails does not keep the others from ending."""
        results = await asyncio.gather(
            *(adapter.close() for adapter in self._adapters.values()), return_exceptions=True
        )
        for name, result in zip(self._adapters, results, strict=True):
            if isinstance(result, Exception):
                _log.error("The adapter %s did not end in good order.", name, exc_info=result)
