"""Measures the first picture of the real chat with the question to the terminal and without it.

Rounds of all conditions take turns, so that what else the machine does falls on all alike. The terminal is a
pseudo-terminal that answers after a delay, or never. Prints milliseconds from the start of the process to the
first frame, which a busy machine scatters widely, and those of them that are spent on the question alone: to
write it, and to wait for what is missing when all is imported.
``python benchmarks/probe_start.py [--rounds N] [--json FILE]``.
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


ALONE = """
import os, sys, time
from pathlib import Path
from tui_tapback.terminal.start import Acquaintance
began = time.perf_counter()
with Acquaintance(os.environ, sys.argv[1], Path(sys.argv[2]), lambda keys: None) as terminal:
    asked = time.perf_counter()
    import tui_tapback.app.app
    loaded = time.perf_counter()
    terminal.choose()
    chosen = time.perf_counter()
Path(sys.argv[3]).write_text(str(1000 * (asked - began + chosen - loaded)))
"""
"""The start of the chat without the chat, as ``cli/chat.py`` has it."""


def question_alone(home: Home, profile: str, delay: float | None) -> float:
    """Milliseconds."""
    told, data = home.folder / "told", Path(home.env["TUI_TAPBACK_HOME"], "data")
    at_terminal(home, ["-c", ALONE, profile, str(data), str(told)], delay, frames=False)
    return float(told.read_text("utf-8"))


def first_frame(home: Home, profile: str, delay: float | None) -> float:
    """Milliseconds."""
    return at_terminal(home, ["-m", "tui_tapback.cli.main", "--emoji", profile], delay, frames=True)


def at_terminal(home: Home, arguments: list[str], delay: float | None, *, frames: bool) -> float:
    """Run Python until the first frame, or to its end; milliseconds."""
    master, slave = pty.openpty()
    started = time.monotonic()
    program = subprocess.Popen(
        [sys.executable, *arguments],
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
                try:
                    output += os.read(master, 65_536)
                except OSError:  # it has ended
                    return (time.monotonic() - started) * 1000
                begun = output.find(b"\x1b[?1000h")  # Textual takes the mouse: from here on it draws
                if frames and begun >= 0 and FRAME.search(output, begun):
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
    alone: dict[str, list[float]] = {name: [] for name in CONDITIONS}
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        kept = Path(home.env["TUI_TAPBACK_HOME"], "data", "terminals.json")
        try:
            first_frame(home, "auto", 0.0)  # compiles, starts the gateway
            known = kept.read_bytes()
            for _ in range(options.rounds):
                for name, (profile, delay, is_known) in CONDITIONS.items():
                    for times, measure in ((taken, first_frame), (alone, question_alone)):
                        kept.unlink(missing_ok=True)
                        if is_known:
                            kept.write_bytes(known)
                        times[name].append(measure(home, profile, delay))
        finally:
            home.close()
    told: dict[str, object] = {}
    for name in CONDITIONS:
        frame, question = (median_and_p99(sorted(times[name])) for times in (taken, alone))
        told[name] = {
            "first frame": {"median": round(frame[0]), "p99": round(frame[1])},
            "question alone": {"median": round(question[0], 1), "p99": round(question[1], 1)},
        }
    tell({"rounds": options.rounds, "ms": told}, options.json)


if __name__ == "__main__":
    main()
