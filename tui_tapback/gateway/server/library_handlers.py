"""Handlers of the requests about stored sessions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tui_tapback.wire import library as lib
from tui_tapback.wire.base import SessionParams

from .context import Context


async def _session_list(c: Context, p: lib.ListParams) -> lib.SessionList:
    return c.service.archive.list(
        p.limit, query=p.query, archived=bool(p.archived), reacted_with=p.reacted_with
    )


async def _session_archive(c: Context, p: lib.ArchiveParams) -> lib.Archived:
    return c.service.archive.set_archived(p.session_id, p.archived)


async def _session_delete(c: Context, p: SessionParams) -> lib.Deleted:
    return c.service.delete_session(p.session_id)


async def _session_restore(c: Context, p: SessionParams) -> lib.Restored:
    return c.service.archive.restore(p.session_id)


async def _session_page(c: Context, p: lib.PageParams) -> lib.Page:
    return c.service.paging.page(p)


async def _messages_search(c: Context, p: lib.SearchParams) -> lib.SearchResult:
    return c.service.search.find(p)


LIBRARY_HANDLERS: dict[str, Callable[[Context, Any], Awaitable[Any]]] = {
    "session.list": _session_list,
    "session.archive": _session_archive,
    "session.delete": _session_delete,
    "session.restore": _session_restore,
    "session.page": _session_page,
    "messages.search": _messages_search,
}
LIBRARY_WRITES = frozenset({"session.archive", "session.delete", "session.restore"})
