"""The one connection to the data file: opening, transactions, statements, with errors translated."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from tui_tapback.domain.errors import StoreDamaged, StoreError

from .backup import back_up_before_migration, copy_database
from .failures import damaged, translated
from .lock import OwnerLock
from .migrations import MIGRATIONS, migrate, pending
from .search_index import Letters, learn_letters, prepare_search
from .swap import LOG, beside, finish_swap

_BUSY_SECONDS = 1.0
_SMALL = 8 * 1024 * 1024
"""Bytes of a file that is read whole at every opening: some hundredths of a second."""


class Database:
    """The open data file.

    Write-ahead log with ``synchronous=FULL``: a commit that returned is on the disk, and costs a sixth of
    what the rollback journal takes. The troubles of the log come from several connections to one file; here
    the file is held exclusively, twice (a lock beside it, and SQLite's own), by one connection.

    A file that is small, was left by a crash or is to be migrated is read whole first; a damaged one is
    refused as it is. One that is to be migrated is copied beside itself. Damage that shows itself later ends
    all writing, so that nothing makes it worse.

    Raises StoreLocked, StoreReadOnly, DiskFull, StoreDamaged, StoreTooNew, StoreError; so do all methods.
    """

    def __init__(self, path: Path, *, page_limit: int | None = None) -> None:
        path = path.resolve()  # SQLite keeps the log beside the file itself, not beside a link to it
        self.path = str(path)
        self.has_index = False
        self._damage: StoreDamaged | None = None
        self._grouped = False
        with translated(self.path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = OwnerLock(path)
        try:
            with translated(self.path):
                self._connection = self._open(path, page_limit)
        except BaseException:
            self._lock.release()
            raise

    def _open(self, path: Path, page_limit: int | None) -> sqlite3.Connection:
        finish_swap(path)
        log = beside(path, LOG)
        crashed = log.exists() and log.stat().st_size > 0
        path.touch(mode=0o600, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, cached_statements=256)
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            if page_limit is not None:
                connection.execute(f"PRAGMA max_page_count = {page_limit:d}")
            steps = pending(connection, self.path)
            to_migrate = 0 < steps < len(MIGRATIONS)
            if crashed or to_migrate or path.stat().st_size <= _SMALL:
                self._examine(connection)
            if to_migrate:
                back_up_before_migration(connection, path, len(MIGRATIONS) - steps)
            migrate(connection, self.path)
            self.has_index = prepare_search(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _examine(self, connection: sqlite3.Connection) -> None:
        fault = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if fault != "ok":
            raise damaged(self.path, fault)

    @contextmanager
    def _guarded(self) -> Generator[None]:
        """Translate errors, and remember damage of the file."""
        try:
            with translated(self.path):
                yield
        except StoreDamaged as error:
            if isinstance(error.__cause__, sqlite3.Error):
                self._damage = error
            raise

    @contextmanager
    def transaction(self) -> Generator[None]:
        """All or nothing: committed at the end of the block, rolled back when anything is raised in it.

        Not nested, but in a ``group``: a use case has one transaction, and it is the use case that opens it.
        """
        if self._grouped:
            if not self._connection.in_transaction:
                # A full disk has undone the whole group; what comes after it must not begin one of its own.
                raise StoreError(f"Nothing of this change was stored in {self.path}.", hint="Try again.")
            with self.savepoint():
                yield
            return
        if self._damage is not None:
            raise damaged(self.path, "nothing more is written to it") from self._damage
        with self._guarded():
            if self._connection.in_transaction:
                raise RuntimeError("a transaction is already open")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                # Some errors (a full disk) have already rolled back.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def group(self) -> Generator[None]:
        """One transaction in which those that are opened inside are parts, each undone alone."""
        with self.transaction():
            self._grouped = True
            try:
                yield
            finally:
                self._grouped = False

    @contextmanager
    def savepoint(self) -> Generator[None]:
        """A part of the open transaction that is undone alone when anything is raised in it."""
        self.run("SAVEPOINT part")
        try:
            yield
        except BaseException:
            # A full disk has rolled back the whole transaction, and with it the savepoint.
            if self._connection.in_transaction:
                self.run("ROLLBACK TO part")
                self.run("RELEASE part")
            raise
        self.run("RELEASE part")

    def run(self, statement: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        """Execute one statement."""
        with self._guarded():
            return self._connection.execute(statement, tuple(values))

    def rows(self, statement: str, values: Iterable[Any] = ()) -> list[sqlite3.Row]:
        """All rows of a query."""
        with self._guarded():
            return self._connection.execute(statement, tuple(values)).fetchall()

    def row(self, statement: str, values: Iterable[Any] = ()) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        with self._guarded():
            return self._connection.execute(statement, tuple(values)).fetchone()

    @cached_property
    def letters(self) -> Letters:
        """How the index writes letters; asked once, when a search needs it."""
        with self._guarded():
            return learn_letters(self._connection)

    def check(self) -> None:
        """Read the whole file. Raises StoreDamaged with the first fault found."""
        found = [str(row[0]) for row in self.rows("PRAGMA integrity_check(1)")]
        if found != ["ok"]:
            self._damage = damaged(self.path, "; ".join(found))
            raise self._damage

    def copy_to(self, target: Path) -> None:
        """Write a complete copy of the file, while it stays in use."""
        with translated(str(target)):
            copy_database(self._connection, target)

    def close(self) -> None:
        """Close the file and let go of it; a second call does nothing."""
        try:
            with translated(self.path):
                self._connection.close()
        finally:
            self._lock.release()
