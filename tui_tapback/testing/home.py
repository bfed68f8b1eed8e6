"""A private ``TUI_TAPBACK_HOME`` with the chats and the gateway that live in it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .terminal import Terminal

NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
"""Nothing of a test goes into the keyring of the person who runs it."""


class Home:
    """Starts programs in a home of their own and ends them all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._terminals: list[Terminal] = []

    @property
    def env(self) -> dict[str, str]:
        """An environment in which nothing of the person who runs the tests is left."""
        kept = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL", "TERM", "TZ") if key in os.environ}
        return (
            kept | {"HOME": str(self.folder), "TUI_TAPBACK_HOME": str(self.folder / "tapback")} | NO_KEYRING
        )

    def run(self, command: Sequence[str], columns: int = 100, lines: int = 30) -> Terminal:
        """Run ``command`` in a pseudo-terminal."""
        terminal = Terminal(command, self.env, columns, lines)
        self._terminals.append(terminal)
        return terminal

    def chat(self, *arguments: str, columns: int = 100, lines: int = 30) -> Terminal:
        """Run the chat of this checkout."""
        return self.run([sys.executable, "-m", "tui_tapback.cli.main", *arguments], columns, lines)

    def gateway_pids(self) -> list[int]:
        """This home's gateway processes, known by their environment, so that no other one is ever touched."""
        mark = f"TUI_TAPBACK_HOME={self.env['TUI_TAPBACK_HOME']}".encode()
        return [pid for pid, environ in _gateways() if mark in environ.split(b"\0")]

    def kill_gateway(self) -> None:
        """``kill -9`` the one gateway of this home. Raises AssertionError where there is not just one."""
        pids = self.gateway_pids()
        if len(pids) != 1:
            raise AssertionError(f"expected one gateway, found {pids}")
        os.kill(pids[0], signal.SIGKILL)

    def close(self) -> None:
        """End every program started here."""
        for terminal in self._terminals:
            terminal.close()
        for pid in self.gateway_pids():
            os.kill(pid, signal.SIGKILL)


def _gateways() -> Iterator[tuple[int, bytes]]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"tui_tapback.gateway.main" in (folder / "cmdline").read_bytes():
                yield int(folder.name), (folder / "environ").read_bytes()
        except OSError:
            continue  # it ended meanwhile, or belongs to somebody else
