"""Tells whether something was set off by a hook: by the process session of whoever asked for it."""

from __future__ import annotations

import os
import socket
import struct
from collections import deque
from contextvars import ContextVar

PEER_SESSION: ContextVar[int] = ContextVar("PEER_SESSION", default=0)
"""Process session of the client whose request is being carried out, also in the turn that it began; 0 where
that cannot be known."""
_REMEMBERED = 512
_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid


class HookProcesses:
    """The processes that were started as hooks; each leads a session of its own, with all that it starts."""

    def __init__(self) -> None:
        self._sessions: deque[int] = deque(maxlen=_REMEMBERED)

    def began(self, pid: int) -> None:
        """A hook was started."""
        self._sessions.append(pid)

    def asking(self) -> bool:
        """Whether what happens now was asked for by a hook."""
        return PEER_SESSION.get() in self._sessions


def peer_session(sock: socket.socket | None) -> int:
    """The process session of the other end of a Unix socket, 0 where the system does not tell."""
    option = getattr(socket, "SO_PEERCRED", None)
    if sock is None or option is None or sock.family != socket.AF_UNIX:
        return 0
    try:
        pid, _, _ = _CREDENTIALS.unpack(sock.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size))
        return os.getsid(pid)
    except OSError:  # it has gone already
        return 0
