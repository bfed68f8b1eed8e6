"""Reads, changes and follows the settings that the clients of a gateway share; Hermes forgets one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from tui_tapback.domain.errors import LinkDown, MalformedFrame, RpcError
from tui_tapback.domain.events import SettingChanged
from tui_tapback.wire.events import EventParams, decode_event
from tui_tapback.wire.methods import ConfigGetParams, ConfigSetParams, ConfigValue
from tui_tapback.words import _

from .gateway_settings import MESSAGE_REACTIONS, UNKNOWN_SETTINGS, GatewaySettings, Value
from .link import Link
from .state import Counters, Notice


class _Display(msgspec.Struct):
    message_reactions: bool = False


class _Config(msgspec.Struct):
    display: _Display = msgspec.field(default_factory=_Display)
    reactions: str | None = None
    context_tokens: int | None = None


class Gate:
    """Knows the shared settings from when a link is up, and hears when another client changes them.

    One of them is the switch that lets tapbacks reach the model. Hermes remembers for half a minute that it
    was off, and after that goes by the stamp of its settings file: switched on soon after an agent was built,
    no new chat gets the tool. Writing the same value again after ``memory`` seconds cures that, so that is
    done in the background.
    """

    def __init__(
        self,
        *,
        memory: float,
        counters: Counters,
        changed: Callable[[], None],
        notify: Callable[[Notice], None],
    ) -> None:
        self.settings = UNKNOWN_SETTINGS
        self.settling = False
        self._memory = memory
        self._counters = counters
        self._changed = changed
        self._notify = notify
        self._news: list[SettingChanged] = []
        self._own = 0

    @property
    def offered(self) -> bool:
        """Whether tapbacks are known to be off."""
        return self.settings.message_reactions is False

    async def read(self, link: Link) -> None:
        """Learn how they stand; what a gateway does not say stays unknown."""
        self._news.clear()
        try:
            found = await link.call("config.get", ConfigGetParams("full"), ConfigValue)
            config = msgspec.convert(found.config or {}, _Config)
            settings = GatewaySettings(
                config.reactions, config.display.message_reactions, config.context_tokens
            )
        except (RpcError, MalformedFrame, msgspec.ValidationError):
            settings = UNKNOWN_SETTINGS
        for news in self._news:  # heard while the answer was on its way, and so as new as it or newer
            settings = settings.having(news.key, news.value)
        self.settings = settings
        self._changed()

    async def set(self, link: Link, key: str, value: Value) -> None:
        """Change one for all clients. Raises LinkDown, RpcError, MalformedFrame."""
        self._own += 1
        self._news.clear()
        try:
            answer = await link.call("config.set", ConfigSetParams(key, value), ConfigValue)
        finally:
            self._own -= 1
        if not self._news:  # what was heard meanwhile is as new as the answer or newer
            self.settings = self.settings.having(key, value).having(key, answer.value)
        self._changed()

    def hear(self, params: EventParams) -> None:
        """The gateway says that a setting was changed, by this client or by another."""
        try:
            event = decode_event(params)
        except MalformedFrame:
            self._counters.bad_items += 1
            return
        if not isinstance(event, SettingChanged):
            return
        before = self.settings
        self._news.append(event)
        self.settings = before.having(event.key, event.value)
        if not self._own and self.settings.reactions != before.reactions:
            self._notify(Notice(_reacting(self.settings.reactions)))

    async def enable(self, link: Link) -> None:
        """Let tapbacks reach the model. Raises LinkDown, RpcError, MalformedFrame."""
        await self.set(link, MESSAGE_REACTIONS, True)

    async def cure(self, link: Link) -> None:
        """Write it once more when the gateway has forgotten; from then on new chats have the tool."""
        self.settling = True
        try:
            await asyncio.sleep(self._memory)
            await link.call("config.set", ConfigSetParams(MESSAGE_REACTIONS, True), ConfigValue)
        except (LinkDown, RpcError, MalformedFrame):
            return  # the next link reads the switch anew
        finally:
            self.settling = False
        self._notify(Notice(_("Tapbacks are on. The agent can tap back in every chat begun from now on.")))


def _reacting(reactions: str | None) -> str:
    """What another client has chosen for everybody."""
    match reactions:
        case "off":
            return _("Another client has switched tapbacks off here: the agent hears of none and sets none.")
        case "user":
            return _("Another client has switched the agent's tapbacks off here; it still hears of yours.")
        case _:
            return _("Another client has switched tapbacks on here.")
