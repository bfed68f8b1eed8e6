"""How likely an emoji is before anything has been typed: a short hand-kept order, see popular.json."""

from __future__ import annotations

import json
import math
from functools import cache

from tui_tapback.emoji.core import bare, core
from tui_tapback.emoji.locate import asset

_FIRST_YEARS = 1.0
_KNOWN = 0.12


@cache
def priors() -> tuple[float, ...]:
    """For each emoji in chart order a number from 0 (new and not in the list) to 1 (the first of it)."""
    listed = json.loads(asset("popular.json").read_text(encoding="utf-8"))["emoji"].split()
    order = list(dict.fromkeys(listed))
    numbers = core().number
    # The emoji of the first years are the ones that people know.
    values = [_KNOWN if version <= _FIRST_YEARS else 0.0 for version in core().versions]
    for rank, char in enumerate(order):
        even = 1.0 - rank / len(order)
        steep = 1.0 - math.log1p(rank) / math.log1p(len(order))
        values[numbers[bare(char)]] = 0.15 + 0.4 * even + 0.45 * steep
    return tuple(values)
