"""Reads the language-free part of the bundle: every sequence, its order, group, version and tones."""

from __future__ import annotations

import json
from functools import cache

from tui_tapback.domain.values import value
from tui_tapback.emoji.locate import asset

TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_BARE = str.maketrans("", "", "\ufe0e\ufe0f")


def bare(text: str) -> str:
    """``text`` without variation selectors: the key under which spellings of one emoji meet."""
    return text.translate(_BARE)


@value
class Core:
    """The table of base emoji in chart order, column by column, and two look-ups.

    ``number`` maps the bare form of every sequence, toned or not, to its base emoji's place in the
    columns; ``full`` maps the bare form to the fully-qualified one.
    """

    version: float
    groups: tuple[tuple[str, str], ...]  # id, representative emoji
    subgroups: tuple[tuple[str, int], ...]  # id, place of its group
    chars: tuple[str, ...]
    subgroup: tuple[int, ...]
    versions: tuple[float, ...]
    toned: tuple[tuple[str, ...], ...]  # five forms, more where two people have a tone each
    emoticons: dict[str, tuple[str, ...]]
    number: dict[str, int]
    full: dict[str, str]


@cache
def core() -> Core:
    """The core of the bundle, read once."""
    document = json.loads(asset("core.json").read_text(encoding="utf-8"))
    rows: list[tuple[str, int, float, str]] = document["emoji"]
    toned = tuple(tuple(row[3].split()) for row in rows)
    number: dict[str, int] = {}
    full: dict[str, str] = {}
    for place, row in enumerate(rows):
        for char in (row[0], *toned[place]):
            key = bare(char)
            number[key] = place
            full[key] = char
    return Core(
        version=document["emoji_version"],
        groups=tuple((name, char) for name, char in document["groups"]),
        subgroups=tuple((name, group) for name, group in document["subgroups"]),
        chars=tuple(row[0] for row in rows),
        subgroup=tuple(row[1] for row in rows),
        versions=tuple(row[2] for row in rows),
        toned=toned,
        emoticons={char: tuple(forms) for char, forms in document["emoticons"].items()},
        number=number,
        full=full,
    )


def tones_in(text: str) -> tuple[int, ...]:
    """The tones of a sequence as numbers, 1 (light) to 5 (dark), in their order."""
    return tuple(TONES.index(char) + 1 for char in text if char in TONES)


def with_tone(char: str, tone: int) -> str:
    """The form of ``char`` (any form of it) in one tone, 1 to 5; ``char``'s base where it has none.

    Tone 0 asks for the base itself. A sequence that the bundle does not know is returned as it is.
    """
    table = core()
    place = table.number.get(bare(char))
    if place is None:
        return char
    forms = table.toned[place]
    return forms[tone - 1] if forms and 1 <= tone <= 5 else table.chars[place]
