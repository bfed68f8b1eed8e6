"""Holds the data file for this process, so that a second gateway cannot open it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Self

from .failures import locked


class OwnerLock:
    """An exclusive lock on a file beside the data file; the system lets go of it when the process ends.

    Raises StoreLocked when another owner is there, OSError when the lock file cannot be written. Where the
    system has no such locks, SQLite's own exclusive lock is the only guard.
    """

    def __init__(self, data_file: Path) -> None:
        self._descriptor = os.open(
            data_file.with_name(data_file.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            self._take(str(data_file))
        except BaseException:
            self.release()
            raise

    def _take(self, path: str) -> None:
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise locked(path) from error
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *how: object) -> None:
        self.release()

    def release(self) -> None:
        """Let go; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
