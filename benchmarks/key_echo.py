"""A typed letter beside a bare TextArea, and the pill beside a popup of the Line API: key to painted frame.

Run: ``python benchmarks/key_echo.py [--keys N]``. The real chat with its gateway, and Textual apps of one
widget, in pseudo-terminals of 120×40, pressed in turn in the same rounds. A press counts until the read that
brings what it stands for. ``cpu`` is the processor's time of the program for each key, which other work on
the machine touches least.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from measuring import median_and_p99

from tui_tapback.testing.home import Home
from tui_tapback.testing.terminal import Terminal

LETTER, ERASE = "ø", "\x7f"
POPUP = "╭─popup"
LIMIT = "import signal; signal.alarm(1800)"
"""Textual reads on for ever where a benchmark that was cut off has taken its terminal away."""
AREA = f"""
{LIMIT}
from textual.app import App
from textual.widgets import TextArea
class Area(App):
    def compose(self):
        yield TextArea("first content ")
Area().run()
"""
OVERLAY = f"""
{LIMIT}
from rich.segment import Segment
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
class Lines(Widget, can_focus=True):
    rows = [Strip([Segment(str(n).ljust(120, "."))], 120) for n in range(40)]
    box = [Strip([Segment("{POPUP}".ljust(30, "─"))], 30)] * 4
    shown = False
    def render_lines(self, crop):
        lines = self.rows[:]
        if self.shown:
            for y in range(4):
                lines[10 + y] = Strip.join([lines[0].crop(0, 20), self.box[y], lines[0].crop(50, 120)])
        return [line.crop(crop.x, crop.right) for line in lines[crop.y:crop.bottom]]
    def on_key(self, event):
        self.shown = not self.shown
        self.refresh(Region(20, 10, 30, 4))
class Popup(App):
    def compose(self):
        yield Lines()
Popup().run()
"""


@dataclass
class Racer:
    """A program, its key, what shows that the key has arrived, and the key that undoes it."""

    name: str
    terminal: Terminal
    key: str
    awaited: str
    undo: str
    taken: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])

    def press(self) -> None:
        """Time one key, then undo it."""
        self.rest()
        fd, seen, before = self.terminal.master, b"", self.used()
        start = time.perf_counter()
        os.write(fd, self.key.encode())
        while self.awaited.encode() not in seen:
            if not select.select([fd], [], [], 5)[0]:
                raise SystemExit(f"{self.name}: nothing came within five seconds of pressing {self.key!r}")
            seen += os.read(fd, 1 << 16)
        self.taken.append((time.perf_counter() - start) * 1e3)
        self.rest()
        self.cpu.append(self.used() - before)
        os.write(fd, self.undo.encode())
        time.sleep(0.15)  # an Esc is one only when nothing follows it
        self.rest()

    def rest(self) -> None:
        """Read until nothing comes for a while."""
        while select.select([self.terminal.master], [], [], 0.03)[0]:
            os.read(self.terminal.master, 1 << 16)

    def used(self) -> float:
        """Milliseconds of the processor so far, of all threads."""
        tasks = Path(f"/proc/{self.terminal.process.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e6


def textual(code: str, home: Home, frames: str, ready: Callable[[str], object]) -> Terminal:
    terminal = Terminal([sys.executable, "-c", code], home.env | {"TEXTUAL_FPS": frames}, 120, 40)
    terminal.wait(ready, "the first frame")
    return terminal


def reading(home: Home) -> Terminal:
    """A chat in which the answer is selected."""
    chat = home.chat(columns=120, lines=40)
    chat.wait_for("online")
    chat.press("hello\r")
    chat.wait(lambda text: "👋" in text and "Esc stop" not in text, "the answer")
    chat.settle(1.0)
    return chat


def race(title: str, racers: list[Racer], keys: int) -> None:
    for _ in range(keys):
        for racer in racers:
            racer.press()
    print(title)
    floor = median_and_p99(sorted(racers[0].taken))[0]
    for racer in racers:
        (p50, p99), (cpu, _) = median_and_p99(sorted(racer.taken)), median_and_p99(sorted(racer.cpu))
        print(
            f"  {racer.name:<36} p50 {p50:6.2f}  p99 {p99:6.2f}  cpu {cpu:5.2f} ms  × {p50 / floor:.2f}"
            f"  ({len(racer.taken)})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=100)
    keys = parser.parse_args().keys
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        writing, chosen = reading(home), home.chat(columns=120, lines=40)
        chosen.wait_for("online")
        chosen.settle(1.0)
        chosen.press("\x1b[1;3A")  # from writing to reading
        chosen.settle(0.5)
        area = [textual(AREA, home, fps, lambda text: "first content" in text) for fps in ("60", "240")]
        popup = [textual(OVERLAY, home, fps, lambda text: "39......" in text) for fps in ("60", "240")]
        race(
            "a letter typed",
            [
                Racer("bare TextArea, as it comes", area[0], LETTER, LETTER, ERASE),
                Racer("bare TextArea at 240 frames", area[1], LETTER, LETTER, ERASE),
                Racer("ours", writing, LETTER, LETTER, ERASE),
            ],
            keys,
        )
        race(
            "something small opened over the messages",
            [
                Racer("popup by the Line API, as it comes", popup[0], "p", POPUP, "p"),
                Racer("popup by the Line API at 240 frames", popup[1], "p", POPUP, "p"),
                Racer("ours, the pill", chosen, "r", "👍", "\x1b"),
            ],
            keys,
        )
        for peer in (*area, *popup):  # Textual would read on without a terminal
            peer.close()
        home.close()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {time.strftime('%Y-%m-%d %H:%M')}")


if __name__ == "__main__":
    main()
