"""From the start of a program to its first content and to a typed letter on its screen, beside its peers.

Run: ``python benchmarks/cold_start.py [--rounds N] [--peers FOLDER]``. All programs take turns in each round,
in a pseudo-terminal of 120×40 that echoes nothing itself. *First content* is the first read with a visible
sign in it; *live* the first one with the letter that is typed all the while. ``cpu`` is the processor's time
(of the program, until it was live and ended), which other work on the machine touches least.

Peers from package registries are installed into FOLDER first, each into a place of its own; what cannot be
is left out with the reason.
"""

from __future__ import annotations

import argparse
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from measuring import median_and_p99

from tui_tapback.testing.home import Home
from tui_tapback.testing.terminal import Terminal

LETTER = "ø"
PATIENCE = 25.0
SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P_][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|\x1b[()][0-9A-B]|\x1b.|[\x00-\x1f]"
)
STATIC = """
from textual.app import App
from textual.widgets import Static
class One(App):
    def compose(self):
        yield Static("first content")
One().run()
"""
AREA = """
from textual.app import App
from textual.widgets import TextArea
class Area(App):
    def compose(self):
        yield TextArea("first content")
Area().run()
"""
INK = """
import React, {useState} from 'react';
import {render, Text, useInput} from 'ink';
const Line = () => {
    const [text, setText] = useState('');
    useInput(input => setText(text + input));
    return React.createElement(Text, null, 'first content ' + text);
};
render(React.createElement(Line));
"""
PYTHON_PEERS = {"elia-chat": ("elia",), "oterm": ("oterm",), "batrachian-toad": ("toad",)}


@dataclass
class Program:
    """What is started; ``live`` False: it takes no letters, and is timed until it ends or shows something."""

    name: str
    command: Sequence[str]
    live: bool = True
    ends: bool = False
    before: Callable[[], object] = lambda: None
    first: list[float] = field(default_factory=list)
    echoed: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def start(program: Program, environ: dict[str, str]) -> None:
    """Start it once and note the times in milliseconds."""
    program.before()
    begun = time.perf_counter()
    terminal = Terminal(program.command, environ, 120, 40)
    modes = termios.tcgetattr(terminal.master)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal.master, termios.TCSANOW, modes)
    first: float | None = None
    echoed: float | None = None
    seen, typed_at = b"", 0.0
    while (now := time.perf_counter()) - begun < PATIENCE and echoed is None:
        if program.ends and terminal.process.poll() is not None:
            first = (now - begun) * 1e3
            break
        if program.live and now - typed_at > 0.03:
            typed_at = now
            os.write(terminal.master, LETTER.encode())
        if not select.select([terminal.master], [], [], 0.001 if program.ends else 0.01)[0]:
            continue
        try:
            seen += os.read(terminal.master, 1 << 16)
        except OSError:  # it has ended
            first = (time.perf_counter() - begun) * 1e3 if program.ends else first
            break
        shown = SEQUENCE.sub("", seen.decode(errors="replace"))
        now = time.perf_counter()
        if first is None and shown.strip():
            first = (now - begun) * 1e3
            if not program.live and not program.ends:
                break
        if program.live and LETTER in shown:
            echoed = (now - begun) * 1e3
    if terminal.process.poll() is None:
        terminal.process.send_signal(signal.SIGKILL)
    _, _, used = os.wait4(terminal.process.pid, 0) if terminal.process.returncode is None else (0, 0, None)
    os.close(terminal.master)
    if first is not None:
        program.first.append(first)
    if echoed is not None:
        program.echoed.append(echoed)
    if used is not None:
        program.cpu.append((used.ru_utime + used.ru_stime) * 1e3)


