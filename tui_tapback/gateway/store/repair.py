"""Rescues what can be read out of a damaged data file into a sound one, and keeps the damaged one."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from tui_tapback.domain.errors import StoreDamaged, StoreError

from .backup import back_up_before_migration, copy_database
from .failures import damaged, translated
from .library_schema import COUNTS
from .lock import OwnerLock
from .migrations import MIGRATIONS, migrate, pending
from .rescue import rescue
from .search_index import prepare_search, rebuild_search
from .swap import LOG, beside, finish_swap, put_in_place, remove_with_logs

_UNREADABLE = (
    "display_metadata IS NOT NULL AND CASE WHEN json_valid(display_metadata) "
    "THEN json_type(display_metadata) != 'object' ELSE 1 END"
)
"""Rows whose metadata is no object: nobody can read them, though the file around them is sound."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What came of it: messages that are there now, rows that could not be read (or only without their
    tapbacks), and where the damaged file is kept (None where the file was sound)."""

    messages: int
    lost: int = 0
    damaged_file: Path | None = None


def back_up(path: Path, target: Path) -> None:
    """Copy a data file that no gateway holds. Raises StoreLocked, StoreDamaged, StoreError."""
    path = path.resolve()
    with _held(path), translated(str(path)):
        finish_swap(path)
        _back_up(path, target)


def _back_up(path: Path, target: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        fault = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if fault != "ok":
            raise damaged(str(path), fault)
        copy_database(connection, target)


def repair(path: Path, stamp: str) -> Repair:
    """Make the data file sound; no gateway may hold it.

    A sound file gets its index and counters anew, and rows whose metadata cannot be read lose it. Of a
    damaged one, what can be read goes into a new file that takes its place. The file as it was stays beside
    it as ``<name>.damaged-<stamp>`` where anything is lost. A repair that was cut short is completed.
    Raises StoreLocked, StoreTooNew, StoreDamaged where nothing can be read, StoreError; the file is then as
    it was.
    """
    path = path.resolve()
    with _held(path), translated(str(path)):
        aside = beside(path, f".damaged-{stamp}")
        copy, draft = beside(path, ".rescue"), beside(path, ".repairing")
        for left in (copy, draft):  # by a repair that was cut short
            remove_with_logs(left)
        if former := finish_swap(path):
            return replace(_renewed(path, aside), damaged_file=former)
        if _is_sound(path):
            return _renewed(path, aside)
        try:
            # Opening a file may write to it: the log of a crash is merged. The damaged one stays as it is.
            for suffix in ("", LOG):
                if beside(path, suffix).exists():
                    shutil.copyfile(beside(path, suffix), beside(copy, suffix))
            lost = rescue(copy, draft)
            count = _finish(draft)
        finally:
            remove_with_logs(copy)
        put_in_place(path, draft, aside)
        return Repair(count, lost, aside)


def _held(path: Path) -> OwnerLock:
    if not path.exists():
        raise StoreError(f"There is no data file {path} yet.", hint="Nothing needs to be done.")
    with translated(str(path)):
        return OwnerLock(path)


def _is_sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
    except sqlite3.DatabaseError:
        return False


def _renewed(path: Path, aside: Path) -> Repair:
    with closing(_opened(path)) as connection:
        if steps := pending(connection, str(path)):
            back_up_before_migration(connection, path, len(MIGRATIONS) - steps)
        migrate(connection, str(path))
        prepare_search(connection)
        unreadable = connection.execute(f"SELECT count(*) FROM messages WHERE {_UNREADABLE}").fetchone()[0]
        if unreadable:
            copy_database(connection, aside)
            connection.execute(f"UPDATE messages SET display_metadata = NULL WHERE {_UNREADABLE}")
        return Repair(_derive(connection), unreadable, aside if unreadable else None)


def _finish(draft: Path) -> int:
    draft.chmod(0o600)
    with closing(_opened(draft)) as connection:
        prepare_search(connection)
        count = _derive(connection)
        fault = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if fault != "ok":
        raise StoreDamaged(f"The rescued file {draft} is not sound: {fault}.", hint="Put back a copy.")
    return count


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def _derive(connection: sqlite3.Connection) -> int:
    connection.execute("BEGIN IMMEDIATE")
    for statement in COUNTS:
        connection.execute(statement)
    rebuild_search(connection)
    connection.execute("COMMIT")
    return connection.execute("SELECT count(*) FROM messages").fetchone()[0]
