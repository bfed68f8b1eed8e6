"""Scores the tapback suggestions on hand-labelled messages against the reader's most frequent emoji."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path

from tui_tapback.emoji.suggestions import suggest

FOLDER = Path(__file__).parent / "emoji_search_data"
# The rules were made with the first set in view; the second was written afterwards and changed nothing.
SETS = ("suggestions.jsonl", "suggestions_fresh.jsonl")
# What "always the most frequent" would offer: the three that lead the public counts of tapbacks.
BASELINE = ("❤️", "👍", "😂")
HABITS = {"❤️": 1.0, "👍": 0.9, "😂": 0.8, "🎉": 0.4, "😢": 0.3}


def score(path: Path) -> None:
    items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    print(path.name, len(items), "messages")
    hits = {"most frequent": 0, "words": 0, "words and habits": 0}
    first = frequent = 0
    spent: list[float] = []
    for item in items:
        good = set(item["ok"].split())
        locales = (item.get("locale", "en"),)
        hits["most frequent"] += bool(good & set(BASELINE))
        begun = time.process_time()
        plain = [match.emoji for match in suggest(item["text"], 3, locales=locales)]
        spent.append(time.process_time() - begun)
        own = [match.emoji for match in suggest(item["text"], 3, locales=locales, recents=HABITS)]
        hits["words"] += bool(good & set(plain))
        hits["words and habits"] += bool(good & set(own))
        first += own[0] in good
        frequent += BASELINE[0] in good
        if not good & set(own):
            print("miss", item["text"], own, item["ok"])
    for name, count in hits.items():
        print(f"{name:20} hit@3 {count / len(items):.3f}")
    print(f"hit@1: most frequent {frequent / len(items):.3f}, words and habits {first / len(items):.3f}")
    print(f"median CPU {statistics.median(spent) * 1e3:.2f} ms")


if __name__ == "__main__":
    for name in SETS:
        score(FOLDER / name)
