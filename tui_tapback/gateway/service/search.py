"""The use case of searching: words, author and tapback in, hits with a line and its finds out."""

from __future__ import annotations

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.normalise import normalise
from tui_tapback.gateway.store.search import Filters, Found
from tui_tapback.wire.library import LARGEST_LIMIT, SearchHit, SearchParams, SearchResult

from .core import Core
from .matching import Span, Terms, snippet
from .sessions import Sessions

_NO_ROW = 2**62
_ROLES = {str(Author.USER): "user", str(Author.AGENT): "assistant"}


class Search:
    """Searches the messages of all sessions, or of one."""

    def __init__(self, core: Core, sessions: Sessions) -> None:
        self._store = core.store
        self._sessions = sessions

    def find(self, wanted: SearchParams) -> SearchResult:
        """Hits, newest first.

        Raises InvalidInput for a query too long or without anything to look for, and for an author that is
        none; NotAnEmoji; SessionNotFound.
        """
        if wanted.session_id is not None:
            self._sessions.require(wanted.session_id)
        filters = Filters(
            session_id=wanted.session_id,
            role=_role(wanted.author),
            emoji=None if wanted.emoji is None else normalise(wanted.emoji),
            before=None if wanted.before_row_id is None else min(max(wanted.before_row_id, 0), _NO_ROW),
        )
        terms = Terms.of(wanted.query)
        if not terms.words and filters.emoji is None:
            raise InvalidInput("There is nothing to search for.", hint="Type a word, or choose a tapback.")
        limit = min(max(wanted.limit, 1), LARGEST_LIMIT)
        hits: list[SearchHit] = []
        for found in self._store.search.candidates(terms.words, filters):
            spans = terms.spans(found.text)
            if terms.words and not spans:
                continue
            if len(hits) == limit:
                return SearchResult(hits, more=True)
            hits.append(_hit(found, spans))
        return SearchResult(hits)


def _role(author: str | None) -> str | None:
    if author is None:
        return None
    if author not in _ROLES:
        raise InvalidInput(
            f"“{clean_line(author[:80], 40)}” is no author.", hint='Authors are "user" and "agent".'
        )
    return _ROLES[author]


def _hit(found: Found, spans: list[Span]) -> SearchHit:
    line, inside = snippet(found.text, spans)
    return SearchHit(
        session_id=found.session_id,
        session_title=found.session_title,
        row_id=found.row_id,
        role=found.role,
        snippet=line,
        spans=inside,
        at=found.at,
    )
