"""A long chat in parts: the window of rows that is held, and how it moves."""

from __future__ import annotations

from tui_tapback.wire.library import Page, PageParams

from .abilities import Ability
from .conversation import Conversation
from .desk import Desk

PAGE = 200
"""Rows of one page, unless somebody asks otherwise."""
WINDOW = 5000
"""Messages held at once; what lies farther away is let go and read again when it is wanted."""


class History:
    """Moves the window of the session on screen; ``state.has_older`` and ``has_newer`` say what lies beyond.

    On a Hermes gateway a chat is always held whole, so that nothing lies beyond. Each call returns how many
    messages came. Raises LinkDown, RpcError.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def load_older(self, count: int = PAGE) -> int:
        """Read what lies before the window."""
        conversation = self._desk.conversation
        oldest = conversation.mirror.transcript.oldest_row()
        if not conversation.window.has_older or oldest is None:
            return 0
        page = await self._page(conversation, count, before=oldest)
        if oldest != conversation.mirror.transcript.oldest_row():
            return 0  # the window moved meanwhile
        came = conversation.window.prepend(page, WINDOW)
        conversation.settle()
        self._desk.changed()
        return came

    async def load_newer(self, count: int = PAGE) -> int:
        """Read what lies behind the window; at its end the live conversation goes on."""
        conversation = self._desk.conversation
        newest = conversation.mirror.transcript.newest_shown()
        if not conversation.window.has_newer or newest is None:
            return 0
        page = await self._page(conversation, count, after=newest)
        if newest != conversation.mirror.transcript.newest_shown():
            return 0
        came = conversation.window.append(page, WINDOW)
        conversation.settle()
        self._desk.changed()
        self._desk.engine.wake()
        return came

    async def load_first(self, count: int = PAGE) -> None:
        """Move the window to the beginning of the chat."""
        conversation = self._desk.conversation
        if not conversation.window.has_older or Ability.PAGES not in self._desk.engine.abilities:
            return
        conversation.window.move_to(await self._page(conversation, count, first=True))
        conversation.settle()
        self._desk.changed()
        self._desk.engine.wake()

    async def load_around(self, row_id: int, count: int = PAGE) -> str | None:
        """Move the window so that it holds this row; returns the row's key (None: it is not in this chat)."""
        conversation = self._desk.conversation
        shown = conversation.mirror.transcript
        if shown.get(shown.key_of(row_id)) is None and Ability.PAGES in self._desk.engine.abilities:
            page = await self._page(conversation, count, around=row_id)
            conversation.window.move_to(page)
            conversation.settle()
            self._desk.changed()
            self._desk.engine.wake()
        key = shown.key_of(row_id)
        return key if shown.get(key) is not None else None

    def to_end(self) -> None:
        """Back to the newest messages; they are read in the background."""
        self._desk.conversation.window.to_end()
        self._desk.changed()
        self._desk.engine.wake()

    def refresh(self) -> None:
        """Read again what a gateway may not have told: call it when the person comes back to the screen."""
        if self._desk.foreign:
            self._desk.conversation.stale = True
            self._desk.engine.wake()

    async def _page(
        self,
        conversation: Conversation,
        count: int,
        *,
        before: int | None = None,
        after: int | None = None,
        around: int | None = None,
        first: bool | None = None,
    ) -> Page:
        session_id = conversation.runtime_id or conversation.stored_id or ""
        limit = max(1, min(count, 1000))
        params = PageParams(
            session_id,
            limit=limit,
            before_row_id=before,
            after_row_id=after,
            around_row_id=around,
            first=first,
        )
        return await self._desk.call("session.page", params, Page)
