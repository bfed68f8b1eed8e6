"""Reads the catalogue of one language, and finds which of its forms goes with a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from gettext import c2py
from pathlib import Path

from .po import PoError, read_po

FOLDER = Path(__file__).parent / "po"
"""Here lie ``de.po`` and the others, and ``tui-tapback.pot``, the template of a new one."""

_PLURALS = re.compile(r"^Plural-Forms:\s*nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;\n]+);", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """``texts``: English → translation; ``forms``: the English for one thing → all forms;
    ``which`` gives the index of the form for a number."""

    texts: Mapping[str, str]
    forms: Mapping[str, tuple[str, ...]]
    which: Callable[[int], int]


def load(code: str) -> Catalogue:
    """The catalogue of a language, empty where there is no file. Raises PoError for a broken one."""
    try:
        text = (FOLDER / f"{code}.po").read_text(encoding="utf-8")
    except FileNotFoundError:
        return Catalogue({}, {}, int)
    return catalogue_of(text)


def catalogue_of(text: str) -> Catalogue:
    """The catalogue in the text of a .po file; what is empty, fuzzy or incomplete stays English."""
    texts: dict[str, str] = {}
    forms: dict[str, tuple[str, ...]] = {}
    header = ""
    for entry in read_po(text):
        if not entry.one:
            header = entry.texts[0]
        elif entry.fuzzy or not all(entry.texts):
            continue
        elif entry.many:
            forms[entry.one] = entry.texts
        else:
            texts[entry.one] = entry.texts[0]
    count, which = plural_rule(header)
    return Catalogue(texts, {one: each for one, each in forms.items() if len(each) == count}, which)


def plural_rule(header: str) -> tuple[int, Callable[[int], int]]:
    """How many forms a language has, and the function from a number to the form's index."""
    found = _PLURALS.search(header)
    if found is None:
        raise PoError("The header says nothing of Plural-Forms.")
    return int(found[1]), c2py(found[2])
