"""Terminals with a window, on a display that nobody sees."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

RIG = Path(__file__).parent
SYSTEM_PYTHON = "/usr/bin/python3"
"""The one that has the bindings of GTK and VTE, which no package index offers ready made."""


@contextlib.contextmanager
def x_display(log: Path) -> Generator[str]:
    """A virtual X display; its number is chosen by the server."""
    reading, writing = os.pipe()
    with log.open("wb") as file:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
            pass_fds=[writing], stdout=file, stderr=file,
        )  # fmt: skip
        os.close(writing)
        try:
            with os.fdopen(reading, "rb") as number:
                yield f":{number.readline().decode().strip()}"
        finally:
            server.terminate()
            server.wait(20)


def window_command(name: str, columns: int, lines: int, command: Sequence[str]) -> list[str]:
    """What opens terminal ``name`` with ``command`` in it and ends with it."""
    match name:
        case "xterm":
            return ["xterm", "-u8", "-geometry", f"{columns}x{lines}", "-e", *command]
        case "xterm-cjk":
            return ["xterm", "-u8", "-cjk_width", "-geometry", f"{columns}x{lines}", "-e", *command]
        case "vte":
            return [SYSTEM_PYTHON, str(RIG / "vte-window"), str(columns), str(lines), *command]
        case "kitty":
            size = [f"initial_window_width={columns}c", f"initial_window_height={lines}c"]
            options = [
                f"--override={each}" for each in ("remember_window_size=no", *size, "update_check_interval=0")
            ]
            return ["kitty", "--config=NONE", *options, *command]
        case _:
            raise ValueError(f"no such terminal: {name}")


def run_in_window(
    name: str,
    command: Sequence[str],
    environ: Mapping[str, str],
    size: tuple[int, int],
    folder: Path,
    deadline: float,
) -> int:
    """The exit status of the terminal."""
    opened = window_command(name, *size, command)
    with (folder / "window.log").open("wb") as log, x_display(folder / "display.log") as display:
        more = {
            "DISPLAY": display,
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "GDK_BACKEND": "x11",
            "NO_AT_BRIDGE": "1",
        }
        return _run(opened, {**environ, **more}, log.fileno(), deadline)


def _run(command: Sequence[str], environ: Mapping[str, str], log: int, deadline: float) -> int:
    return subprocess.run(
        command,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        check=False,
        timeout=deadline,
    ).returncode
