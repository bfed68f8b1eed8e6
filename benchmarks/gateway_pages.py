"""Opening, paging and searching a session by its length: the times must not grow with it.

    python benchmarks/gateway_pages.py [--lengths 1000,10000,100000] [--json FILE]

Sessions of each length are written once, with words of a fixed vocabulary, one rare word and tapbacks here
and there; then each act is done fifteen times in this process, without a socket. Median milliseconds.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.records import NewMessage
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agents import ScriptedAgent
from tui_tapback.wire.library import PageParams, SearchParams

WORDS = [
    a + b
    for a in ("ma", "re", "to", "lin", "qua", "世", "vel")
    for b in ("ka", "den", "sor", "界", "pi", "xu", "th")
]
TIMES = 15


def fill(store: Store, session_id: str, length: int, dice: random.Random) -> list[int]:
    rows: list[int] = []
    for begin in range(0, length, 5000):
        with store.transaction():
            for n in range(begin, min(begin + 5000, length)):
                text = " ".join(dice.choices(WORDS, k=30)) + (" needle" if n % (length // 10) == 7 else "")
                reactions = [{"emoji": "👍", "author": "user", "at": 1.0}]
                rows.append(
                    store.messages.insert(
                        NewMessage(
                            session_id=session_id,
                            role="user" if n % 2 else "assistant",
                            text=text,
                            at=float(n),
                            metadata={"reactions": reactions} if n % (length // 20) == 3 else {},
                        )
                    ).row_id
                )
    return rows


def acts(service: GatewayService, session_id: str, rows: list[int]) -> dict[str, Callable[[], object]]:
    middle = rows[len(rows) // 2]

    def find(query: str, **filters: str) -> Callable[[], object]:
        return lambda: service.search.find(SearchParams(query, session_id=session_id, **filters))  # type: ignore[arg-type]

    return {
        "resume, newest 100": lambda: service.resume(session_id, limit=100),
        "page before the middle": lambda: service.paging.page(PageParams(session_id, before_row_id=middle)),
        "page after the middle": lambda: service.paging.page(PageParams(session_id, after_row_id=middle)),
        "page around the middle": lambda: service.paging.page(PageParams(session_id, around_row_id=middle)),
        "search a common word": find("makaden"[:4]),
        "search a rare word": find("needle"),
        "search two words": find("needle linpi"),
        "search two characters": find("世界"),
        "search what is not there": find("zzzzzz"),
        "find by tapback": find("", emoji="👍"),
        "list the sessions": service.archive.list,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lengths", default="1000,10000,100000")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    dice, figures = random.Random(1), dict[str, dict[str, float]]()
    with tempfile.TemporaryDirectory(prefix="pages-") as name:
        for length in map(int, options.lengths.split(",")):
            store = Store(Path(name) / f"{length}.db")
            service = GatewayService(store, ScriptedAgent())
            session_id = service.create_session("x", "long").session_id
            begun = time.perf_counter()
            rows = fill(store, session_id, length, dice)
            filled = time.perf_counter() - begun
            for act, run in acts(service, session_id, rows).items():
                run()
                taken: list[float] = []
                for _ in range(TIMES):
                    start = time.perf_counter()
                    run()
                    taken.append((time.perf_counter() - start) * 1000)
                figures.setdefault(act, {})[str(length)] = round(statistics.median(taken), 2)
            figures.setdefault("a message, written with all indexes", {})[str(length)] = round(
                filled * 1000 / length, 3
            )
            store.close()
    text = json.dumps(figures, indent=2)
    print(text)
    if options.json is not None:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
