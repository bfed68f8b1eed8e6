"""Reports how many benchmark queries stand word for word in each source of English labels."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from pathlib import Path

from tui_tapback.emoji.catalogue import locale_table
from tui_tapback.emoji.fold import fold
from tui_tapback.emoji.locate import asset

ITEMS = Path(__file__).parent / "emoji_search_data" / "items_open.jsonl"
# What people asked for in their own words; the other classes are made out of names and keyword lists.
ASKED = {"issue", "hand"}


def hand_kept(path: Path) -> set[str]:
    """The folded phrases of a chat.json, of today's form or of the one before."""
    document = json.loads(path.read_text(encoding="utf-8"))
    phrases = [phrase for kind in document.get("words", {}).values() for phrase in kind]
    phrases += [phrase for of in document.get("emoji", {}).values() for phrase in of.split(",")]
    return {fold(phrase) for phrase in phrases}


def overlap(queries: Collection[str], labels: Collection[str]) -> str:
    several = {query for query in queries if " " in query}
    found = sorted(query for query in several if query in labels)
    alone = sum(query in labels for query in queries) - len(found)
    single = len(queries) - len(several)
    counts = f"{len(found):3} of {len(several):3} of several words, {alone:3} of {single:3} single"
    return f"{counts}; {', '.join(found)}"


def main(older: list[str]) -> None:
    items = [json.loads(line) for line in ITEMS.read_text(encoding="utf-8").splitlines()]
    english = [item for item in items if item["locale"] == "en"]
    asked = {fold(item["query"]) for item in english if item["class"] in ASKED}
    table = locale_table("en")
    chat = hand_kept(asset("chat.json"))
    sources = {
        "hand-kept (chat.json)": chat,
        "keywords of emojibase": {fold(word) for word in table.keywords} - chat,
        "emojilib, gemoji, gitmoji, Zulip": {fold(word) for word in table.more},
        "names": {fold(name) for name in table.names},
    }
    sources |= {path: hand_kept(Path(path)) for path in older}
    for name, labels in sources.items():
        print(f"{name} ({len(labels)} labels): {overlap(asked, labels)}")


if __name__ == "__main__":
    main(sys.argv[1:])
