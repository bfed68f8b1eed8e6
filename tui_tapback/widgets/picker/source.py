"""What the picker shows: the sections for a query, names and shortcodes; nothing about the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from tui_tapback.domain.values import value
from tui_tapback.emoji.catalogue import Catalogue, Group
from tui_tapback.emoji.core import tones_in, with_tone
from tui_tapback.emoji.grid import Section, catalogue_sections
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.widgets.found import Searcher
from tui_tapback.words import mark

MOST_RESULTS: Final = 96
MOST_RECENTS: Final = 24
RECENT: Final = mark("Recent")
FITTING: Final = mark("For this message")

RecentsShown = Callable[[int, int], Sequence[str]]
"""``(limit, tone)`` gives the emoji used lately, best first; see ``Recents.shown``."""

Forms = Callable[[str, int], str]
"""``(emoji, tone)`` gives the form that the person wants; see ``Recents.form``."""


def toned(emoji: str, tone: int) -> str:
    """``emoji`` in the default tone, unless it has one of its own; nothing is remembered."""
    return with_tone(emoji, tone) if tone and not tones_in(emoji) else emoji


@value
class Occasion:
    """What the picker is open for: the emoji that is set (``current``), those of others, and what fits."""

    current: str | None = None
    present: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()

    @property
    def on_message(self) -> tuple[str, ...]:
        """All that the message bears, the own one first."""
        own = () if self.current is None else (self.current,)
        return tuple(dict.fromkeys((*own, *self.present)))


NO_OCCASION: Final = Occasion()


class PickerSource:
    """Brings search, catalogue and recents together; every emoji that leaves it has the form that is wanted.

    ``tone`` is the default tone, 0 for none or 1 (light) to 5 (dark).
    """

    def __init__(
        self, search: Searcher, catalogue: Catalogue, recents: RecentsShown, forms: Forms = toned
    ) -> None:
        self._forms = forms
        self._search = search
        self._catalogue = catalogue
        self._recents = recents
        self._groups = lru_cache(6)(self._toned_groups)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The categories of the catalogue, in order."""
        return self._catalogue.groups

    def sections(self, query: str, tone: int, occasion: Occasion = NO_OCCASION) -> tuple[Section, ...]:
        """Answers to ``query``, without a heading; for a blank one what fits, recents and groups.

        What the message bears already comes first of all. Somebody without recents gets the quick six.
        """
        if query.strip():
            found = (self.toned(match.emoji, tone) for match in self._search(query, MOST_RESULTS))
            return (Section("", tuple(dict.fromkeys(found))),)
        first = occasion.on_message
        used = self._recents(MOST_RECENTS, tone) or [self.toned(emoji, tone) for emoji in QUICK_REACTIONS]
        if not occasion.suggested:
            return (Section(RECENT, tuple(dict.fromkeys((*first, *used)))), *self._groups(tone))
        fitting = (*first, *(self.toned(emoji, tone) for emoji in occasion.suggested))
        return (
            Section(FITTING, tuple(dict.fromkeys(fitting))),
            Section(RECENT, tuple(dict.fromkeys(used))),
            *self._groups(tone),
        )

    def toned(self, emoji: str, tone: int) -> str:
        """``emoji`` in the form that the person wants."""
        return self._forms(emoji, tone)

    def forget_forms(self) -> None:
        """Another form has been chosen for some emoji: lay the groups out anew."""
        self._groups.cache_clear()

    def variants(self, emoji: str) -> tuple[str, ...]:
        """The emoji without a tone and in each of its tones (25 for two people); empty if it has none."""
        known = self._catalogue.get(emoji)
        return (known.char, *known.tones) if known and known.tones else ()

    def name(self, emoji: str) -> str:
        """The spoken name."""
        return self._catalogue.name(emoji)

    def shortcode(self, emoji: str) -> str:
        """``:tada:``, or ``""`` if it has none."""
        known = self._catalogue.get(emoji)
        return f":{known.shortcodes[0]}:" if known and known.shortcodes else ""

    def category(self, emoji: str) -> str:
        """The title of its category, ``""`` for an emoji newer than the catalogue."""
        known = self._catalogue.get(emoji)
        return next((group.title for group in self.groups if known and group.id == known.group), "")

    def version(self, emoji: str) -> str:
        """``Emoji 0.6``, or ``""`` for an emoji newer than the catalogue."""
        known = self._catalogue.get(emoji)
        return f"Emoji {known.version:g}" if known and known.version else ""

    def _toned_groups(self, tone: int) -> tuple[Section, ...]:
        plain = catalogue_sections(self._catalogue.locale)
        return tuple(
            Section(section.title, tuple(self._forms(emoji, tone) for emoji in section.emoji))
            for section in plain
        )
