"""Keys typed before there is anything that could take them: kept in order until the composer is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from textual import events
from textual._xterm_parser import XTermParser

AT_ONCE: Final = frozenset({"ctrl+q", "ctrl+c"})
"""Who wants to leave is not kept waiting."""
MOST: Final = 4096
_CUT: Final = re.compile(r"\x1b(?:O|\[[0-9;?<>]*)$")
Input = events.Key | events.Paste


def keys_of(typed: str) -> list[Input]:
    """The keys and pastes that the bytes of a keyboard stand for; the rest of a cut sequence is dropped."""
    parser = XTermParser()
    whole = _CUT.sub("", typed)
    # The end of the input, and no wait, decides that an Esc at the end is an Esc, or Alt with a letter.
    read = (*parser.feed(whole), *parser.feed("")) if whole else ()
    return [each for each in read if isinstance(each, Input)]


class TypeAhead:
    """Holds keys and pastes until ``release``. ``typed`` gives what came before the terminal was ours."""

    def __init__(self, typed: Callable[[], str]) -> None:
        self._typed = typed
        self._held: list[Input] | None = []

    def begin(self) -> None:
        """The terminal becomes ours now: what was typed before comes first."""
        if self._held is not None:
            self._held = [*keys_of(self._typed()), *self._held]

    def holds(self, event: events.Event) -> bool:
        """Keep ``event`` if it is to be kept; False if it is to be handled now."""
        if self._held is None or not isinstance(event, Input) or event.is_forwarded:
            return False
        if isinstance(event, events.Key) and event.key in AT_ONCE:
            return False
        if len(self._held) < MOST:
            self._held.append(event)
        return True

    def release(self) -> Iterable[Input]:
        """What was kept, in its order; nothing is kept from now on."""
        held, self._held = self._held, None
        return held or ()
