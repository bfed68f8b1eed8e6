"""Finds candidates for a search in the indexes; whoever asks looks at their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .database import Database
from .library_schema import meaning_of
from .messages import SAID

_GROUP = 3
"""Characters of a group in the index."""
_RARE = 2000
"""Places up to which a short word is looked up; a commoner one is found soon by reading."""
_LAST = chr(0x10FFFF)
_BATCH = 200


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is narrowed to. ``role`` as stored; ``emoji`` normalised; ``before``: a row id."""

    session_id: str | None = None
    role: str | None = None
    emoji: str | None = None
    before: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A message that may be a hit. ``at`` in Unix seconds."""

    row_id: int
    session_id: str
    session_title: str
    role: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class _Source:
    """Where candidates come from: tables, the column with the row id, and a condition with its values."""

    tables: str
    key: str
    condition: str
    values: tuple[object, ...] = ()


_EVERYWHERE = _Source("messages", "messages.row_id", SAID)
_IN_SESSION = _Source("messages", "messages.position", SAID)
"""Read from the end of the session, in the order of its index: by row ids all of it would be sorted first."""


class SearchTable:
    """Candidates, newest first, read as they are asked for."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def candidates(self, terms: Sequence[str], filters: Filters) -> Iterator[Found]:
        """Messages that may hold all ``terms`` (lower case) and that pass the filters; without terms, all
        that pass. The caller checks the texts: not every term narrows the search.
        """
        source = self._source(terms, filters)
        parts, values = [source.condition, "deleted_at IS NULL"], list[Any](source.values)
        if filters.session_id is not None:
            parts.append("messages.session_id = ?")
            values.append(filters.session_id)
        if filters.role is not None:
            parts.append("role = ?")
            values.append(filters.role)
        if filters.emoji is not None and not source.tables.startswith("tapbacks"):
            sign, more = _sign(filters.emoji)
            parts.append(f"EXISTS(SELECT 1 FROM tapbacks WHERE tapbacks.row_id = {source.key} AND {sign})")
            values.extend(more)
        query = (
            f"SELECT {source.key}, messages.row_id, messages.session_id, title, role, messages.text, "
            "messages.created_at "
            f"FROM {source.tables} CROSS JOIN sessions ON sessions.id = messages.session_id "
            f"WHERE {' AND '.join(parts)} AND {source.key} < ? ORDER BY {source.key} DESC LIMIT {_BATCH:d}"
        )
        last = self._start(source, filters.before)
        while True:
            rows = self._db.rows(query, (*values, last))
            for row in rows:
                if row[0] != last:  # a message with the same tapback from both sides comes twice
                    last = row[0]
                    yield Found(*row[1:])
            if len(rows) < _BATCH:
                return

    def sessions_with(self, emoji: str) -> set[str]:
        """The sessions in which a message bears ``emoji`` (without tone: in any tone)."""
        sign, values = _sign(emoji)
        return {row[0] for row in self._db.rows(f"SELECT session_id FROM tapbacks WHERE {sign}", values)}

    def _source(self, terms: Sequence[str], filters: Filters) -> _Source:
        sure = [term for term in terms if self._sure(term)]
        groups = [term for term in sure if len(term) >= _GROUP]
        if groups:
            match = " AND ".join('"' + term.replace('"', '""') + '"' for term in groups)
            return _Source(
                "messages_fts CROSS JOIN messages ON messages.row_id = messages_fts.rowid",
                "messages_fts.rowid",
                "messages_fts MATCH ?",
                (match,),
            )
        if filters.emoji is not None:
            sign, values = _sign(filters.emoji)
            joined = "tapbacks CROSS JOIN messages ON messages.row_id = tapbacks.row_id"
            return _Source(joined, "tapbacks.row_id", sign, values)
        places = self._places(max(sure, key=len)) if sure else None
        if places is None:
            return _EVERYWHERE if filters.session_id is None else _IN_SESSION
        listed = ",".join(str(row_id) for row_id in places)
        return _Source("messages", "messages.row_id", f"messages.row_id IN ({listed}) AND {SAID}")

    def _start(self, source: _Source, before: int | None) -> int:
        """The value of the key in front of which the search begins."""
        if before is None:
            return 1 << 62
        if source is not _IN_SESSION:
            return before
        row = self._db.row("SELECT position FROM messages WHERE row_id = ?", (before,))
        return 1 << 62 if row is None or row[0] is None else row[0]

    def _sure(self, term: str) -> bool:
        """Whether the index finds every message with ``term``."""
        if not self._db.has_index or "\0" in term:
            return False
        return term.isascii() or self._db.letters.sure(term)

    def _places(self, word: str) -> set[int] | None:
        """The rows with a word of one or two characters, or None where they are too many to list."""
        word = word if word.isascii() else word.translate(self._db.letters.written)
        rows = self._db.rows(
            "SELECT doc FROM temp.messages_terms WHERE term >= ? AND term < ? LIMIT ?",
            (word, word + _LAST, _RARE),
        )
        return None if len(rows) == _RARE else {row[0] for row in rows}


def _sign(emoji: str) -> tuple[str, tuple[str, ...]]:
    meaning = meaning_of(emoji)
    if meaning == emoji.replace("\ufe0f", ""):
        return "tapbacks.meaning = ?", (meaning,)
    return "tapbacks.meaning = ? AND tapbacks.emoji = ?", (meaning, emoji)
