"""Holds a lock file, so that two clients that save at the same instant do so one after the other."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 1.0  # seconds; a save takes a few milliseconds
_STEP = 0.005

if sys.platform == "win32":

    @contextmanager
    def locked(path: Path, patience: float = PATIENCE) -> Generator[None]:
        """Hold ``path`` by creating it; raises TimeoutError (an OSError) when another holds it for long."""
        _until(lambda: path.touch(exist_ok=False), path, patience)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)

else:
    import fcntl

    @contextmanager
    def locked(path: Path, patience: float = PATIENCE) -> Generator[None]:
        """Hold ``path`` with the kernel's lock, which goes with the process; the empty file stays.

        Raises TimeoutError (an OSError) when another holds it for longer than ``patience`` seconds.
        """
        with path.open("ab") as file:
            _until(lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB), path, patience)
            yield


def _until(take: Callable[[], None], path: Path, patience: float) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            take()
            return
        except (BlockingIOError, FileExistsError) as error:
            if time.monotonic() >= end:
                raise TimeoutError(f"{path.name} is held by another program") from error
            time.sleep(_STEP)
