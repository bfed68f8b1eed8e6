"""Use cases of one session as such: make, look up, rename."""

from __future__ import annotations

from typing import Any

from tui_tapback.domain.errors import SessionNotFound, TooManySessions
from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.store.records import SessionRecord
from tui_tapback.wire.methods import MostRecent

from .core import Core
from .identity import Ids
from .inputs import is_session_id, title_text
from .provider_messages import system_message, tool_names

MOST_SESSIONS = 10_000
"""Sessions that one data file takes."""
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
        """Make a session, whose system prompt and tools stay as they are now.

        Raises InvalidInput for a title, TooManySessions.
        """
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
            if self._store.sessions.count() >= MOST_SESSIONS:
                raise TooManySessions(
                    f"There are {MOST_SESSIONS:,} sessions already.", hint="Delete some of them first."
                )
            self._store.sessions.insert(session)
        if session.title:
            self._broadcast.announce("sessions.changed")
        return session

    def most_recent(self) -> MostRecent:
        """The session to continue."""
        newest = self._store.sessions.recent(1)
        if not newest:
            return MostRecent()
        return MostRecent(newest[0].session.id, newest[0].session.title or None)

    def parent_title(self, session: SessionRecord) -> str | None:
        """The title of the session that this one is a branch of; None where it is of none that is there."""
        parent = self._store.sessions.get(session.parent) if session.parent else None
        return None if parent is None else parent.title

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
