"""How many files this process may hold open, and how many of them may be connections."""

from __future__ import annotations

import asyncio
import errno
import logging
from typing import Any

_log = logging.getLogger(__name__)
WANTED = 4096
KEPT = 96
"""Files that connections leave to the store, the log, hooks and adapters."""
LEAST = 16
_QUIET_SECONDS = 60.0


def room_for_connections() -> int:
    """Raise the limit as far as the system lets us, and return how many connections fit below it."""
    try:
        import resource  # POSIX only
    except ImportError:
        return WANTED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unbounded = resource.RLIM_INFINITY
    wanted = WANTED if hard == unbounded else min(WANTED, hard)
    if soft != unbounded and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # a system with a lower limit of its own
            wanted = soft
        soft = wanted
    return WANTED if soft == unbounded else max(LEAST, soft - KEPT)


class AcceptTrouble:
    """An exception handler of the loop that tells once a minute when no connection can be taken in.

    The loop tries again after a second by itself, but tells of each of the hundred that may be waiting.
    """

    def __init__(self) -> None:
        self._told: float | None = None

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell it, or leave what is of another kind to the loop."""
        error = context.get("exception")
        scarce = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
        if not (isinstance(error, OSError) and error.errno in scarce and "accept" in context["message"]):
            loop.default_exception_handler(context)
        elif self._told is None or loop.time() - self._told >= _QUIET_SECONDS:
            self._told = loop.time()
            _log.warning("No further connection can be taken in just now: %s.", error.strerror)
