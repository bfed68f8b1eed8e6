"""Other forms of an English word in a query: singular and plural, -ing and -ed, male and man."""

from __future__ import annotations

from types import MappingProxyType

_IRREGULAR = (
    ("man", "men"), ("woman", "women"), ("child", "children"), ("foot", "feet"), ("tooth", "teeth"),
    ("mouse", "mice"), ("goose", "geese"), ("person", "people"), ("die", "dice"), ("ox", "oxen"),
)  # fmt: skip
# People say male where the names say man.
_SAME = (
    ("male", "man"),
    ("female", "woman"),
    ("guy", "man"),
    ("lady", "woman"),
    ("males", "men"),
    ("females", "women"),
)

_NUMBERS = (
    ("zero", "0"), ("one", "1"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"), ("six", "6"),
    ("seven", "7"), ("eight", "8"), ("nine", "9"), ("ten", "10"), ("hundred", "100"),
)  # fmt: skip


def _pairs() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    both = (*_IRREGULAR, *_NUMBERS)
    for one, other in (*both, *((b, a) for a, b in both), *_SAME):
        table[one] = (*table.get(one, ()), other)
    return table


_TABLE = MappingProxyType(_pairs())


def number_forms(word: str) -> list[str]:
    """The plural of a singular and the other way round, digits for number words, man for male."""
    forms: list[str] = [*_TABLE.get(word, ())]
    if not (word.isascii() and word.isalpha()):
        return forms
    if word.endswith("ies") and len(word) > 4:
        forms.append(word[:-3] + "y")
    if word.endswith("ves") and len(word) > 4:
        forms += [word[:-3] + "f", word[:-3] + "fe"]
    if word.endswith("es") and len(word) > 4:
        forms.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        forms.append(word[:-1])
    if not word.endswith("s") and len(word) > 2:
        forms.append(word + "s")
        if word.endswith("y"):
            forms.append(word[:-1] + "ies")
        if word.endswith(("x", "ch", "sh", "z", "o")):
            forms.append(word + "es")
    return forms


def verb_forms(word: str) -> list[str]:
    """The plain verb of a form in -ing, -ed or -y, and the -ing form of a plain verb."""
    forms: list[str] = []
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return forms
    for ending in ("ing", "ed", "er", "y"):
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) >= 3:
            forms += [stem, stem + "e"]
            if len(stem) > 3 and stem[-1] == stem[-2]:
                forms.append(stem[:-1])
    stem = word[:-1] if word.endswith("e") else word
    forms += [stem + "ing", stem + stem[-1] + "ing"]
    return forms
