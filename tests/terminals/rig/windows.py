"""Terminals with a window, on a display that nobody sees."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
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


_AT_SIZE = 'until [ "$(stty size)" = "$0" ]; do sleep 0.1; done; exec "$@"'
"""foot gets its size from the compositor only after its program has started."""


@contextlib.contextmanager
def wayland(display: str, folder: Path) -> Generator[dict[str, str]]:
    """A Wayland compositor in a window of ``display``, with a keyboard, without which foot does not start."""
    runtime = Path(tempfile.mkdtemp(prefix="rig-"))  # a socket's name must be short
    environ = {"XDG_RUNTIME_DIR": str(runtime), "WAYLAND_DISPLAY": "rig"}
    command = ["weston", "--backend=x11-backend.so", "--use-pixman", "--no-config", "--idle-time=0"]
    with (folder / "weston.log").open("wb") as log:
        server = subprocess.Popen(
            [*command, "--socket=rig", "--width=1500", "--height=1100"],
            env=os.environ | environ | {"DISPLAY": display},
            stdout=log,
            stderr=log,
        )
        try:
            end = time.monotonic() + 30
            while not (runtime / "rig").exists() and server.poll() is None and time.monotonic() < end:
                time.sleep(0.1)
            yield environ
        finally:
            server.terminate()
            server.wait(20)
            shutil.rmtree(runtime, ignore_errors=True)


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
        case "foot":
            size = f"{lines} {columns}"
            options = ["--config=/dev/null", "--font=monospace:size=6", "-W", f"{columns}x{lines}"]
            return ["foot", *options, "sh", "-c", _AT_SIZE, size, *command]
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
        with (
            wayland(display, folder)
            if name == "foot"
            else contextlib.nullcontext(dict[str, str]()) as compositor
        ):
            return _run(opened, {**environ, **more, **compositor}, log.fileno(), deadline)


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
