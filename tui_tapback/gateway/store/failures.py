"""Turns the failures of SQLite and of the file system into our own store errors."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from tui_tapback.domain.errors import DiskFull, StoreDamaged, StoreError, StoreLocked, StoreReadOnly

_PRIMARY = 0xFF  # extended result codes carry the primary one in their low byte
_READ_ONLY = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_HELD = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def locked(path: str) -> StoreLocked:
    """The error for a data file that another process holds."""
    return StoreLocked(
        f"Another program is using the data file {path}.",
        hint="Connect to the gateway that is running, or end it first.",
    )


def read_only(path: str) -> StoreReadOnly:
    """The error for a data file that cannot be written."""
    return StoreReadOnly(
        f"The data file {path} cannot be written.",
        hint="Check the permissions of the folder, or choose another one with TUI_TAPBACK_HOME.",
    )


def disk_full(path: str) -> DiskFull:
    """The error for a disk without space."""
    return DiskFull(
        f"There is no space left for the data file {path}; nothing of this change was stored.",
        hint="Free some space and try again.",
    )


def damaged(path: str, what: str) -> StoreDamaged:
    """The error for a data file in which something is not as it must be."""
    return StoreDamaged(
        f"The file {path} is damaged: {what}.",
        hint="Run tui-tapback sessions repair, or put back a copy of it.",
    )


def from_sqlite(error: sqlite3.Error, path: str) -> StoreError:
    """The store error that ``error`` means for the file ``path``."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    if code in _HELD:
        return locked(path)
    if code in _READ_ONLY:
        return read_only(path)
    if code == sqlite3.SQLITE_FULL:
        return disk_full(path)
    if code in _DAMAGED:
        return StoreDamaged(
            f"The file {path} is not a sound database: {error}.",
            hint="Nothing was changed. Run tui-tapback sessions repair, or put back a copy of it.",
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreReadOnly(
            f"The data file {path} cannot be opened.",
            hint="Check that its folder exists and is yours.",
        )
    hint = "Look whether the disk is sound and has space." if code == sqlite3.SQLITE_IOERR else ""
    return StoreError(f"The data file {path} could not be used: {error}.", hint=hint)


def from_os(error: OSError, path: str) -> StoreError:
    """The store error that a failed file operation means."""
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return read_only(path)
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return disk_full(path)
    return StoreError(f"The data file {path} could not be used: {error.strerror or error}.")


@contextmanager
def translated(path: str) -> Generator[None]:
    """Raise StoreError for whatever SQLite or the system raises inside."""
    try:
        yield
    except sqlite3.Error as error:
        raise from_sqlite(error, path) from error
    except OSError as error:
        raise from_os(error, path) from error
