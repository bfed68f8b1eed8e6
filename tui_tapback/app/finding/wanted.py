"""Reads a line of search: words, tapbacks (``:tada:`` or 🎉), ``from:agent``, ``in:here``."""

from __future__ import annotations

from typing import Final

from tui_tapback.domain.errors import NotAnEmoji
from tui_tapback.domain.values import value
from tui_tapback.emoji.normalise import normalise_or_none

AUTHORS: Final = {"me": "user", "you": "user", "user": "user", "agent": "agent"}


@value
class Wanted:
    """``words`` must all occur; ``emoji`` is borne, ``author`` is "user" or "agent", ``here``: only in the
    session on screen. None where it does not matter."""

    words: str = ""
    emoji: str | None = None
    author: str | None = None
    here: bool = False

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to look for yet."""
        return not self.words and self.emoji is None


def read_wanted(line: str) -> Wanted:
    """What ``line`` asks for; of two tapbacks or authors the last counts, what is neither is a word."""
    words: list[str] = []
    emoji = author = None
    here = False
    for token in line.split():
        name, _, value = token.partition(":")
        if found := _emoji(token):
            emoji = found
        elif name.lower() == "from" and value.lower() in AUTHORS:
            author = AUTHORS[value.lower()]
        elif token.lower() == "in:here":
            here = True
        else:
            words.append(token)
    return Wanted(" ".join(words), emoji, author, here)


def _emoji(token: str) -> str | None:
    if len(token) > 2 and token[0] == token[-1] == ":":
        from tui_tapback.emoji.resolve import resolve  # with the search: not at the start

        try:
            return resolve(token)
        except NotAnEmoji:
            return None  # not yet: the person is still typing
    return normalise_or_none(token)
