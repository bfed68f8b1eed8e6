"""Lets one gateway at a time own the data folder, and tells a second one whether the first answers."""

from __future__ import annotations

import errno
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from tui_tapback.config.folders import shown
from tui_tapback.domain.errors import StoreLocked
from tui_tapback.gateway.store.failures import translated

PATIENCE = 10.0
"""Seconds that a second gateway waits for the first to answer or to end."""
_PAUSE = 0.05
_PROBE_SECONDS = 1.0


class Ownership:
    """A held lock; the system lets go of it when the process ends, however it ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        """Let go; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def take_ownership(
    lock_file: Path,
    socket_path: Path,
    *,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> Ownership | None:
    """Take the lock, or return None where another gateway holds it and answers at ``socket_path``.

    An owner that is just starting or just leaving is waited for. Raises StoreLocked when it neither answers
    nor leaves, or answers elsewhere, and another StoreError when the lock file cannot be written.
    """
    deadline = clock() + patience
    with translated(str(lock_file)):
        descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while not _locked(descriptor):
                if answers(socket_path):
                    os.close(descriptor)
                    return None
                _check_elsewhere(descriptor, lock_file, socket_path)
                if clock() >= deadline:
                    _refuse(lock_file, "it does not answer")
                pause(_PAUSE)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(socket_path).encode("utf-8", "surrogateescape"), 0)
        except BaseException:
            os.close(descriptor)
            raise
    return Ownership(descriptor)


def answers(path: Path) -> bool:
    """Whether somebody accepts connections on the Unix socket ``path``."""
    if not hasattr(socket, "AF_UNIX"):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PROBE_SECONDS)
        try:
            probe.connect(str(path))
        except OSError as error:
            # A full queue of a gateway that is there, but busy.
            return error.errno == errno.EAGAIN or isinstance(error, TimeoutError)
    return True


def _locked(descriptor: int) -> bool:
    if sys.platform == "win32":
        return True  # the store's own lock decides there
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _check_elsewhere(descriptor: int, lock_file: Path, socket_path: Path) -> None:
    """The owner wrote its socket into the lock file."""
    recorded = os.pread(descriptor, 4096, 0).decode("utf-8", "surrogateescape")
    if recorded not in ("", str(socket_path)) and answers(Path(recorded)):
        _refuse(lock_file, f"it listens at {shown(Path(recorded))}")


def _refuse(lock_file: Path, what: str) -> NoReturn:
    raise StoreLocked(
        f"Another gateway holds the data folder {shown(lock_file.parent)}, and {what}.",
        hint="End that process, or use another folder with TUI_TAPBACK_HOME.",
    )
