"""Reads what a person or a model calls an emoji: itself, ``:shortcode:``, bare name, emoticon."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tui_tapback.domain.errors import NotAnEmoji
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.catalogue import Catalogue, load_catalogue
from tui_tapback.emoji.core import with_tone
from tui_tapback.emoji.emoticons import read_emoticon
from tui_tapback.emoji.fold import fold
from tui_tapback.emoji.normalise import normalise_or_none
from tui_tapback.emoji.query import parse
from tui_tapback.emoji.search import search
from tui_tapback.words import _

_LONGEST_NAME = 100
_SUGGESTIONS = 3


def resolve(text: str, *, locales: Sequence[str] = ("en",)) -> str:
    """The fully-qualified emoji that ``text`` names.

    Accepts an emoji in any spelling, a shortcode with or without colons (``+1``, ``:tada:``,
    ``:wave::skin-tone-3:``), the full name in one of ``locales`` (``red heart``, ``thumbs up: dark skin
    tone``) and an emoticon. Nothing is guessed: for anything else NotAnEmoji is raised, with close
    suggestions in its hint.
    """
    emoji = normalise_or_none(text)
    if emoji is not None:
        return emoji
    asked = text.strip()
    if asked and len(asked) <= _LONGEST_NAME:
        found = _named(asked, locales) or _newer_shortcode(asked) or next(iter(read_emoticon(asked)), None)
        if found is not None:
            return found
    raise NotAnEmoji(_refusal(asked), hint=_hint(asked, locales))


def _named(asked: str, locales: Sequence[str]) -> str | None:
    known = load_catalogue().by_shortcode(asked)
    if known is not None:
        return known.char
    for reading in parse(asked):
        for locale in dict.fromkeys((*locales, "en")):
            catalogue = load_catalogue(locale)
            char = _names(catalogue).get(reading.text)
            if char is None and reading.tone:
                code = catalogue.by_shortcode(reading.text.replace(" ", "_"))
                char = code.char if code is not None else None
            if char is not None:
                toned = with_tone(char, reading.tone)
                if toned != char or not reading.tone:
                    return toned
    return None


@cache
def _names(catalogue: Catalogue) -> dict[str, str]:
    """Folded names and shortcodes of one language; a name goes before a shortcode that reads the same."""
    table: dict[str, str] = {}
    for emoji in catalogue.all:
        table.setdefault(fold(emoji.name), emoji.char)
    for emoji in catalogue.all:
        for code in emoji.shortcodes:
            table.setdefault(fold(code), emoji.char)
    table.pop("", None)
    return table


def _newer_shortcode(asked: str) -> str | None:
    """A shortcode of an emoji that only the ``emoji`` package knows."""
    import emoji

    code = asked.strip(":").lower().replace(" ", "_")
    if not code or ":" in code:
        return None
    return normalise_or_none(emoji.emojize(f":{code}:", language="alias"))


def _refusal(asked: str) -> str:
    shown = "".join(char for char in clean_line(asked[:200], 40) if char.isprintable())
    if not shown:
        return _("The reaction is empty: there is no emoji in it.")
    return _("“{shown}” is neither one emoji nor the name of one.").format(shown=shown)


def _hint(asked: str, locales: Sequence[str]) -> str:
    near = search(fold(asked[:_LONGEST_NAME]), _SUGGESTIONS, locales=locales)
    if not near:
        return _("Use one emoji such as 👍, or its name such as :thumbsup:.")
    catalogue = load_catalogue()
    options: list[str] = []
    for match in near:
        known = catalogue.get(match.emoji)
        code = known.shortcodes[0] if known is not None and known.shortcodes else match.label
        options.append(f"{match.emoji} :{code}:")
    return _("Did you mean {names}?").format(
        names=_(" or ").join(filter(None, (", ".join(options[:-1]), options[-1])))
    )
