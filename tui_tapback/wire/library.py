"""Parameters and results of the requests about stored sessions: list, pages, search, archive, deletion."""

from __future__ import annotations

from .base import Method, Params, Result, SessionParams
from .rows import WireRow


class ListParams(Params):
    """How many sessions, newest activity first. Ours: ``query`` finds words in titles and messages,
    ``archived`` true lists those that were put away (else they are left out), ``reacted_with`` keeps sessions
    in which a message bears that emoji."""

    limit: int | None = None
    query: str | None = None
    archived: bool | None = None
    reacted_with: str | None = None


class SessionRow(Result):
    """One line of the session list. Times are Unix seconds; ``message_count`` leaves out tool rows (on our
    gateway). Ours: ``reactions`` counts tapbacks of both sides, ``last_row_id`` is the newest message,
    ``parent_session_id`` the session that this branch was made from (it may be gone), ``parent_title`` its
    title now ("" for none; missing where it is gone)."""

    id: str
    title: str | None = None
    preview: str | None = None
    started_at: float = 0.0
    last_active: float = 0.0
    message_count: int = 0
    source: str | None = None
    archived: bool = False
    reactions: int = 0
    last_row_id: int | None = None
    parent_session_id: str | None = None
    parent_title: str | None = None


class SessionList(Result):
    """Sessions, newest activity first."""

    sessions: list[SessionRow] = []


class PageParams(Params):
    """A part of a session: the newest ``limit`` rows, or those before, after or around a row, or with
    ``first`` the oldest (at most one of the four). ``limit`` is 1 to 1000."""

    session_id: str
    limit: int = 100
    before_row_id: int | None = None
    after_row_id: int | None = None
    around_row_id: int | None = None
    first: bool | None = None


class Page(Result):
    """Rows in order. ``total`` counts the messages of the whole session, tool rows left out. A page
    may be longer than asked for: it goes on to the next message, so that the end that is continued has an
    id."""

    messages: list[WireRow] = []
    has_older: bool = False
    has_newer: bool = False
    total: int = 0


class SearchParams(Params):
    """Words that must all occur, in any place of a message; "words in quotes" occur together. ``author`` is
    "user" or "agent"; ``emoji`` keeps messages that bear it (without tone: in any tone). The query may be
    empty where an emoji is given. ``before_row_id`` goes on from the last hit of the answer before."""

    query: str = ""
    session_id: str | None = None
    author: str | None = None
    emoji: str | None = None
    limit: int = 50
    before_row_id: int | None = None


class SearchHit(Result):
    """``snippet`` is one line of the message; ``spans`` are the finds in it, counted in code points, end
    excluded. ``at`` in Unix seconds."""

    session_id: str
    session_title: str
    row_id: int
    role: str
    snippet: str
    spans: list[tuple[int, int]]
    at: float


class SearchResult(Result):
    """Hits, newest first; ``more``: ask again with ``before_row_id``."""

    hits: list[SearchHit] = []
    more: bool = False


class ArchiveParams(Params):
    """Put a session away, or take it back."""

    session_id: str
    archived: bool


class Archived(Result):
    """Whether it is put away now (a Hermes gateway does not repeat the id)."""

    session_id: str = ""
    archived: bool = True


class Deleted(Result):
    """``undo_seconds`` (ours): how long ``session.restore`` brings it back."""

    ok: bool = True
    undo_seconds: float | None = None


class Restored(Result):
    """The session is back."""

    session_id: str
    title: str = ""


LARGEST_LIMIT = 1000
"""Most rows of one page and most hits of one answer."""

LIBRARY_METHODS = (
    Method("session.list", ListParams, SessionList, "Stored sessions, newest activity first."),
    Method("session.delete", SessionParams, Deleted, "Delete a stored session; ours can be brought back."),
    Method("session.restore", SessionParams, Restored, "Bring back a deleted session.", "tapback"),
    Method("session.archive", ArchiveParams, Archived, "Put a session away, or take it back.", "tapback"),
    Method("session.page", PageParams, Page, "Some rows of a session, in order.", "tapback"),
    Method("messages.search", SearchParams, SearchResult, "Find messages by words and tapbacks.", "tapback"),
)
"""Their rows of the method table."""
