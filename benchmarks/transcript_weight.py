"""What a long chat weighs: memory by length, resizing, dropped frames, and the first sight of a huge answer.

Run: ``python benchmarks/transcript_weight.py``. Memory and streaming are those of ``transcript_app.py`` in a
pseudo-terminal of 120×40; resizing and the huge answer are CPU time in a headless app, as in transcript.py.
"""

from __future__ import annotations

import asyncio
import os
import select
import tempfile
import time
from functools import partial
from pathlib import Path

from measuring import median_and_p99, timed
from transcript_app import ANSWER, corpus
from transcript_peers import Program, finish, ours

from tui_tapback.testing.conversation import agent
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.transcript_host import TranscriptHost

SIZE = (120, 40)
HELD = 300
HUGE = 200_000  # characters
PACE = 30.0  # frames a second of a growing answer


def read_up(program: Program, pages: int) -> None:
    """Go that far up, as a reader does, so that pages are asked for and let go again."""
    for _ in range(pages):
        program.press("page", "\x1b[5~")


def memory(folder: Path) -> None:
    """Resident megabytes with a short and a very long chat, just opened and after much reading."""
    weights: dict[int, tuple[float, float]] = {}
    for count in (100, 10_000, 100_000):
        program = ours(count, folder, "--held", str(HELD), name="weight")
        read_up(program, 3)
        opened = program.memory
        read_up(program, 120)
        weights[count] = (opened, program.memory)
        finish(program)
    for count, (opened, later) in weights.items():
        print(
            f"{count:>8,} messages, paged: {opened:6.1f} MB opened, {later:6.1f} MB after 120 pages"
            f"  ({opened - weights[100][0]:+.1f}, {later - weights[100][1]:+.1f})"
        )


def frames(rate: int, folder: Path) -> None:
    """How many of the frames that are due come, and how many bytes each takes, while nothing is pressed."""
    program = ours(10_000, folder, "--held", str(HELD), "--stream", str(rate), name=f"frames {rate}")
    report = folder / f"frames_{rate}_10000.json"
    sizes: list[int] = []
    begun, fd = time.perf_counter(), program.terminal.master
    while not report.exists():
        size = 0
        while select.select([fd], [], [], 0.05 if not size else 0.004)[0]:
            size += len(os.read(fd, 1 << 16))
        if size:
            sizes.append(size)
    seconds = time.perf_counter() - begun
    due = min(PACE, rate) * seconds
    middle, most = median_and_p99(sorted(sizes))
    dropped = max(0.0, 1 - len(sizes) / due)
    print(f"{rate} tokens a second: {len(sizes) / seconds:.1f} frames a second, {dropped:.0%} dropped")
    print(f"  {middle / 1e3:.1f} kB a frame (p99 {most / 1e3:.1f}), {sum(sizes) / seconds / 1e3:.0f} kB/s")
    print(f"  {report.read_text()}")
    finish(program)


async def resizing(count: int) -> None:
    """From the new size to composed lines."""
    app = TranscriptHost()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.show_session("x", corpus(0, count))
        await settle(pilot)
        taken: list[float] = []
        for number in range(20):
            start = time.process_time()
            await pilot.resize_terminal(100 + number % 2 * 15, 40)
            await settle(pilot)
            taken.append((time.process_time() - start) * 1e3)
        p50, p99 = median_and_p99(sorted(taken))
        print(f"{count:>8,} messages, resized: p50 {p50:.1f} ms  p99 {p99:.1f} ms")


async def huge() -> None:
    """A finished answer of 200 kB, opened at its end, then looked at from its beginning."""
    text = "\n\n".join(f"## Part {n}\n\n{ANSWER}" for n in range(HUGE // (len(ANSWER) + 14)))
    for name, body in {
        "paragraphs and lists": text,
        "one code block": f"```python\n{'x = 1  # one' * 9}\n" + "print(x)\n" * (HUGE // 9) + "```",
    }.items():
        app = TranscriptHost()
        async with app.run_test(size=SIZE) as pilot:
            await settle(pilot)
            messages, transcript = [*corpus(0, 100), agent("huge", body)], app.transcript
            opened = await timed(pilot, [partial(transcript.show_session, "x", messages)])
            paged = await timed(pilot, [transcript.page_up] * 40)
        print(
            f"{len(body):,} characters, {name}: first sight {opened[0]:.0f} ms, a page up {paged[20]:.1f} ms"
        )


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        memory(Path(folder))
        for rate in (50, 200):
            frames(rate, Path(folder))
    for count in (100, 10_000):
        await resizing(count)
    await huge()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {time.strftime('%Y-%m-%d %H:%M')}")


if __name__ == "__main__":
    asyncio.run(main())
