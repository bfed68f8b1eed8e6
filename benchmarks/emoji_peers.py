"""Scores our search, emoji-mart on Node and rapidfuzz on the same items in one run.

The peers are optional. For rapidfuzz: ``pip install rapidfuzz``. For emoji-mart: ``npm install
emoji-mart@5.6.0 @emoji-mart/data@1.2.1`` in some folder, then ``--node THAT_FOLDER``.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA = HERE / "emoji_search_data"
ITEMS, WALKS = DATA / "items_open.jsonl", DATA / "walks_open.jsonl"
LIMIT = 10
Search = Callable[[str, int, str], list[str]]


def load_score() -> Any:
    """The scoring script, which is not part of a package."""
    spec = importlib.util.spec_from_file_location("emoji_score", DATA / "score.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCORE = load_score()
Items = list[dict[str, Any]]


def row(name: str, items: Items, answers: dict[str, list[str]], keys: float, ms: list[float]) -> str:
    core = SCORE.aggregate(items, answers)["core"]
    ms = sorted(ms)
    p50, p99 = ms[len(ms) // 2], ms[int(len(ms) * 0.99)]
    figures = " | ".join(f"{core[part]:.3f}" for part in ("mrr10", "hit1", "hit5"))
    return f"| {name} | {figures} | {keys:.2f} | {p50:.2f} | {p99:.2f} |"


def measured(name: str, items: Items, walks: Items, search: Search) -> str:
    """One engine in this process; keystrokes are timed on every third query, typed letter by letter."""
    search("warm", LIMIT, "en")
    answers = {item["id"]: search(item["query"], LIMIT, item["locale"]) for item in items}
    ms: list[float] = []
    for item in items[::3]:
        for length in range(1, len(item["query"]) + 1):
            begun = time.perf_counter()
            search(item["query"][:length], LIMIT, item["locale"])
            ms.append((time.perf_counter() - begun) * 1e3)
    keys = SCORE.walks(walks, search)["keys_to_top5"]
    return row(name, items, answers, keys, ms)


def fuzzy(scorer: str) -> Search | None:
    """rapidfuzz over the English names, keywords and shortcodes of our own bundle."""
    if importlib.util.find_spec("rapidfuzz") is None:
        return None
    from rapidfuzz import fuzz, process

    from tui_tapback.emoji.catalogue import load_catalogue

    labels: list[str] = []
    owners: list[str] = []
    for emoji in load_catalogue().all:
        codes = [code.replace("_", " ") for code in emoji.shortcodes]
        for label in dict.fromkeys((emoji.name, *codes, *emoji.keywords)):
            labels.append(label.lower())
            owners.append(emoji.char)

    def search(query: str, limit: int, locale: str) -> list[str]:
        found = process.extract(
            query.lower(), labels, scorer=getattr(fuzz, scorer), limit=limit * 6, score_cutoff=60
        )
        return list(dict.fromkeys(owners[place] for _, _, place in found))[:limit]

    return search


def mart(folder: Path, items: Items, walks: Items) -> str:
    command = ["node", str(DATA / "emoji_mart.mjs"), str(ITEMS.resolve()), str(LIMIT), str(WALKS.resolve())]
    out = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    said = json.loads(out)
    typed: dict[str, list[str]] = said["typed"]
    keys = SCORE.walks(walks, lambda query, limit, locale: typed[query])["keys_to_top5"]
    return row("emoji-mart 5.6 on Node", items, said["results"], keys, said["ms"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--node", type=Path, help="folder in which emoji-mart is installed")
    options = parser.parse_args()
    sys.path.insert(0, str(HERE.parent))
    from benchmarks.emoji_search import search, search_english

    items, walks = SCORE.load(ITEMS), SCORE.load(WALKS)
    print("| engine | core MRR@10 | hit@1 | hit@5 | keys to top 5 | ms p50 | ms p99 |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    print(measured("ours, all languages", items, walks, search))
    print(measured("ours, English and the query's language", items, walks, search_english))
    for scorer in ("ratio", "token_sort_ratio", "WRatio"):
        other = fuzzy(scorer)
        if other is not None:
            print(measured(f"rapidfuzz {scorer} over the same labels", items, walks, other))
    if options.node is not None:
        print(mart(options.node, items, walks))


if __name__ == "__main__":
    main()
