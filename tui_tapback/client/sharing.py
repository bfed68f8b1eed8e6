"""The room in which a person changes the settings that all clients of a gateway share."""

from __future__ import annotations

from tui_tapback.domain.errors import NotSupported
from tui_tapback.words import _

from .desk import Desk
from .gateway_settings import GatewaySettings, Value


class Sharing:
    """What the gateway tells of its settings, also when another client changes them, is ``now``; the same
    value stands in ``ClientState.shared``, so that a screen hears of a change as of any other."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def now(self) -> GatewaySettings:
        """The settings as they were heard last."""
        return self._desk.engine.gate.settings

    async def set(self, key: str, value: Value) -> GatewaySettings:
        """Change one for everybody; returns them as they are then.

        Raises NotSupported where this gateway has no such setting, LinkDown, MalformedFrame, RpcError (a
        value that it does not take; its sentence says which it does).
        """
        link = self._desk.engine.link()
        if self.now.value(key) is None:
            raise NotSupported(_("This gateway has no setting {name}.").format(name=key))
        await self._desk.engine.gate.set(link, key, value)
        return self.now
