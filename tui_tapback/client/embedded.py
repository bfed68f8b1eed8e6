"""Finds the embedded gateway of this user, or starts it in the background and waits until it answers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tui_tapback.domain.errors import GatewayNotStarted
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _

from .ports import Transport
from .transport import NobodyListens, unix_connector

_FIRST_WAIT: Final = 0.02
_LONGEST_WAIT: Final = 0.25
_FIRST_SPAWN_WAIT: Final = 0.5
"""Seconds; doubled with each further start, so that those that wait do not slow down the one that starts."""
_TAIL_BYTES: Final = 8192


class EmbeddedGateway:
    """A connector. Two that start at once both spawn; the gateway's own lock lets one live, and both find it.

    ``command`` is the gateway's command line. It runs in a session of its own, so that closing the terminal
    does not end it; what it prints goes to ``log_path``.
    """

    gateway_name = "embedded"

    def __init__(
        self, socket_path: Path, command: Sequence[str], log_path: Path, *, start_timeout: float = 15.0
    ) -> None:
        self._connect = unix_connector(socket_path)
        self._command = tuple(command)
        self._log_path = log_path
        self._start_timeout = start_timeout

    async def __call__(self) -> Transport:
        """Connect; start the gateway where nobody listens. Raises GatewayNotStarted, LinkDown."""
        try:
            return await self._connect()
        except NobodyListens:
            return await self._started()

    async def _started(self) -> Transport:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._start_timeout
        before = self._log_size()
        pid: int | None = self._spawn()
        wait, pause = _FIRST_WAIT, _FIRST_SPAWN_WAIT
        next_spawn = loop.time() + pause
        while True:
            await asyncio.sleep(wait)
            wait = min(wait * 1.5, _LONGEST_WAIT)
            try:
                return await self._connect()
            except NobodyListens:
                pass  # not yet
            code = None if pid is None else _exit_status(pid)
            if code == 0:
                # It found another gateway at work: that one will answer, or has left as well.
                pid = None
            if pid is None and next_spawn <= loop.time() <= deadline:
                pid, pause = self._spawn(), 2 * pause
                next_spawn = loop.time() + pause
            if code:
                raise GatewayNotStarted(
                    self._sentence(
                        _("The gateway could not start (status {code})").format(code=code), before
                    ),
                    hint=_("Its log is {log_path}.").format(log_path=self._log_path),
                )
            if loop.time() > deadline:
                raise GatewayNotStarted(
                    self._sentence(
                        _("The gateway did not answer within {start_timeout:g} seconds").format(
                            start_timeout=self._start_timeout
                        ),
                        before,
                    ),
                    hint=_("Its log is {log_path}.").format(log_path=self._log_path),
                )

    def _spawn(self) -> int:
        """Start the gateway, detached; returns its process id.

        A ``Popen`` would complain about a child that outlives it, which is the very purpose here.
        """
        try:
            self._log_path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._log_path.open("ab") as log, Path(os.devnull).open("rb") as nothing:
                self._log_path.chmod(0o600)
                copies = [
                    (os.POSIX_SPAWN_DUP2, nothing.fileno(), 0),
                    (os.POSIX_SPAWN_DUP2, log.fileno(), 1),
                    (os.POSIX_SPAWN_DUP2, log.fileno(), 2),
                ]
                # Descriptors of this process are not inherited: Python marks each of them so.
                return os.posix_spawnp(
                    self._command[0], self._command, os.environ, file_actions=copies, setsid=True
                )
        except OSError as error:
            raise GatewayNotStarted(
                _("The gateway could not be started: {reason}.").format(
                    reason=error.strerror or _("the system refused")
                ),
                hint=_("Check the program {command} and the folder {parent}.").format(
                    command=self._command[0], parent=self._log_path.parent
                ),
            ) from error

    def _log_size(self) -> int:
        try:
            return self._log_path.stat().st_size
        except OSError:
            return 0

    def _sentence(self, what: str, before: int) -> str:
        """``what``, with the last line that this start wrote into the log."""
        try:
            with self._log_path.open("rb") as log:
                size = log.seek(0, 2)
                log.seek(max(min(before, size), size - _TAIL_BYTES))
                lines = log.read().decode(errors="replace").splitlines()
        except OSError:
            lines = []
        last = next((line for line in (clean_line(line, 300) for line in reversed(lines)) if line), "")
        return f"{what}: {last}" if last else f"{what}."


def _exit_status(pid: int) -> int | None:
    """The status of a child that has ended, None while it runs."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return None  # somebody else took note of its end; the time limit decides
    return os.waitstatus_to_exitcode(status) if ended else None
