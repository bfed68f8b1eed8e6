"""The first exchange on a link: who is there, what it can do, and whether we understand each other."""

from __future__ import annotations

import asyncio
from typing import Literal

import msgspec

from tui_tapback.domain.errors import (
    GatewayUnreachable,
    IncompatibleGateway,
    MalformedFrame,
    RpcError,
)
from tui_tapback.domain.values import value
from tui_tapback.wire.errors import Code
from tui_tapback.wire.events import EventParams, GatewayReady
from tui_tapback.wire.methods import (
    PROTOCOL,
    ClientCapabilities,
    ClientCapabilitiesParams,
    GatewayCapabilities,
    NoParams,
)
from tui_tapback.words import _

from .link import Link


@value
class Welcome:
    """What the handshake found. ``epoch`` names this run of the gateway."""

    gateway: Literal["hermes", "tapback"]
    epoch: str
    max_message_chars: int = 0


async def greet(link: Link, ready: asyncio.Future[EventParams], within: float) -> Welcome:
    """Wait for ``gateway.ready``, tell what we can, ask what it can.

    Raises GatewayUnreachable when nothing is said in time, IncompatibleGateway, LinkDown.
    """
    try:
        async with asyncio.timeout(within):
            return await _exchange(link, await ready)
    except TimeoutError:
        raise GatewayUnreachable(
            _("The gateway said nothing within {within:g} seconds.").format(within=within)
        ) from None


async def _exchange(link: Link, ready: EventParams) -> Welcome:
    try:
        epoch = msgspec.convert(ready.payload or {}, GatewayReady).replay_epoch
        await link.call(
            "client.capabilities", ClientCapabilitiesParams(server_requests=True), ClientCapabilities
        )
        capabilities = await link.call("gateway.capabilities", NoParams(), GatewayCapabilities)
    except RpcError as error:
        if error.code == Code.UNKNOWN_METHOD:
            raise IncompatibleGateway(
                _("The gateway is too old for this program."), hint=_("Update the gateway.")
            ) from error
        raise IncompatibleGateway(
            _("The gateway refused the greeting: {error}").format(error=error)
        ) from error
    except (MalformedFrame, msgspec.ValidationError) as error:
        raise IncompatibleGateway(
            _("What answers there does not greet like a chat gateway."), hint=_("Check the address.")
        ) from error
    ours = capabilities.tapback
    if ours is None:
        return Welcome("hermes", epoch)
    if ours.protocol != PROTOCOL:
        raise IncompatibleGateway(
            _("The gateway speaks version {protocol} of the protocol, this program version {own}.").format(
                protocol=ours.protocol, own=PROTOCOL
            ),
            hint=_("Update the gateway, then restart it.")
            if ours.protocol < PROTOCOL
            else _("Update the program, then restart it."),
        )
    return Welcome("tapback", epoch, ours.max_message_chars)
