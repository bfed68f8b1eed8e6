"""Copies of the data file: one before each migration, one whenever a person asks."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

_KEPT = 3


def copy_database(source: sqlite3.Connection, target: Path) -> None:
    """Write a complete, closed copy of an open database to ``target``, which is never seen half written.

    Raises sqlite3.Error and OSError; what stood at ``target`` is then still there.
    """
    draft = target.with_name(target.name + ".part")
    draft.unlink(missing_ok=True)
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(draft)) as copy:
            source.backup(copy)
            # The copy inherits the mode of the original; alone, it shall be one file.
            copy.execute("PRAGMA journal_mode = DELETE")
        descriptor = os.open(draft, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def back_up_before_migration(connection: sqlite3.Connection, path: Path, version: int) -> Path:
    """Keep the file as schema ``version`` left it, beside it; of such copies the newest three stay."""
    target = path.with_name(f"{path.name}.schema-{version}.bak")
    copy_database(connection, target)
    copies = sorted(path.parent.glob(f"{path.name}.schema-*.bak"), key=lambda file: file.stat().st_mtime)
    for old in copies[:-_KEPT]:
        old.unlink()
    return target
