"""The search in the shape that ``emoji_search_data/score.py`` asks for: fresh state, every locale loaded."""

from __future__ import annotations

from tui_tapback.emoji.catalogue import available_locales
from tui_tapback.emoji.search import search as find


def search(query: str, limit: int, locale: str = "en") -> list[str]:
    """The emoji for ``query``, best first, with ``locale`` and English ahead of all other languages."""
    return [match.emoji for match in find(query, limit, locales=(locale,), others=available_locales)]


def search_english(query: str, limit: int, locale: str = "en") -> list[str]:
    """The same with the locale of the query and English only."""
    return [match.emoji for match in find(query, limit, locales=(locale,))]
