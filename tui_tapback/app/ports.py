"""What the screens need from a chat: ``ChatClient`` is one such, the doubles of tests and demo another."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from tui_tapback.client.state import ClientState, Notice, SessionSummary


class ChatSession(Protocol):
    """A conversation somewhere, its newest state, and what a person may ask of it.

    ``send``, ``set_reaction``, ``retry`` and ``discard`` change ``state`` before they return and are
    delivered in the background; the coroutines speak to the gateway and raise ``TapbackError``.
    """

    @property
    def state(self) -> ClientState:
        """The current value."""
        ...

    async def start(self, *, session_id: str | None = None, new: bool = False) -> None:
        """Connect in the background and open a session; returns at once."""
        ...

    async def close(self) -> None:
        """Leave the gateway."""
        ...

    def changes(self) -> AsyncIterator[ClientState]:
        """The present state, then the newest one after each change."""
        ...

    def notices(self) -> AsyncIterator[Notice]:
        """What a person should be told."""
        ...

    def send(self, text: str) -> str:
        """Send a message; returns its key. Raises EmptyMessage, MessageTooLong."""
        ...

    def set_reaction(self, key: str, emoji: str | None, part: str | None = None) -> None:
        """React, or with None take it back. Raises NotAnEmoji, RowNotFound."""
        ...

    def retry(self, key: str) -> None:
        """Try a failed message or a refused reaction again."""
        ...

    def discard(self, key: str) -> str:
        """Withdraw a waiting or failed message; returns its text."""
        ...

    async def interrupt(self) -> None:
        """Stop the running turn."""
        ...

    async def new_session(self) -> None:
        """Open a new, empty session."""
        ...

    async def open_session(self, session_id: str) -> None:
        """Open a session of the list."""
        ...

    async def list_sessions(self) -> tuple[SessionSummary, ...]:
        """The sessions of this gateway, newest first."""
        ...

    async def set_title(self, title: str) -> None:
        """Name the open session."""
        ...

    def reconnect_now(self) -> None:
        """Try the connection at once instead of at the next planned moment."""
        ...
