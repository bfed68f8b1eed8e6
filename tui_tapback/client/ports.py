"""The two things the client asks of the outside: how to reach a gateway, and a link that carries text."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


class Transport(Protocol):
    """An open link that carries JSON texts in order."""

    async def send(self, text: str) -> None:
        """Send one frame. Raises LinkDown."""
        ...

    async def receive(self) -> str:
        """The next frame. Raises LinkDown when the link has ended."""
        ...

    async def close(self) -> None:
        """Close the link; closing twice is harmless."""
        ...


class Connector(Protocol):
    """Opens a link."""

    async def __call__(self) -> Transport:
        """Raises GatewayUnreachable (worth another attempt), GatewayRefused or IncompatibleGateway."""
        ...


@runtime_checkable
class NamedConnector(Protocol):
    """A connector that knows more than the handshake tells; ``gateway_name`` is shown in the status line."""

    gateway_name: str
