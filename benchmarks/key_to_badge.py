"""From the key to the badge: the real program and gateway in a pseudo-terminal, a bare echo as the floor.

Run: ``python benchmarks/key_to_badge.py [--keys N]``. Each round presses a digit on the floor and on the chat
in turn, so that both see the same noise of the machine. A press counts until the read that brings the badge.
Prints median and p99 in milliseconds, and the ratio of the medians.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
import tempfile
import time
from pathlib import Path

from measuring import median_and_p99

from tui_tapback.testing.home import Home
from tui_tapback.testing.terminal import Terminal

ECHO = """
import os, sys, tty
tty.setraw(0)
os.write(1, b"ready")
while (data := os.read(0, 64)) != b"q":
    os.write(1, b"echo:" + data)
"""
BADGES = {"2": "👍", "3": "👎"}


def press(terminal: Terminal, key: str, awaited: str) -> float:
    """Milliseconds from the key to the first read that holds ``awaited``."""
    terminal.pump(0)
    seen = b""
    start = time.perf_counter()
    os.write(terminal.master, key.encode())
    while awaited.encode() not in seen:
        if not select.select([terminal.master], [], [], 5)[0]:
            raise SystemExit(f"nothing came within five seconds of pressing {key!r}")
        seen += os.read(terminal.master, 1 << 16)
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=200)
    count = parser.parse_args().keys
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        floor = home.run([sys.executable, "-c", ECHO])
        floor.wait_for("ready")
        chat = home.chat(columns=120, lines=40)
        chat.wait_for("online")
        chat.press("hello\r")
        chat.wait(lambda text: "👋" in text and "Esc stop" not in text, "the answer")
        chat.settle(1.0)
        chat.press("\x1b")
        chat.settle()
        echo: list[float] = []
        badge: list[float] = []
        for number in range(count):
            key = "23"[number % 2]
            echo.append(press(floor, key, "echo:" + key))
            badge.append(press(chat, key, BADGES[key]))
            time.sleep(0.05)  # a person's pause; lets the acknowledgement be drawn
        home.close()
    (floor_median, floor_p99), (median, p99) = median_and_p99(sorted(echo)), median_and_p99(sorted(badge))
    print(f"bare echo in Python   p50 {floor_median:6.2f} ms   p99 {floor_p99:6.2f} ms")
    print(f"digit to badge        p50 {median:6.2f} ms   p99 {p99:6.2f} ms   ({count} presses)")
    print(f"ratio of the medians  {median / floor_median:.1f}")


if __name__ == "__main__":
    main()
