"""Reads what was typed: a message, perhaps of several lines, a typed tapback, or a command; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tui_tapback.emoji.typed import TapbackCommand, read_tapback

_SLASH: Final = re.compile(r"/(?P<name>[a-zA-Z][\w-]*)(?:\s+(?P<rest>.*))?", re.DOTALL)
_LITERAL: Final = re.compile(r"\\(:[\w+\-]+:)")


@dataclass(frozen=True, slots=True)
class Say:
    """A message for the agent."""

    text: str


@dataclass(frozen=True, slots=True)
class Order:
    """``/name rest``; there may be no command of that name."""

    name: str
    rest: str


Typed = Say | Order | TapbackCommand


def read(text: str) -> Typed:
    """What the person asked for.

    ``//x`` is the message ``/x``; a slash inside the first word (``/etc/hosts``) or a second line makes it a
    message, too. ``\\:name:`` is the message ``:name:``.
    """
    stripped = text.strip()
    if stripped.startswith("//"):
        return Say(_LITERAL.sub(r"\1", stripped[1:]))
    if "\n" not in stripped:
        if tapback := read_tapback(stripped):
            return tapback
        if found := _SLASH.fullmatch(stripped):
            return Order(found["name"].lower(), (found["rest"] or "").strip())
    return Say(_LITERAL.sub(r"\1", text))


@dataclass(frozen=True, slots=True)
class Whole:
    """All that belongs together. ``literal``: it is a message whatever it looks like."""

    text: str
    literal: bool = False


class Assembly:
    """Puts lines together: after a backslash at the end, and between ``/paste`` and ``/end``."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self.pasting = False

    @property
    def open(self) -> bool:
        """Whether more lines are awaited."""
        return self.pasting or bool(self._lines)

    @property
    def count(self) -> int:
        """Lines so far."""
        return len(self._lines)

    def hold(self, lines: list[str]) -> None:
        """Lines that came at once; the next one that is fed ends them."""
        self._lines += lines

    def feed(self, line: str) -> Whole | None:
        """The whole with this line, or None while more is awaited."""
        bare = line.strip()
        if self.pasting:
            if bare == "/end":
                return self._whole(literal=True)
            self._lines.append(line)
            return None
        if bare == "/paste" and not self._lines:
            self.pasting = True
            return None
        if (len(line) - len(line.rstrip("\\"))) % 2:
            self._lines.append(line[:-1])
            return None
        self._lines.append(line)
        return self._whole(literal=False)

    def drop(self) -> int:
        """Throw away what was begun; returns how many lines that were."""
        count = len(self._lines)
        self._lines, self.pasting = [], False
        return count

    def _whole(self, *, literal: bool) -> Whole:
        whole = Whole("\n".join(self._lines), literal or len(self._lines) > 1)
        self.drop()
        return whole


_NUMBER: Final = re.compile(r"\d{1,9}")
_AT: Final = re.compile(r"(?P<words>.*?)\s*\b(?:on|at|to)\s+(?P<number>\d{1,9})", re.DOTALL | re.IGNORECASE)


def number(text: str) -> int | None:
    """The number that ``text`` is."""
    text = text.strip().lstrip("#")
    return int(text) if _NUMBER.fullmatch(text) else None


def leading_number(text: str) -> tuple[int | None, str]:
    """``7 some words`` → 7 and the words; None and all of it without a number."""
    first, _, rest = text.strip().partition(" ")
    found = number(first)
    return (None, text.strip()) if found is None else (found, rest.strip())


def words_and_number(text: str) -> tuple[str, int | None]:
    """``tada on 7``, ``plan b at 7`` → the words and 7; the words and None without a number."""
    found = _AT.fullmatch(text.strip())
    return (found["words"], int(found["number"])) if found else (text.strip(), None)
