"""What the benchmarks share: rounds in a headless app by CPU time, median and p99, a file with figures."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_lines


async def timed(pilot: Pilot[Any], acts: Iterable[Callable[[], object]]) -> list[float]:
    """CPU milliseconds of each act, from the call to composed lines, in ascending order."""
    taken: list[float] = []
    for act in acts:
        start = time.process_time()
        act()
        await settle(pilot)
        screen_lines(pilot.app)
        taken.append((time.process_time() - start) * 1000)
    return sorted(taken)


def median_and_p99(ascending: Sequence[float]) -> tuple[float, float]:
    return ascending[len(ascending) // 2], ascending[min(len(ascending) - 1, len(ascending) * 99 // 100)]


def tell(figures: Mapping[str, object], file: Path | None) -> None:
    """Print ``figures`` as JSON, or write them to ``file``, which is never seen half written."""
    text = json.dumps(figures, indent=2, ensure_ascii=False)
    if file is None:
        print(text)
        return
    part = file.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.rename(file)
