"""Use cases of the shelf of sessions: list, put away, delete with a way back, and the end of that way."""

from __future__ import annotations

from tui_tapback.domain.errors import Busy
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.normalise import normalise
from tui_tapback.gateway.store.records import SessionSummary
from tui_tapback.gateway.store.search import Filters
from tui_tapback.wire.library import LARGEST_LIMIT, Archived, Deleted, Restored, SessionList, SessionRow

from .core import Core
from .inputs import is_session_id
from .matching import Terms
from .sessions import Sessions

UNDO_SECONDS = 600.0
"""How long a deleted session can be brought back."""
_DEFAULT_LIMIT = 200
_CANDIDATES = 2000
_PURGED_AT_ONCE = 300


class Archive:
    """What happens to sessions as a whole."""

    def __init__(self, core: Core, sessions: Sessions) -> None:
        self._store = core.store
        self._broadcast = core.broadcast
        self._clock = core.clock
        self._sessions = sessions

    def list(
        self,
        limit: int | None = None,
        *,
        query: str | None = None,
        archived: bool = False,
        reacted_with: str | None = None,
    ) -> SessionList:
        """Sessions in which something was said or that have a title, newest activity first.

        ``query``: its words stand in the title, or in one of the newest messages that may hold them.
        Raises InvalidInput for a query that is too long, NotAnEmoji.
        """
        wanted = min(max(_DEFAULT_LIMIT if limit is None else limit, 1), LARGEST_LIMIT)
        among = None if reacted_with is None else self._store.search.sessions_with(normalise(reacted_with))
        terms = Terms.of(query or "")
        if terms.words:
            found = self._matching(terms)
            among = found if among is None else among & found
        return SessionList(
            [_row(summary) for summary in self._store.sessions.recent(wanted, archived=archived, among=among)]
        )

    def _matching(self, terms: Terms) -> set[str]:
        found = {session_id for session_id, title in self._store.sessions.titles() if terms.spans(title)}
        for number, message in enumerate(self._store.search.candidates(terms.words, Filters())):
            if number >= _CANDIDATES:
                break
            if message.session_id not in found and terms.spans(message.text):
                found.add(message.session_id)
        return found

    def set_archived(self, session_id: str, archived: bool) -> Archived:
        """Put a session away, or take it back. Raises SessionNotFound."""
        self._sessions.require(session_id)
        with self._store.transaction():
            self._store.sessions.set_archived(session_id, archived)
        self._broadcast.announce("sessions.changed")
        return Archived(session_id, archived)

    def delete(self, session_id: str, *, running: bool) -> Deleted:
        """Delete a session; ``restore`` brings it back within ten minutes. Raises SessionNotFound, Busy."""
        if running:
            raise Busy("The agent is still answering in that chat.", hint="Interrupt it first.")
        self._sessions.require(session_id)
        with self._store.transaction():
            self._store.sessions.set_deleted(session_id, self._clock())
        self._broadcast.leave(session_id)
        self._broadcast.announce("sessions.changed")
        return Deleted(undo_seconds=UNDO_SECONDS)

    def restore(self, session_id: str) -> Restored:
        """Bring a deleted session back as it was; one that is there stays. Raises SessionNotFound."""
        since = self._clock() - UNDO_SECONDS
        found = self._store.sessions.deleted(session_id, since) if is_session_id(session_id) else None
        if found is None:
            return Restored(session_id, self._sessions.require(session_id).title)
        with self._store.transaction():
            self._store.sessions.set_deleted(session_id, None)
        self._broadcast.announce("sessions.changed")
        return Restored(session_id, found.title)

    def purge(self) -> None:
        """Remove a little of what was deleted long enough ago; to be called every now and then."""
        with self._store.transaction():
            gone = self._store.sessions.purge(self._clock() - UNDO_SECONDS, _PURGED_AT_ONCE)
        if gone is not None:
            self._broadcast.forget(gone)


def _row(summary: SessionSummary) -> SessionRow:
    session = summary.session
    return SessionRow(
        id=session.id,
        title=session.title or None,
        preview=clean_line(summary.preview, 80),
        started_at=session.created_at,
        last_active=session.last_active,
        message_count=summary.message_count,
        source=session.source or None,
        archived=summary.archived,
        reactions=summary.reactions,
        last_row_id=summary.last_row_id,
        parent_session_id=session.parent or None,
        parent_title=summary.parent_title,
    )
