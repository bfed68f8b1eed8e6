"""The switch of a gateway that lets tapbacks reach the model, and the fault of Hermes that forgets it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from tui_tapback.domain.errors import LinkDown, MalformedFrame, RpcError
from tui_tapback.wire.methods import ConfigGetParams, ConfigSetParams, ConfigValue

from .link import Link
from .state import Notice

KEY = "display.message_reactions"


class _Display(msgspec.Struct):
    message_reactions: bool = False


class _Settings(msgspec.Struct):
    display: _Display = msgspec.field(default_factory=_Display)


class Gate:
    """Reads the switch once a link is up, and turns it on when the person wants it.

    Hermes remembers for half a minute that it was off, and after that goes by the stamp of its settings file:
    switched on soon after an agent was built, no new chat gets the tool. Writing the same value again after
    ``memory`` seconds cures that, so that is done in the background.
    """

    def __init__(
        self, *, memory: float, changed: Callable[[], None], notify: Callable[[Notice], None]
    ) -> None:
        self.on: bool | None = None
        self.settling = False
        self._memory = memory
        self._changed = changed
        self._notify = notify

    @property
    def offered(self) -> bool:
        """Whether it is known to be off."""
        return self.on is False

    async def read(self, link: Link) -> None:
        """Learn how it stands; a gateway that does not say leaves it unknown."""
        try:
            found = await link.call("config.get", ConfigGetParams("full"), ConfigValue)
            self.on = msgspec.convert(found.config or {}, _Settings).display.message_reactions
        except (RpcError, MalformedFrame, msgspec.ValidationError):
            self.on = None
        self._changed()

    async def enable(self, link: Link) -> None:
        """Switch it on. Raises LinkDown, RpcError."""
        await link.call("config.set", ConfigSetParams(KEY, True), ConfigValue)
        self.on = True
        self._changed()

    async def cure(self, link: Link) -> None:
        """Write it once more when the gateway has forgotten; from then on new chats have the tool."""
        self.settling = True
        try:
            await asyncio.sleep(self._memory)
            await link.call("config.set", ConfigSetParams(KEY, True), ConfigValue)
        except (LinkDown, RpcError, MalformedFrame):
            return  # the next link reads the switch anew
        finally:
            self.settling = False
        self._notify(Notice("Tapbacks are on. The agent can tap back in every chat begun from now on."))
