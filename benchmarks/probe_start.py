"""Measures the first picture of the real chat with the question to the terminal and without it.

Rounds of all conditions take turns, so that what else the machine does falls on all alike. The terminal is a
pseudo-terminal that answers after a delay, or never. Prints milliseconds from the start of the process to the
first frame: ``python benchmarks/probe_start.py [--rounds N] [--json FILE]``.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import median_and_p99, tell

from tui_tapback.testing.home import Home

CONDITIONS: dict[str, tuple[str, float | None, bool]] = {
    # name: (profile, seconds until the terminal answers or None for never, whether the answer is known)
    "not asked": ("safe", 0.0, False),
    "known": ("auto", 0.0, True),
    "asked, answers at once": ("auto", 0.0, False),
    "asked, answers after 100 ms": ("auto", 0.1, False),
    "asked, answers after 300 ms": ("auto", 0.3, False),
    "asked, never answers": ("auto", None, False),
}
FRAME = re.compile(rb"\x1b\[\d+;\d+H[^\x1b]|\xe2\x80\xba")
"""Textual's first words; the question has none like it."""


def first_frame(home: Home, profile: str, delay: float | None) -> float:
    """Milliseconds."""
    master, slave = pty.openpty()
    started = time.monotonic()
    program = subprocess.Popen(
        [sys.executable, "-m", "tui_tapback.cli.main", "--emoji", profile],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=home.env | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "OPENAI_MODEL": "companion"},
        start_new_session=True,
    )
    os.close(slave)
    output, answered, asked_at = b"", 0, None
    try:
        while True:
            if select.select([master], [], [], 0.001)[0]:
                output += os.read(master, 65_536)
                begun = output.find(b"\x1b[?1000h")  # Textual takes the mouse: from here on it draws
                if begun >= 0 and FRAME.search(output, begun):
                    return (time.monotonic() - started) * 1000
            questions = output.count(b"\x1b[6n")
            if questions > answered and delay is not None:
                asked_at = asked_at or time.monotonic()
                if time.monotonic() - asked_at >= delay:
                    widths = b"".join(
                        b"\x1b[2;%dR" % (1 if number == 55 else 2 if number < 5 else 3)
                        for number in range(answered, questions)
                    )
                    os.write(master, widths)
                    answered = questions
            if time.monotonic() - started > 60:
                raise RuntimeError(f"no frame: {output[-500:]!r}")
    finally:
        program.send_signal(signal.SIGKILL)
        program.wait()
        os.close(master)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, help="write the result there")
    options = parser.parse_args()
    taken: dict[str, list[float]] = {name: [] for name in CONDITIONS}
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        kept = Path(home.env["TUI_TAPBACK_HOME"], "data", "terminals.json")
        try:
            first_frame(home, "auto", 0.0)  # compiles, starts the gateway
            known = kept.read_bytes()
            for _ in range(options.rounds):
                for name, (profile, delay, is_known) in CONDITIONS.items():
                    kept.unlink(missing_ok=True)
                    if is_known:
                        kept.write_bytes(known)
                    taken[name].append(first_frame(home, profile, delay))
        finally:
            home.close()
    told: dict[str, object] = {}
    base, _ = median_and_p99(sorted(taken["not asked"]))
    for name, times in taken.items():
        median, p99 = median_and_p99(sorted(times))
        told[name] = {"median": round(median), "p99": round(p99), "later by": round(median - base)}
    tell({"rounds": options.rounds, "ms": told}, options.json)


if __name__ == "__main__":
    main()
