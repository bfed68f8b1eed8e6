"""Reads the difference of a file edit as a gateway tells it, whatever is missing in it; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from .values import value

_HUNK: Final = re.compile(r"@@ -\d+(?:,(?P<old>\d+))? \+\d+(?:,(?P<new>\d+))? @@")
_ARROW: Final = re.compile(r"(?:a/)?(?P<old>.+?) → (?:b/)?(?P<new>.+)")
NOWHERE: Final = "/dev/null"


class Mark(Enum):
    """What a line of a difference is; the value is its sign where there is no colour."""

    ADDED = "+"
    REMOVED = "-"
    SAME = " "
    PLACE = "@"
    FILE = "f"
    NOTE = "n"


@value
class DiffLine:
    """One line without its sign."""

    mark: Mark
    text: str


@value
class Diff:
    """All lines in order, and what they come to."""

    lines: tuple[DiffLine, ...]
    files: int
    added: int
    removed: int


def read_diff(text: str) -> Diff:
    """The difference in ``text``: unified, or as Hermes draws it (``a/x → b/x`` in front of the hunks).

    Within a hunk its counts decide, so that a removed line ``-- x`` is no heading. The rest are notes.
    """
    lines = tuple(_lines(text))
    files = {line.text for line in lines if line.mark is Mark.FILE}
    added = sum(line.mark is Mark.ADDED for line in lines)
    removed = sum(line.mark is Mark.REMOVED for line in lines)
    return Diff(lines, len(files) or (1 if added or removed else 0), added, removed)


def _lines(text: str) -> Iterator[DiffLine]:
    old = new = 0
    former = ""
    hunks = False
    rows = text.split("\n")
    for place, raw in enumerate(rows):
        sign, rest = raw[:1] or " ", raw[1:]  # tools cut the blank that stands before an empty line
        if _heads(rows[place : place + 3]):
            old = new = 0  # whatever the hunk before had promised
        if (sign == "+" and new) or (sign == "-" and old) or (sign == " " and old and new):
            old -= sign != "+"
            new -= sign != "-"
            yield DiffLine(Mark(sign), rest)
        elif found := _HUNK.match(raw):
            old, new = int(found["old"] or 1), int(found["new"] or 1)
            hunks = True
            yield DiffLine(Mark.PLACE, raw)
        elif raw.startswith("--- "):
            former = _path(raw[4:])
        elif raw.startswith("+++ "):
            path = _path(raw[4:])
            yield DiffLine(Mark.FILE, former if path == NOWHERE else path)
        elif found := _ARROW.fullmatch(raw):
            path = _path(found["new"])
            yield DiffLine(Mark.FILE, _path(found["old"]) if path == NOWHERE else path)
        elif sign in ("+", "-") and not hunks:
            yield DiffLine(Mark(sign), rest)
        elif raw.strip() and (hunks or former):
            yield DiffLine(Mark.NOTE, raw.strip())


def _heads(rows: list[str]) -> bool:
    """Whether the first of these rows is where another file begins."""
    return len(rows) == 3 and all(map(str.startswith, rows, ("--- ", "+++ ", "@@ ")))


def _path(named: str) -> str:
    """The path without the side it stands on and without what a tool puts behind it."""
    path = named.split("\t", 1)[0].strip()
    path = path[2:] if path[:2] in ("a/", "b/") else path
    return "/" + path.lstrip("/") if path.startswith("//") else path
