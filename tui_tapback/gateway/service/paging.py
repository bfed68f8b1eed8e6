"""The use case of reading a session piece by piece, in both directions."""

from __future__ import annotations

from tui_tapback.domain.errors import InvalidInput, RowNotFound
from tui_tapback.gateway.store.pages import Pages, Slice
from tui_tapback.gateway.store.records import MessageRecord
from tui_tapback.wire.library import LARGEST_LIMIT, Page, PageParams

from .core import Core
from .rows import STREAMING, listed, wire_rows
from .sessions import Sessions


class Paging:
    """Reads slices; their cost does not grow with the length of the session."""

    def __init__(self, core: Core, sessions: Sessions) -> None:
        self._messages = core.store.messages
        self._sessions = sessions
        self._pages = Pages(core.store.messages, _shown)

    def page(self, wanted: PageParams) -> Page:
        """The rows asked for. Raises SessionNotFound, RowNotFound, InvalidInput for two rows at once."""
        self._sessions.require(wanted.session_id)
        limit = min(max(wanted.limit, 1), LARGEST_LIMIT)
        before, after, around = wanted.before_row_id, wanted.after_row_id, wanted.around_row_id
        if sum(row_id is not None for row_id in (before, after, around)) + bool(wanted.first) > 1:
            raise InvalidInput(
                "A page is before, after or around one row, or the first.",
                hint="Give one of the three row ids.",
            )
        if before is not None:
            found = self._pages.before(self._row(wanted.session_id, before), limit)
        elif after is not None:
            found = self._pages.after(self._row(wanted.session_id, after), limit)
        elif around is not None:
            found = self._pages.around(self._row(wanted.session_id, around), limit)
        elif wanted.first:
            found = self._pages.oldest(wanted.session_id, limit)
        else:
            found = self.newest(wanted.session_id, limit)
        return Page(
            wire_rows(found.rows), found.has_older, found.has_newer, self._messages.count(wanted.session_id)
        )

    def newest(self, session_id: str, limit: int) -> Slice:
        """The end of a session."""
        return self._pages.newest(session_id, limit)

    def _row(self, session_id: str, row_id: int) -> MessageRecord:
        row = self._messages.get(session_id, row_id)
        if row is None:
            raise RowNotFound(
                "That message is not in this chat (or no longer).", hint="Reload the chat and try again."
            )
        return row


def _shown(row: MessageRecord) -> bool:
    return listed(row) and not row.metadata.get(STREAMING)
