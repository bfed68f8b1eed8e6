"""The stored sessions of a gateway: list, search, name, put away, delete and bring back."""

from __future__ import annotations

from dataclasses import replace

from tui_tapback.domain.errors import NotSupported, RpcError, SessionNotFound
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.wire.base import SessionParams
from tui_tapback.wire.foreign_work import LiveSessions
from tui_tapback.wire.library import (
    Archived,
    ArchiveParams,
    Deleted,
    ListParams,
    Restored,
    SearchParams,
    SearchResult,
    SessionList,
    SessionRow,
)
from tui_tapback.wire.methods import NoParams, Ok, Title, TitleParams
from tui_tapback.words import _

from .abilities import Ability
from .desk import Desk
from .state import SessionSummary


@value
class Hit:
    """A message found. ``spans`` are the finds within ``snippet`` (code points, end excluded)."""

    session_id: str
    session_title: str
    row_id: int
    role: str
    snippet: str
    spans: tuple[tuple[int, int], ...]
    at: float


@value
class Hits:
    """Newest first; with ``more``, ask again with ``before_row_id`` of the last one."""

    hits: tuple[Hit, ...]
    more: bool = False


class Library:
    """Raises NotSupported, LinkDown, RpcError."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def list(
        self,
        query: str | None = None,
        *,
        archived: bool | None = None,
        reacted_with: str | None = None,
        limit: int | None = None,
    ) -> tuple[SessionSummary, ...]:
        """Newest activity first. On Hermes ``query`` is looked for in titles and beginnings, here."""
        if self._desk.foreign:
            found = await self._desk.call("session.list", ListParams(limit=limit), SessionList)
            asking = await self._asking()
            every = (summary(row) for row in found.sessions)
            return tuple(replace(s, asks=s.id in asking) for s in every if _mentions(s, query or ""))
        params = ListParams(limit=limit, query=query, archived=archived, reacted_with=reacted_with)
        found = await self._desk.call("session.list", params, SessionList)
        return tuple(map(summary, found.sessions))

    async def _asking(self) -> frozenset[str]:
        """The sessions of a Hermes gateway in which the agent waits for the person, whoever has them open."""
        try:
            live = await self._desk.call("session.active_list", NoParams(), LiveSessions)
        except (NotSupported, RpcError):
            return frozenset()  # an older gateway; the list is worth having without it
        return frozenset(each.session_key for each in live.sessions if each.status == "waiting")

    async def search(
        self,
        query: str = "",
        *,
        session_id: str | None = None,
        author: str | None = None,
        emoji: str | None = None,
        limit: int = 50,
        before_row_id: int | None = None,
    ) -> Hits:
        """Find messages by words (all must occur) and tapbacks; ``author`` is "user" or "agent"."""
        self._desk.require(Ability.SEARCH)
        params = SearchParams(query, session_id, author, emoji, limit, before_row_id)
        found = await self._desk.call("messages.search", params, SearchResult)
        hits = tuple(
            Hit(
                hit.session_id,
                clean_line(hit.session_title, 200),
                hit.row_id,
                hit.role,
                hit.snippet,
                tuple(hit.spans),
                hit.at,
            )
            for hit in found.hits
        )
        return Hits(hits, found.more)

    async def set_title(self, title: str) -> None:
        """Name the session on screen. Raises SessionNotFound where it has not begun."""
        params = TitleParams(self._desk.runtime_id(), title)
        conversation = self._desk.conversation
        answer = await self._desk.call("session.title", params, Title)
        conversation.mirror.title = clean_line(answer.title or title, 200)
        self._desk.changed()

    async def rename(self, session_id: str, title: str) -> None:
        """Name any stored session; a Hermes gateway names only one that is open here."""
        known = self._desk.book.find(session_id)
        runtime = None if known is None else known.runtime_id
        if runtime is None and self._desk.foreign:
            raise NotSupported(_("This gateway names only a chat that is open."), hint=_("Open it first."))
        answer = await self._desk.call("session.title", TitleParams(runtime or session_id, title), Title)
        if known is not None:
            known.mirror.title = clean_line(answer.title or title, 200)
            self._desk.changed()

    async def archive(self, session_id: str, archived: bool = True) -> None:
        """Put a session away, or take it back."""
        self._desk.require(Ability.ARCHIVE)
        await self._desk.call("session.archive", ArchiveParams(session_id, archived), Archived)

    async def delete(self, session_id: str) -> float:
        """Delete a stored session; returns the seconds in which ``restore`` brings it back (0: it cannot).

        Where it is on screen an empty chat takes its place.
        """
        self._desk.require(Ability.DELETE)
        book = self._desk.book
        known = book.find(session_id)
        if known is not None and self._desk.foreign and known.runtime_id is not None:
            # Such a gateway deletes only what is not open.
            await self._desk.call("session.close", SessionParams(known.runtime_id), Ok)
        deleted = await self._desk.call("session.delete", SessionParams(session_id), Deleted)
        book.forget(session_id)
        self._desk.changed()
        self._desk.engine.wake()
        return deleted.undo_seconds or 0.0

    async def restore(self, session_id: str) -> None:
        """Bring back a session that was just deleted. Raises SessionNotFound when it is too late."""
        self._desk.require(Ability.RESTORE)
        restored = await self._desk.call("session.restore", SessionParams(session_id), Restored)
        if restored.session_id != session_id:
            raise SessionNotFound(_("That chat could not be brought back."))


def summary(row: SessionRow) -> SessionSummary:
    """A line of the session list with harmless texts."""
    return SessionSummary(
        id=row.id,
        title=clean_line(row.title or "", 200),
        preview=clean_line(row.preview or "", 200),
        last_active=row.last_active or row.started_at,
        message_count=row.message_count,
        archived=row.archived,
        reactions=row.reactions,
        branch_of=None if row.parent_title is None else clean_line(row.parent_title, 200),
        last_row=row.last_row_id,
    )


def _mentions(session: SessionSummary, query: str) -> bool:
    text = f"{session.title} {session.preview}".casefold()
    return all(word in text for word in query.casefold().split())
