"""From the key to the painted frame, in a pseudo-terminal, beside irssi and weechat in the same run.

Run: ``python benchmarks/transcript_peers.py [--keys N] [COUNT …]`` with irssi and weechat installed (what is
missing is left out and said so). All programs hold COUNT messages of the same texts and get the same key in
turn, so that they see the same noise of the machine. A frame ends with the last byte before 25 ms of silence.
Afterwards an answer streams into 10,000 messages while keys are pressed.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measuring import median_and_p99
from transcript_app import corpus

from tui_tapback.testing.terminal import Terminal

QUIET = 0.025
HERE = Path(__file__).parent
LINE_KEYS = ("\x1bk", "\x1bj")
"""Bound to a line up and down in the programs that have no such key."""
KEYS = {"line up": "line-up", "line down": "line-down", "page up": "\x1b[5~", "page down": "\x1b[6~"}


class Program:
    """A program in a terminal; ``line`` are its keys for a line up and down, "" where it has none."""

    def __init__(self, name: str, terminal: Terminal, line: tuple[str, str] = ("", "")) -> None:
        self.name, self.terminal, self.line = name, terminal, line
        self.taken: dict[str, list[float]] = {}

    def press(self, what: str, key: str) -> int:
        """Time one key; gives the bytes of its frame."""
        fd = self.terminal.master
        while select.select([fd], [], [], 0)[0]:
            os.read(fd, 1 << 16)
        start = last = time.perf_counter()
        os.write(fd, key.encode())
        size = 0
        while select.select([fd], [], [], 0.5 if not size else QUIET)[0]:
            size += len(os.read(fd, 1 << 16))
            last = time.perf_counter()
        if size:
            self.taken.setdefault(what, []).append((last - start) * 1e3)
        return size

    @property
    def memory(self) -> float:
        """Resident megabytes."""
        status = Path(f"/proc/{self.terminal.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def told(self) -> str:
        """A line for each kind of key."""
        lines: list[str] = []
        for what, taken in self.taken.items():
            p50, p99 = median_and_p99(sorted(taken))
            lines.append(f"  {self.name:<28} {what:<10} p50 {p50:6.2f}  p99 {p99:6.2f}  ({len(taken)})")
        return "\n".join(lines)


def environment(home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8",
        "TEXTUAL_FPS": "240", "COLORTERM": "truecolor",
    }  # fmt: skip


def texts(count: int, folder: Path) -> Path:
    file = folder / f"lines_{count}.txt"
    if not file.exists():
        file.write_text("".join(m.text.replace("\n", " ") + "\n" for m in corpus(0, count)))
    return file


def ours(count: int, folder: Path, *more: str, name: str) -> Program:
    report = folder / f"{name.replace(' ', '_')}_{count}.json"
    command = [sys.executable, str(HERE / "transcript_app.py"), str(count), *more, "--report", str(report)]
    terminal = Terminal(command, environment(folder), 120, 40)
    ready = report.with_suffix(".ready")
    drained(terminal, ready.exists)
    return Program(name, terminal, ("j", "k"))


def drained(terminal: Terminal, done: Callable[[], bool], deadline: float = 120) -> None:
    """Read what a program prints until a condition holds."""
    end = time.monotonic() + deadline
    while not done():
        if time.monotonic() > end:
            raise SystemExit("a program was not ready in time")
        if select.select([terminal.master], [], [], 0.05)[0]:
            os.read(terminal.master, 1 << 16)


def quiet(terminal: Terminal, seconds: float, deadline: float = 120) -> None:
    """Read until nothing comes for a while."""
    end = time.monotonic() + deadline
    while time.monotonic() < end and select.select([terminal.master], [], [], seconds)[0]:
        os.read(terminal.master, 1 << 16)


def irssi(count: int, folder: Path) -> Program:
    home = folder / f"irssi{count}"
    home.mkdir()
    terminal = Terminal(["irssi", "--home", str(home)], environment(folder), 120, 40)
    quiet(terminal, 1.0)
    orders = (
        *("/set scrollback_lines 0", "/set scrollback_time 0", f"/cat {texts(count, folder)}"),
        *("/bind meta-k command scrollback goto -1", "/bind meta-j command scrollback goto +1"),
    )
    for order in (f"{order}\r" for order in orders):
        terminal.press(order)
        quiet(terminal, 1.5)
    return Program("irssi", terminal, LINE_KEYS)


def weechat(count: int, folder: Path) -> Program:
    home, done = folder / f"weechat{count}", folder / f"weechat{count}.done"
    (home / "python" / "autoload").mkdir(parents=True)
    (home / "python" / "autoload" / "fill.py").write_text(
        "import weechat as w\n"
        'w.register("fill", "x", "1", "x", "x", "", "")\n'
        'w.command("", "/set weechat.history.max_buffer_lines_number 0")\n'
        'w.command("", "/key bind meta-k /window scroll -1")\n'
        'w.command("", "/key bind meta-j /window scroll +1")\n'
        "def go(d, r):\n"
        f'    for l in open("{texts(count, folder)}"): w.prnt("", l.rstrip("\\n"))\n'
        f'    open("{done}", "w").close()\n'
        "    return w.WEECHAT_RC_OK\n"
        'w.hook_timer(300, 0, 1, "go", "")\n'
    )
    terminal = Terminal(["weechat", "-d", str(home)], environment(folder), 120, 40)
    drained(terminal, done.exists)
    quiet(terminal, 1.0)
    return Program("weechat", terminal, LINE_KEYS)


def race(count: int, keys: int, folder: Path) -> None:
    programs = [
        ours(count, folder, "--held", "300", name="ours, paged"),
        ours(count, folder, name="ours, all of it held"),
        ours(count, folder, "--bare", name="Textual, finished lines"),
        *(start(count, folder) for name, start in PEERS.items() if shutil.which(name)),
    ]
    for what, key in KEYS.items():
        for _ in range(keys):
            for program in programs:
                if what.startswith("line"):
                    key_now = program.line[what == "line down"]
                    if not key_now:
                        continue
                else:
                    key_now = key
                program.press(what, key_now)
    print(f"{count:,} messages")
    for program in programs:
        print(program.told())
        print(f"  {program.name:<28} {program.memory:.0f} MB")
        finish(program)


PEERS: dict[str, Callable[[int, Path], Program]] = {"irssi": irssi, "weechat": weechat}


def finish(program: Program) -> None:
    program.terminal.process.kill()
    program.terminal.process.wait()
    os.close(program.terminal.master)


def stream(rate: int, folder: Path) -> None:
    """Keys while an answer streams into 10,000 messages."""
    name = f"streaming {rate}"
    program = ours(10_000, folder, "--held", "300", "--stream", str(rate), name=name)
    report = folder / f"streaming_{rate}_10000.json"
    size, begun, fd = 0, time.perf_counter(), program.terminal.master
    taken: list[float] = []
    while not report.exists():
        start = time.perf_counter()
        os.write(fd, b"jk"[len(taken) % 2 : len(taken) % 2 + 1])
        seen = b""
        while select.select([fd], [], [], 0.02)[0]:
            part = os.read(fd, 1 << 16)
            if not seen:
                taken.append((time.perf_counter() - start) * 1e3)
            seen += part
            if time.perf_counter() - start > 0.1:
                break
        size += len(seen)
    seconds = time.perf_counter() - begun
    p50, p99 = median_and_p99(sorted(taken))
    print(f"streaming {rate} tokens a second into 10,000: {json.loads(report.read_text())}")
    rate_now = size / seconds / 1e3
    print(f"  first byte after a key: p50 {p50:.2f}  p99 {p99:.2f} ({len(taken)}), {rate_now:.1f} kB/s")
    finish(program)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", type=int, nargs="*")
    parser.add_argument("--keys", type=int, default=100)
    given = parser.parse_args()
    for missing in (name for name in PEERS if not shutil.which(name)):
        print(f"{missing} is not installed: left out")
    with tempfile.TemporaryDirectory() as folder:
        for count in given.counts or [1_000, 10_000, 100_000]:
            race(count, given.keys, Path(folder))
        for rate in (50, 200):
            stream(rate, Path(folder))


if __name__ == "__main__":
    main()
