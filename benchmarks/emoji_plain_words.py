"""Measures how often a plain word of a language (its cat, its rain) finds the plain emoji first."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.emoji_search import search
from tui_tapback.emoji.core import bare

WORDS = Path(__file__).parent / "emoji_search_data" / "plain_words.json"
SHOWN = 5


def main() -> None:
    document = json.loads(WORDS.read_text(encoding="utf-8"))
    things = [{bare(emoji) for emoji in wanted.split()} for wanted in document["things"].values()]
    firsts = fives = total = 0
    for locale, words in document["words"].items():
        answers = [[bare(emoji) for emoji in search(word, SHOWN, locale)] for word in words]
        first = sum(bool(found) and found[0] in wanted for found, wanted in zip(answers, things, strict=True))
        five = sum(not wanted.isdisjoint(found) for found, wanted in zip(answers, things, strict=True))
        print(f"{locale:8} hit@1 {first / len(words):.3f}  hit@{SHOWN} {five / len(words):.3f}")
        firsts, fives, total = firsts + first, fives + five, total + len(words)
    print(f"all {total} hit@1 {firsts / total:.3f}  hit@{SHOWN} {fives / total:.3f}")


if __name__ == "__main__":
    main()
