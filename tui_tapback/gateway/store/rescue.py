"""Reads a damaged data file around what cannot be read, and writes what it finds into a new one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tui_tapback.domain.errors import StoreDamaged

from .migrations import migrate

_NUMBERED = ("sessions", "messages")
_KEYED = ("settings", "operations", "summaries", "usage", "posts")
_GUESS = 100_000
"""Rows that a table is taken to have when neither its end nor its counter can be read."""

Row = dict[str, Any]


def rescue(source: Path, target: Path) -> int:
    """Copy what can be read; returns how many rows could not. Raises StoreDamaged where there is nothing, and
    leaves no ``target`` then; sqlite3.Error where the new file cannot be written."""
    target.unlink(missing_ok=True)
    try:
        with closing(_reader(source)) as old, closing(sqlite3.connect(target, isolation_level=None)) as new:
            return _copied(old, new, str(target))
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _copied(old: sqlite3.Connection, new: sqlite3.Connection, target: str) -> int:
    lost = 0
    migrate(new, target)
    new.execute("BEGIN IMMEDIATE")
    for table in (*_NUMBERED, *_KEYED):
        rows = _numbered(old, table) if table in _NUMBERED else _keyed(old, table)
        for row in rows:
            lost += row is None or not _written(new, table, row)
    _adopt(new)
    if not new.execute("SELECT count(*) FROM messages").fetchone()[0]:
        raise StoreDamaged(
            "Nothing can be read of the damaged data file.", hint="Put back a copy of it, or move it away."
        )
    new.execute("COMMIT")
    return lost


def _reader(source: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(source, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.text_factory = _text
    return connection


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _numbered(old: sqlite3.Connection, table: str) -> Iterator[Row | None]:
    """The rows by their numbers; None for each number that cannot be read."""
    ranges = [(0, _last(old, table))]
    while ranges:
        after, upto = ranges.pop()
        try:
            found = old.execute(
                f"SELECT * FROM {table} WHERE rowid > ? AND rowid <= ? ORDER BY rowid", (after, upto)
            ).fetchall()
        except sqlite3.DatabaseError:
            middle = (after + upto) // 2
            if upto - after <= 1:
                yield None
            else:
                ranges += [(middle, upto), (after, middle)]
        else:
            yield from (dict(row) for row in found)


def _last(old: sqlite3.Connection, table: str) -> int:
    for query in (
        f"SELECT max(rowid) FROM {table}",
        f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'",
    ):
        try:
            row = old.execute(query).fetchone()
        except sqlite3.DatabaseError:
            continue
        if row is not None and row[0] is not None:
            return int(row[0])
    return _GUESS


def _keyed(old: sqlite3.Connection, table: str) -> Iterator[Row]:
    """The rows of a table without numbers, up to the first that cannot be read: none of them is dear."""
    try:
        for row in old.execute(f"SELECT * FROM {table}"):
            yield dict(row)
    except sqlite3.DatabaseError:
        return


def _written(new: sqlite3.Connection, table: str, row: Row) -> bool:
    known = {info[1] for info in new.execute(f"PRAGMA table_info({table})")}
    names = [name for name in row if name in known]
    values = [_sound(name, row[name]) for name in names]
    try:
        return (
            new.execute(
                f"INSERT OR IGNORE INTO {table}({', '.join(names)}) VALUES({', '.join('?' * len(names))})",
                values,
            ).rowcount
            == 1
        )
    except sqlite3.IntegrityError:
        return False


def _sound(name: str, value: Any) -> Any:
    """Metadata that is no JSON any more would make its row unreadable."""
    if name == "display_metadata" and value is not None:
        try:
            return value if isinstance(json.loads(value), dict) else None
        except (ValueError, TypeError):
            return None
    return value


def _adopt(new: sqlite3.Connection) -> None:
    """Give rows whose session is lost a session again."""
    new.execute(
        "INSERT INTO sessions(id, title, source, system_prompt, tools, created_at, last_active) "
        "SELECT session_id, 'Rescued chat', '', '', '[]', min(created_at), max(created_at) FROM messages "
        "WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id"
    )
    for table in ("operations", "summaries", "usage", "posts"):
        new.execute(f"DELETE FROM {table} WHERE session_id NOT IN (SELECT id FROM sessions)")
