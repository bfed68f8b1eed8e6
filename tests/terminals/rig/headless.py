"""Runs a command at an emulator, reads the real cells when a screen is meant, and compares the borders."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from emulators import Cells, Emulator

from tui_tapback.terminal.anchoring import needs_anchor

COLUMNS, LINES = 100, 40


def run_at(
    emulator: Emulator, command: Sequence[str], environ: Mapping[str, str], folder: Path, deadline: float
) -> int:
    """The exit status of ``command``. For each ``NAME.meant.json`` in ``folder`` it writes
    ``NAME.real.json``, the cells, and ``NAME.read.json``, the differences."""
    master, slave = pty.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    command = ["setsid", "--ctty", *command]  # the tap opens /dev/tty
    program = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=dict(environ))
    os.close(slave)
    end = time.monotonic() + deadline
    try:
        while _pump(emulator, master) or program.poll() is None:
            _read(emulator, folder)
            if time.monotonic() > end:
                raise TimeoutError("the command does not end")
    finally:
        program.kill()
        program.wait()
        os.close(master)
        emulator.close()
    return program.returncode


def _pump(emulator: Emulator, master: int) -> bool:
    """Draw what there is; False where nothing came for a while."""
    if not select.select([master], [], [], 0.05)[0]:
        return False
    try:
        data = os.read(master, 65_536)
    except OSError:
        return False
    answers = emulator.feed(data)
    while answers:
        answers = answers[os.write(master, answers) :]
    return bool(data)


def _read(emulator: Emulator, folder: Path) -> None:
    for meant in folder.glob("*.meant.json"):
        read = meant.with_name(meant.name.replace(".meant.", ".read."))
        if not read.exists() and (cells := emulator.cells()):
            meant.with_name(meant.name.replace(".meant.", ".real.")).write_text(json.dumps(cells), "utf-8")
            wrong = differences(json.loads(meant.read_text("utf-8")), cells)
            part = read.with_suffix(".part")
            part.write_text(json.dumps(wrong), "utf-8")
            part.rename(read)


def is_border(cell: str) -> bool:
    """Whether a cell holds a line of a box."""
    return len(cell) == 1 and "─" <= cell <= "╿"


def differences(meant: Cells, real: Cells) -> list[tuple[int, int, str, str]]:
    """Cells (row and column from 1) that differ: a border is meant or stands there, or just one is blank.

    What is blank and should not be was never painted; what is not and should be was left behind. The real
    screen may have more rows: the status line of a multiplexer. Within words of which terminals disagree only
    borders count.
    """
    return [
        (y + 1, x + 1, wanted, found)
        for y, (ours, theirs) in enumerate(zip(meant, real[: len(meant)], strict=True))
        for strict in (not needs_anchor("".join(ours)),)
        for x, (wanted, found) in enumerate(zip(ours, theirs, strict=True))
        if wanted != found
        and (is_border(wanted) or is_border(found) or (strict and _one_is_blank(wanted, found)))
    ]


def _one_is_blank(wanted: str, found: str) -> bool:
    """The second half of a wide character counts as neither: where it is pinned it is a blank cell."""
    return " " in (wanted, found) and "" not in (wanted, found)
