"""The full-text index over messages: every three characters, kept by triggers in the same transaction."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

_PAD = "char(10, 10)"
"""Two characters behind each text, so that its last one and two begin a group of three too: words of fewer
than three letters, as Chinese and Japanese have them, are then found as the beginning of a group."""


def _indexed(row: str) -> str:
    """Whether a row belongs into the index; an answer that is being written comes in when it is done."""
    return (
        f"({row}.active = 1 AND {row}.role IN ('user', 'assistant') AND {row}.text != '' "
        f"AND instr(coalesce({row}.display_metadata, ''), '\"_streaming\":true') = 0)"
    )


_ADD = f"INSERT INTO messages_fts(rowid, text) SELECT new.row_id, new.text || {_PAD}"
_TAKE = f"INSERT INTO messages_fts(messages_fts, rowid, text) SELECT 'delete', old.row_id, old.text || {_PAD}"
_TRIGGERS = ("messages_fts_inserted", "messages_fts_deleted", "messages_fts_updated")
_TABLE = (
    f"CREATE VIEW IF NOT EXISTS messages_searchable AS SELECT row_id, text || {_PAD} AS text "
    f"FROM messages WHERE {_indexed('messages')}",
    "CREATE VIRTUAL TABLE IF NOT EXISTS messages_fts USING fts5("
    "text, content='messages_searchable', content_rowid='row_id', tokenize='trigram')",
    f"CREATE TRIGGER messages_fts_inserted AFTER INSERT ON messages WHEN {_indexed('new')} BEGIN {_ADD}; END",
    f"CREATE TRIGGER messages_fts_deleted AFTER DELETE ON messages WHEN {_indexed('old')} BEGIN {_TAKE}; END",
    "CREATE TRIGGER messages_fts_updated AFTER UPDATE OF text, role, active, display_metadata ON messages "
    f"WHEN {_indexed('old')} != {_indexed('new')} OR ({_indexed('new')} AND old.text != new.text) "
    f"BEGIN {_TAKE} WHERE {_indexed('old')}; {_ADD} WHERE {_indexed('new')}; END",
    "INSERT INTO messages_fts(messages_fts) VALUES('rebuild')",
)
_VOCABULARY = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.messages_terms "
    "USING fts5vocab('main', 'messages_fts', 'instance')"
)


_LETTERS = (
    "SAVEPOINT letters",
    "CREATE VIRTUAL TABLE temp.letters USING fts5(letter, tokenize='trigram')",
    "CREATE VIRTUAL TABLE temp.letter_terms USING fts5vocab('temp', 'letters', 'instance')",
)
_LAST_CASED = 0x1F000
"""Behind it no script has capitals."""


@dataclass(frozen=True, slots=True)
class Letters:
    """How the index writes letters, where that differs from the lower case of Python.

    ``written``: small letters that the index takes for others (ς for σ). ``unsure``: small letters of which
    it does not know a capital, for SQLite's table of letters is older than Python's: not all such words are
    found by it.
    """

    written: dict[int, str]
    unsure: frozenset[str]

    def sure(self, word: str) -> bool:
        """Whether the index finds every place where ``word`` (lower case) stands."""
        return self.unsure.isdisjoint(word)


def learn_letters(connection: sqlite3.Connection) -> Letters:
    """Ask this SQLite how its index writes each letter that has a case."""
    cased = [chr(n) for n in range(128, _LAST_CASED) if chr(n).lower() != chr(n).upper()]
    for statement in _LETTERS:
        connection.execute(statement)
    connection.executemany(
        f"INSERT INTO temp.letters(rowid, letter) VALUES(?, ? || {_PAD})", ((ord(c), c) for c in cased)
    )
    found = connection.execute("SELECT doc, substr(term, 1, 1) FROM temp.letter_terms").fetchall()
    for name in ("letter_terms", "letters"):
        connection.execute(f"DROP TABLE temp.{name}")
    connection.execute("RELEASE letters")
    index = dict[int, str](found)
    small = {ord(c): c.lower() for c in cased if len(c.lower()) == 1}
    return Letters(
        {n: index[n] for n, low in small.items() if low == chr(n) and index[n] != low},
        frozenset(low for n, low in small.items() if index[n] != index.get(ord(low), low)),
    )


def prepare_search(connection: sqlite3.Connection) -> bool:
    """Make the index where it is missing; False where this SQLite cannot have one (search then reads rows).

    A file that was here in the hands of such an SQLite has lost its triggers, and gets a new index.
    """
    if not _available(connection):
        for name in _TRIGGERS:
            connection.execute(f"DROP TRIGGER IF EXISTS {name}")
        return False
    found = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name IN (?, ?, ?)", _TRIGGERS
    ).fetchone()
    if found[0] != len(_TRIGGERS):
        _build(connection)
    connection.execute(_VOCABULARY)
    return True


def rebuild_search(connection: sqlite3.Connection) -> None:
    """Make the index anew from the rows, whatever state it is in. Inside a transaction."""
    for name in _TRIGGERS:
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    for statement in _TABLE:
        connection.execute(statement)


def _available(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.messages_probe USING fts5(x, tokenize='trigram')")
    except sqlite3.OperationalError as error:
        if "no such" in str(error):  # module or tokenizer
            return False
        raise
    connection.execute("DROP TABLE temp.messages_probe")
    return True


def _build(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        rebuild_search(connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
