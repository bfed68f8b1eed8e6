"""The single worker that carries the chat's changes and notices to the screen as messages."""

from __future__ import annotations

import asyncio
from typing import Protocol

from textual.message import Message as TextualMessage

from tui_tapback.client.state import ClientState, Notice

from .ports import ChatSession


class StateChanged(TextualMessage):
    """The chat has a newer state; one that waits in the queue is replaced by a newer one."""

    def __init__(self, state: ClientState) -> None:
        self.state = state
        super().__init__()

    def can_replace(self, message: TextualMessage) -> bool:
        """Whether this one makes a waiting ``message`` needless."""
        return isinstance(message, StateChanged)


class NoticeArrived(TextualMessage):
    """The chat has something to tell."""

    def __init__(self, notice: Notice) -> None:
        self.notice = notice
        super().__init__()


class Mailbox(Protocol):
    """Whatever takes Textual messages: a screen."""

    def post_message(self, message: TextualMessage) -> bool:
        """Queue ``message``; False where the receiver is closing."""
        ...


class SyncWorker:
    """Follows one chat and posts to one screen; it touches no widget."""

    def __init__(self, chat: ChatSession, screen: Mailbox) -> None:
        self._chat = chat
        self._screen = screen

    async def run(self) -> None:
        """Run until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._states())
            group.create_task(self._notices())

    async def _states(self) -> None:
        async for state in self._chat.changes():
            self._screen.post_message(StateChanged(state))

    async def _notices(self) -> None:
        async for notice in self._chat.notices():
            self._screen.post_message(NoticeArrived(notice))
