"""Use cases of sessions: make, look up, list, rename, delete."""

from __future__ import annotations

from typing import Any

from tui_tapback.domain.errors import SessionNotFound
from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.store.records import SessionRecord
from tui_tapback.wire.methods import MostRecent, SessionList, SessionRow

from .core import Core
from .identity import Ids
from .inputs import is_session_id, title_text
from .provider_messages import system_message, tool_names

_DEFAULT_LIMIT = 200
_LARGEST_LIMIT = 1000
_UNUSED_FOR = 24 * 3600.0


class Sessions:
    """Sessions as such; what is said in them is the matter of ``Turns`` and ``Reactions``."""

    def __init__(self, core: Core, ids: Ids) -> None:
        self._store = core.store
        self._broadcast = core.broadcast
        self._clock = core.clock
        self._ids = ids

    def require(self, session_id: str) -> SessionRecord:
        """The session. Raises SessionNotFound."""
        found = self._store.sessions.get(session_id) if is_session_id(session_id) else None
        if found is None:
            raise SessionNotFound(
                f"There is no session “{clean_line(session_id[:80], 40)}”.",
                hint="It may have been deleted. Choose another one from the list.",
            )
        return found

    def create(self, source: str | None, title: str | None, system_prompt: str, tools: str) -> SessionRecord:
        """Make a session, whose system prompt and tools stay as they are now. Raises InvalidInput."""
        now = self._clock()
        session = SessionRecord(
            id=self._ids.session(now),
            title=title_text(title) if title else "",
            source=clean_line((source or "")[:80], 40),
            system_prompt=system_message(system_prompt),
            tools=tools,
            created_at=now,
            last_active=now,
        )
        with self._store.transaction():
            # Those in which nothing was ever said would pile up; a client may come back to a younger one.
            for unused in self._store.sessions.unused(now - _UNUSED_FOR):
                if not self._broadcast.attached(unused):
                    self._store.sessions.delete(unused)
            self._store.sessions.insert(session)
        if session.title:
            self._broadcast.announce("sessions.changed")
        return session

    def list(self, limit: int | None = None) -> SessionList:
        """Sessions in which something was said or that have a title, newest activity first."""
        wanted = min(max(_DEFAULT_LIMIT if limit is None else limit, 1), _LARGEST_LIMIT)
        return SessionList(
            [
                SessionRow(
                    id=summary.session.id,
                    title=summary.session.title or None,
                    preview=clean_line(summary.preview, 80),
                    started_at=summary.session.created_at,
                    last_active=summary.session.last_active,
                    message_count=summary.message_count,
                    source=summary.session.source or None,
                )
                for summary in self._store.sessions.recent(wanted)
            ]
        )

    def most_recent(self) -> MostRecent:
        """The session to continue."""
        newest = self._store.sessions.recent(1)
        if not newest:
            return MostRecent()
        return MostRecent(newest[0].session.id, newest[0].session.title or None)

    def rename(self, session_id: str, title: str) -> str:
        """Set the title and return it as stored. Raises SessionNotFound, InvalidInput."""
        self.require(session_id)
        cleaned = title_text(title)
        with self._store.transaction():
            self._store.sessions.set_title(session_id, cleaned)
        self.tell_title(session_id, cleaned)
        return cleaned

    def tell_title(self, session_id: str, title: str) -> None:
        """Tell the clients of a new title."""
        self._broadcast.emit(session_id, "session.title", {"session_id": session_id, "title": title})
        self._broadcast.announce("sessions.changed")

    def delete(self, session_id: str) -> None:
        """Remove the session with its rows. Raises SessionNotFound."""
        self.require(session_id)
        with self._store.transaction():
            self._store.sessions.delete(session_id)
        self._broadcast.forget(session_id)
        self._broadcast.announce("sessions.changed")

    @staticmethod
    def info(session: SessionRecord, model: str, running: bool) -> dict[str, Any]:
        """``info`` of a snapshot and payload of ``session.info``."""
        return {
            "running": running,
            "model": model,
            "title": session.title,
            "stored_session_id": session.id,
            "tools": {"tapback": tool_names(session.tools)},
        }
