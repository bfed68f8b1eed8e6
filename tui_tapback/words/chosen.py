"""The language in use, and the functions by which every text asks for its translation, as gettext has them.

English stands in the source, so English reads no file. The language is the one thing here that a process has
only one of, as it has one locale: ``use`` is called by the entry of a process and by nobody else, and a text
is looked up at the moment it is shown, never when a module is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from .languages import ENGLISH


class _Tongue:
    """What is spoken now: texts by their English, and the forms of those that are counted."""

    __slots__ = ("forms", "language", "texts", "which")

    def __init__(self) -> None:
        self.english()

    def english(self) -> None:
        """What stands in the source is shown."""
        self.language = ENGLISH
        self.texts: Mapping[str, str] = MappingProxyType({})
        self.forms: Mapping[str, tuple[str, ...]] = MappingProxyType({})
        self.which: Callable[[int], int] = int


_now = _Tongue()


def _(text: str) -> str:
    """``text`` in the language in use, itself where there is no translation.

    Placeholders are named and filled afterwards: ``_("Hello {name}.").format(name=name)``.
    """
    return _now.texts.get(text, text)


def plural(one: str, many: str, count: int) -> str:
    """The form for ``count`` things, with its placeholders: ``plural("{count} row", "{count} rows", 3)``."""
    forms = _now.forms.get(one)
    if forms is None:
        return one if count == 1 else many
    return forms[_now.which(abs(count))]


def mark(text: str) -> str:
    """The same text: says that it is English for a person, and that who shows it will ask ``_`` for it."""
    return text


def language() -> str:
    """The code of the language in use: ``en``, ``de``, ``zh-hant`` …"""
    return _now.language


def use(code: str) -> None:
    """Show texts in this language from now on; a code without a catalogue means English."""
    if code == ENGLISH:
        _now.english()
        return
    from .catalogue import load

    found = load(code)
    _now.language, _now.texts, _now.forms, _now.which = code, found.texts, found.forms, found.which
