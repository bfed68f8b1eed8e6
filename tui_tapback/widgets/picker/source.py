"""What the picker shows: the sections for a query, names and shortcodes; nothing about the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from tui_tapback.emoji.catalogue import Catalogue, Group
from tui_tapback.emoji.core import tones_in, with_tone
from tui_tapback.emoji.grid import Section, catalogue_sections
from tui_tapback.widgets.found import Searcher

MOST_RESULTS: Final = 96
MOST_RECENTS: Final = 24
RECENT: Final = "Recent"

RecentsShown = Callable[[int, int], Sequence[str]]
"""``(limit, tone)`` gives the emoji used lately, best first; see ``Recents.shown``."""


class PickerSource:
    """Brings search, catalogue and recents together; every emoji that leaves it is in the default tone.

    ``tone`` is 0 for none or 1 (light) to 5 (dark).
    """

    def __init__(self, search: Searcher, catalogue: Catalogue, recents: RecentsShown) -> None:
        self._search = search
        self._catalogue = catalogue
        self._recents = recents
        self._groups = lru_cache(6)(self._toned_groups)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The categories of the catalogue, in order."""
        return self._catalogue.groups

    def sections(self, query: str, tone: int, current: str | None) -> tuple[Section, ...]:
        """Answers to ``query``, without a heading; for a blank one recents (``current`` first) and groups."""
        if query.strip():
            found = (self.toned(match.emoji, tone) for match in self._search(query, MOST_RESULTS))
            return (Section("", tuple(dict.fromkeys(found))),)
        recents = list(self._recents(MOST_RECENTS, tone))
        if current:
            recents.insert(0, current)
        return (Section(RECENT, tuple(dict.fromkeys(recents))), *self._groups(tone))

    def toned(self, emoji: str, tone: int) -> str:
        """``emoji`` in the default tone, unless it has one of its own."""
        return with_tone(emoji, tone) if tone and not tones_in(emoji) else emoji

    def name(self, emoji: str) -> str:
        """The spoken name."""
        return self._catalogue.name(emoji)

    def shortcode(self, emoji: str) -> str:
        """``:tada:``, or ``""`` if it has none."""
        known = self._catalogue.get(emoji)
        return f":{known.shortcodes[0]}:" if known and known.shortcodes else ""

    def _toned_groups(self, tone: int) -> tuple[Section, ...]:
        return catalogue_sections(self._catalogue.locale, tone)