def installed(folder: Path) -> list[Program]:
    """The peers that can be had."""
    programs: list[Program] = []
    for name, command in PYTHON_PEERS.items():
        place = folder / name
        binary = place / "bin" / command[0]
        if not binary.exists():
            subprocess.run([sys.executable, "-m", "venv", place], check=True)
            done = subprocess.run(
                [place / "bin" / "pip", "-q", "install", name], capture_output=True, text=True, check=False
            )
            if done.returncode or not binary.exists():
                reason = next(iter(reversed(done.stderr.strip().splitlines())), "no such command")
                needs = re.search(r"Requires-Python (\S+)", done.stderr)
                why = f"needs Python {needs[1].rstrip(';')}" if needs else reason[:90]
                print(f"left out: {name} ({why})")
                continue
        programs.append(Program(name, (str(binary), *command[1:])))
    for name, command in {"weechat": ("weechat", "-t"), "irssi": ("irssi",)}.items():
        if shutil.which(name):
            programs.append(Program(name, command))
        else:
            print(f"left out: {name} (not installed)")
    place = folder / "ink"
    if shutil.which("npm") and not (place / "node_modules" / "ink").exists():
        place.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "ink", "react"], cwd=place, check=False)
    if (place / "node_modules" / "ink").exists():
        (place / "app.mjs").write_text(INK)
        programs.append(Program("Ink, one line", ("node", str(place / "app.mjs"))))
    else:
        print("left out: Ink (npm cannot install it here)")
    return programs


def ours(home: Home, environ: dict[str, str]) -> list[Program]:
    """The chat with its gateway running, and with one that must be started first; with and without replay."""
    code = "import sys; from tui_tapback.cli.launch import main; sys.argv = ['tui-tapback']; sys.exit(main())"
    chat = (sys.executable, "-c", code)
    kept = Path(home.env["TUI_TAPBACK_HOME"]) / "data" / "last-frame"
    first = Terminal(chat, environ, 120, 40)
    first.wait_for("online")
    first.press("hello\r")
    first.wait(lambda text: "good manners" in text and "Esc stop" not in text, "the answer")
    first.press("\x11")
    first.wait_exit()
    first.close()
    frame = kept.read_bytes()

    def keep() -> None:
        kept.touch(0o600)  # one that others may read is not shown
        kept.write_bytes(frame)

    def alone() -> None:
        for pid in home.gateway_pids():
            os.kill(pid, signal.SIGKILL)
        while home.gateway_pids():
            time.sleep(0.01)
        keep()

    def running() -> None:
        keep()
        if not home.gateway_pids():
            terminal = Terminal(chat, environ, 100, 40)
            terminal.wait_for("online")
            terminal.close()

    def unknown() -> None:
        running()
        kept.unlink()

    return [
        Program("ours, gateway running", chat, before=running),
        Program("ours, gateway to be started", chat, before=alone),
        Program("ours, no last frame", chat, before=unknown),
    ]


def told(values: list[float]) -> str:
    if not values:
        return f"{'–':>8} {'–':>8}"
    p50, p99 = median_and_p99(sorted(values))
    return f"{p50:8.0f} {p99:8.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peers", type=Path, default=Path("~/.cache/tui-tapback-benchmarks").expanduser())
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
        # This terminal answers no question; a real one has answered at an earlier start.
        environ = home.env | {"TUI_TAPBACK_EMOJI": "safe"}
        python = sys.executable
        programs = [
            Program("python -c pass", (python, "-c", "pass"), live=False, ends=True),
            Program("import textual.app", (python, "-c", "import textual.app"), live=False, ends=True),
            Program("Textual, one Static", (python, "-c", STATIC), live=False),
            Program("Textual, one TextArea", (python, "-c", AREA)),
            *ours(home, environ),
            *installed(given.peers),
        ]
        for _ in range(given.rounds):
            for program in programs:
                start(program, environ)
        home.close()
    area = next(p for p in programs if p.name == "Textual, one TextArea")
    print(
        f"{'ms':<28} {'first':>8} {'p99':>8} {'live':>8} {'p99':>8} {'cpu':>8} {'p99':>8}  live × TextArea's"
    )
    floor = median_and_p99(sorted(area.echoed))[0]
    for program in programs:
        ratio = ""
        if program.echoed:
            ratio = f"{median_and_p99(sorted(program.echoed))[0] / floor:.2f}"
        print(f"{program.name:<28} {told(program.first)} {told(program.echoed)} {told(program.cpu)}  {ratio}")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {time.strftime('%Y-%m-%d %H:%M')}")


if __name__ == "__main__":
    main()
