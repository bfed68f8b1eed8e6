"""Measures the search: time until the index is ready in a fresh process, CPU per keystroke, memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

ITEMS = Path(__file__).parent / "emoji_search_data" / "items_open.jsonl"
COLD = """
import time
begun = time.process_time()
from tui_tapback.emoji.catalogue import available_locales
from tui_tapback.emoji.index import locale_index
imported = time.process_time()
index = locale_index("en")
ready = time.process_time()
print(imported - begun, ready - imported)
"""
WARM = """
import threading, time
from tui_tapback.emoji.search import search, warm
begun = time.perf_counter()
thread = threading.Thread(target=warm)
thread.start()
longest, last = 0.0, begun
while thread.is_alive():
    # What an event loop would do beside it: wake up, and see how late it is.
    time.sleep(0.001)
    now = time.perf_counter()
    longest, last = max(longest, now - last), now
ready = time.perf_counter()
search("t", 60)
print(ready - begun, longest, time.perf_counter() - ready)
"""
MEMORY = """
import gc, sys, tracemalloc
from tui_tapback.emoji.catalogue import available_locales
from tui_tapback.emoji.search import search
search("warm")
tracemalloc.start()
for locale in available_locales() if sys.argv[1] == "all" else ("de",):
    search("a b", 5, locales=(locale,))
gc.collect()
print(tracemalloc.get_traced_memory()[0] / 1e6)
"""


def fresh(code: str, *arguments: str) -> list[float]:
    out = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return [float(word) for word in out.stdout.split()]


def keystrokes(locales: tuple[str, ...], others: tuple[str, ...]) -> list[float]:
    from tui_tapback.emoji.search import search

    queries = [json.loads(line)["query"] for line in ITEMS.read_text(encoding="utf-8").splitlines()]
    search("warm up", 60, locales=locales, others=lambda: others)
    spent: list[float] = []
    for query in queries[::3]:
        for length in range(1, len(query) + 1):
            begun = time.process_time()
            search(query[:length], 60, locales=locales, others=lambda: others)
            spent.append(time.process_time() - begun)
    return sorted(spent)


def main() -> None:
    from tui_tapback.emoji.catalogue import available_locales

    cold = [fresh(COLD) for _ in range(5)]
    print("cold, CPU ms (best of 5): import", round(min(c[0] for c in cold) * 1e3, 1), end=" ")
    print("English index", round(min(c[1] for c in cold) * 1e3, 1))
    warmed = [fresh(WARM) for _ in range(5)]
    ready, longest, first = (round(min(column) * 1e3, 1) for column in zip(*warmed, strict=True))
    print("warm() in a thread, wall ms: ready", ready, "longest pause beside it", longest, end=" ")
    print("first search after it", first)
    for name, locales, others in (
        ("en", ("en",), ()),
        ("de+en", ("de",), ()),
        ("all", ("en",), available_locales()),
    ):
        spent = keystrokes(locales, others)
        marks = {f"p{p}": round(spent[int(len(spent) * p / 100)] * 1e3, 2) for p in (50, 90, 95, 99)}
        print("keystroke, CPU ms,", name, marks, "of", len(spent))
    print("memory of German beside English, MB", round(fresh(MEMORY, "one")[0], 1), end="; ")
    print("of all languages beside English", round(fresh(MEMORY, "all")[0], 1))


if __name__ == "__main__":
    main()
