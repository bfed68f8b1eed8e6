"""Puts a repaired data file into the place of the damaged one, so that a stop at any moment loses neither."""

from __future__ import annotations

import filecmp
import os
import shutil
from pathlib import Path

LOG = "-wal"
_BESIDE = (LOG, "-shm", "-journal")


def beside(path: Path, suffix: str) -> Path:
    """The file that belongs to another one."""
    return path.with_name(path.name + suffix)


def remove_with_logs(path: Path) -> None:
    """Remove a data file and what SQLite keeps beside it: a log that meets another file would ruin that."""
    for suffix in ("", *_BESIDE):
        beside(path, suffix).unlink(missing_ok=True)


def put_in_place(path: Path, draft: Path, aside: Path) -> None:
    """Let ``draft`` (closed, whole) take the place of ``path``, which stays as ``aside`` with its log.

    At every moment there is a file at ``path``, and the damaged one with its log is either there or aside.
    From when it is aside the repair counts as done: ``finish_swap`` completes what was cut short.
    Raises OSError; ``path`` is then as it was.
    """
    _sync(draft)
    draft.replace(_ready(path))
    for suffix in (LOG, ""):  # the file itself last: where it is, the rest is too
        if beside(path, suffix).exists():
            _copy(beside(path, suffix), beside(aside, suffix))
    _exchange(path)


def finish_swap(path: Path) -> Path | None:
    """Complete an exchange that was cut short: where the damaged file is, or None where none was.

    A file that is another one by now (somebody has put a copy back) stays as it is. The caller holds the
    lock. Raises OSError.
    """
    if not _ready(path).exists() or not path.exists():
        return None
    for aside in sorted(path.parent.glob(f"{path.name}.damaged-*")):
        log, kept = beside(path, LOG), beside(aside, LOG)
        unchanged = not log.exists() or (kept.exists() and filecmp.cmp(log, kept, shallow=False))
        if unchanged and filecmp.cmp(path, aside, shallow=False):
            _exchange(path)
            return aside
    return None


def _ready(path: Path) -> Path:
    return beside(path, ".repaired")


def _exchange(path: Path) -> None:
    for suffix in _BESIDE:  # before the new file is there: it must never be found beside an old log
        beside(path, suffix).unlink(missing_ok=True)
    _ready(path).replace(path)
    _sync(path.parent)


def _copy(source: Path, target: Path) -> None:
    part = beside(target, ".part")
    shutil.copy2(source, part)
    _sync(part)
    part.replace(target)


def _sync(path: Path) -> None:
    if os.name != "posix" and path.is_dir():
        return  # only POSIX opens folders
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
