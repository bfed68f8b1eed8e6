"""Scores the tapback suggestions on hand-labelled messages against the reader's most frequent emoji."""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tui_tapback.emoji.suggestions import suggest

FOLDER = Path(__file__).parent / "emoji_search_data"
# The rules were first made with the first set in view; docs/emoji.md tells how each came to be.
SETS = (
    "suggestions.jsonl",
    "suggestions_fresh.jsonl",
    "suggestions_languages.jsonl",
    "suggestions_afterwards.jsonl",
)
# What "always the most frequent" would offer: the three that lead the public counts of tapbacks.
BASELINE = ("❤️", "👍", "😂")
HABITS = {"❤️": 1.0, "👍": 0.9, "😂": 0.8, "🎉": 0.4, "😢": 0.3}

Item = dict[str, Any]


def messages() -> dict[str, list[Item]]:
    """Every set by its name, the one in several languages in its two halves and by language."""
    found: dict[str, list[Item]] = {}
    for name in SETS:
        for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
            item: Item = json.loads(line)
            split = item.get("split", "")
            found.setdefault(f"{name.removesuffix('.jsonl')} {split}".strip(), []).append(item)
            if split:
                found.setdefault(f"  {item['locale']} {split}", []).append(item)
    return found


def offered(item: Item, *, habits: bool) -> list[str]:
    """The three that are offered for one message."""
    recents = HABITS if habits else None
    locales = (item.get("locale", "en"),)
    return [match.emoji for match in suggest(item["text"], 3, locales=locales, recents=recents)]


def rates(items: Sequence[Item], answers: Sequence[Sequence[str]]) -> str:
    """hit@3 and hit@1."""
    good = [set(item["ok"].split()) for item in items]
    three = sum(bool(ok & set(found)) for ok, found in zip(good, answers, strict=True))
    first = sum(found[0] in ok for ok, found in zip(good, answers, strict=True))
    return f"{three / len(items):.3f} / {first / len(items):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="tell the misses of what may be looked at")
    options = parser.parse_args()
    print(f"{'hit@3 / hit@1':30} {'n':>4}  most frequent  words alone    words and habits")
    spent: list[float] = []
    for name, items in messages().items():
        begun = time.process_time()
        plain = [offered(item, habits=False) for item in items]
        spent.append((time.process_time() - begun) / len(items))
        own = [offered(item, habits=True) for item in items]
        usual = rates(items, [BASELINE] * len(items))
        print(f"{name:30} {len(items):4}  {usual}  {rates(items, plain)}  {rates(items, own)}")
        if options.misses and not name.startswith(" ") and not name.endswith("test"):
            for item, found in zip(items, own, strict=True):
                if not set(item["ok"].split()) & set(found):
                    print("  miss", item["text"], found, item["ok"])
    print(f"median CPU of one message {statistics.median(spent) * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
