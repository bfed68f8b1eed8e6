"""What the server asks of a link, whatever carries it."""

from __future__ import annotations

from typing import Protocol


class Link(Protocol):
    """One client's open WebSocket."""

    async def send(self, frame: bytes) -> None:
        """Send one text frame (UTF-8); waits while the client does not read. Raises LinkDown."""
        ...

    async def receive(self) -> str | bytes:
        """The next frame: text as str, a binary one as bytes. Raises LinkDown when the link has ended."""
        ...

    async def close(self, code: int, reason: str) -> None:
        """Close with a WebSocket close code; returns within seconds, whatever the client does."""
        ...
