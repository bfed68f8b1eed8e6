"""Reactions a second that the store commits, beside the floor of bare SQLite transactions in the same run.

    python benchmarks/gateway_commit.py [--seconds 3] [--json FILE]

Every figure is durable: write-ahead log, synchronous=FULL, files on one disk. Rounds of all kinds take turns,
so that a slow moment of the machine hits each. "bare" updates one row's JSON by SQL alone, one transaction
each or sixteen in one; "service" is the whole use case with its checks, remembered operation, triggers and
event, one transaction each; "grouped" is sixteen clients at once through the group commit.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agents import ScriptedAgent

GROUP = 16
ROUND = 0.25
EMOJI = ("👍", "❤️", "😂", "‼️")
TEXTS = [json.dumps({"reactions": [{"emoji": emoji, "author": "user", "at": 1.5}]}) for emoji in EMOJI]


def bare_file(path: Path) -> sqlite3.Connection:
    raw = sqlite3.connect(path, isolation_level=None)
    for setting in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"):
        raw.execute(f"PRAGMA {setting}")
    raw.execute("CREATE TABLE rows(id INTEGER PRIMARY KEY, metadata TEXT)")
    raw.executemany("INSERT INTO rows VALUES(?, NULL)", [(n,) for n in range(1, 1001)])
    return raw


async def rounds(
    seconds: float, kinds: dict[str, Callable[[], Awaitable[int]]]
) -> tuple[dict[str, float], dict[str, float]]:
    """Reactions a second of each kind, and CPU milliseconds of one; each act says how many it did."""
    done, taken, busy = dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0.0), dict.fromkeys(kinds, 0.0)
    while min(taken.values()) < seconds:
        for kind, act in kinds.items():
            begun, cpu = time.perf_counter(), time.process_time()
            while time.perf_counter() < begun + ROUND:
                done[kind] += await act()
            taken[kind] += time.perf_counter() - begun
            busy[kind] += time.process_time() - cpu
    rates = {kind: done[kind] / taken[kind] for kind in kinds}
    return rates, {kind: round(busy[kind] / done[kind] * 1000, 3) for kind in kinds}


async def measure(folder: Path, seconds: float) -> dict[str, object]:
    raw = bare_file(folder / "bare.db")
    service = GatewayService(Store(folder / "state.db"), ScriptedAgent())
    session_id = service.create_session(title="t").session_id
    rows = [(await service.submit(session_id, f"message {n}")).user_row_id or 0 for n in range(50)]
    await service.interrupt(session_id)
    counter = itertools.count()

    def update(n: int) -> None:
        raw.execute("UPDATE rows SET metadata = ? WHERE id = ?", (TEXTS[n // 1000 % 4], n % 1000 + 1))

    def react(n: int) -> object:
        emoji = EMOJI[(n // len(rows)) % 4]
        return service.set_reaction(session_id, rows[n % len(rows)], emoji, Author.USER, op_id=f"op-{n}")

    async def bare() -> int:
        raw.execute("BEGIN IMMEDIATE")
        update(next(counter))
        raw.execute("COMMIT")
        return 1

    async def bare_group() -> int:
        raw.execute("BEGIN IMMEDIATE")
        for _ in range(GROUP):
            update(next(counter))
        raw.execute("COMMIT")
        return GROUP

    async def alone() -> int:
        react(next(counter))
        return 1

    async def grouped() -> int:
        work = (service.grouping.run(partial(react, next(counter))) for _ in range(GROUP))
        await asyncio.gather(*work)
        return GROUP

    found, cpu = await rounds(
        seconds, {"bare": bare, f"bare, {GROUP} in one": bare_group, "service": alone, "grouped": grouped}
    )
    await service.close()
    raw.close()
    return {
        "reactions a second": {kind: round(rate) for kind, rate in found.items()},
        "CPU ms of one": cpu,
        "service / bare": round(found["service"] / found["bare"], 2),
        "grouped / bare": round(found["grouped"] / found["bare"], 2),
        "grouped / service": round(found["grouped"] / found["service"], 2),
        "SQLite": sqlite3.sqlite_version,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--folder", type=Path, help="on which disk; else that of temporary files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="commit-", dir=options.folder) as name:
        text = json.dumps(asyncio.run(measure(Path(name), options.seconds)), indent=2)
    print(text)
    if options.json is not None:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
