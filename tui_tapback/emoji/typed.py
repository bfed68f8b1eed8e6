"""Reads a tapback that was typed as text, as ``+:tada:`` or ``2-``: the same in every face of the chat."""

from __future__ import annotations

import re
from typing import Final

from tui_tapback.domain.values import value
from tui_tapback.emoji.normalise import normalise_or_none

_TAPBACK: Final = re.compile(r"(?P<back>[1-9]\d{0,2})?(?P<sign>[+-])(?P<what>\S*)")
_NAME: Final = re.compile(r":(?P<name>[^\s:]+):")


@value
class React:
    """React with ``emoji`` (one, or a name to be resolved) to the ``back``-th last message of the agent."""

    emoji: str
    back: int = 1


@value
class Unreact:
    """Take the own reaction back; ``emoji`` is what was written, ``""`` for whatever is there."""

    emoji: str = ""
    back: int = 1


TapbackCommand = React | Unreact


def without_colons(text: str) -> str:
    """``:tada:`` → ``tada``; anything else as it is."""
    found = _NAME.fullmatch(text)
    return found["name"] if found else text


def read_tapback(text: str) -> TapbackCommand | None:
    """The tapback that ``text`` alone is, or None if it is something else.

    ``+:name:``, ``+😀``, ``2+:tada:`` (the second last message of the agent), ``-``, ``-:tada:``, ``2-``.
    Names are not resolved here. ``+1``, ``+`` and ``-x`` are ordinary text.
    """
    found = _TAPBACK.fullmatch(text)
    if not found:
        return None
    back, what = int(found["back"] or 1), found["what"]
    if found["sign"] == "-" and not what:
        return Unreact(back=back)
    name = without_colons(what)
    if name == what:
        name = normalise_or_none(what) or ""
        if not name:
            return None
    return React(name, back) if found["sign"] == "+" else Unreact(name, back)
