"""The catalogues hold the texts of the program, German all of them, and no translation can do harm."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.demo import translations
from tui_tapback.demo.translations import Text
from tui_tapback.words import LANGUAGES
from tui_tapback.words.catalogue import FOLDER, catalogue_of, load, plural_rule
from tui_tapback.words.po import Entry, read_po

CODES = sorted(set(LANGUAGES) - {"en"})

ONE, FEW, MANY = 0, 1, 2
_TWO = {0: 1, 1: 0, 2: 1, 5: 1, 21: 1, 101: 1}
_NONE_IS_ONE = {0: 0, 1: 0, 2: 1, 21: 1}
_ALIKE = {0: 0, 1: 0, 2: 0, 21: 0}
_POLISH = {
    0: MANY,
    1: ONE,
    2: FEW,
    4: FEW,
    5: MANY,
    12: MANY,
    14: MANY,
    21: MANY,
    22: FEW,
    112: MANY,
    122: FEW,
}
_RUSSIAN = {
    0: MANY,
    1: ONE,
    2: FEW,
    4: FEW,
    5: MANY,
    11: MANY,
    12: MANY,
    21: ONE,
    22: FEW,
    111: MANY,
    121: ONE,
}
CLDR = {
    **dict.fromkeys(("de", "es", "it", "nl", "sv", "tr"), _TWO),
    **dict.fromkeys(("fr", "pt", "hi"), _NONE_IS_ONE),
    **dict.fromkeys(("ja", "ko", "th", "vi", "zh", "zh-hant"), _ALIKE),
    **dict.fromkeys(("ru", "uk"), _RUSSIAN),
    "pl": _POLISH,
}
"""Language → number → index of the form, by the Unicode CLDR; what it says of millions apart."""


def entries(code: str) -> list[Entry]:
    return read_po((FOLDER / f"{code}.po").read_text("utf-8"))


def names(text: str) -> set[str]:
    """The placeholders, without how a number is written: other languages group digits otherwise."""
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


def faults(entry: Entry, forms: int) -> list[str]:
    """What is wrong with the translation of one text; an empty one is merely not there yet."""
    found: list[str] = []
    for number, text in enumerate(entry.texts):
        if not text:
            continue
        english = entry.many or entry.one
        wanted = {frozenset(names(english))}
        if entry.many and number == 0:
            wanted.add(frozenset(names(entry.one)))  # “one more” may say its number in words
        try:
            if frozenset(names(text)) not in wanted:
                found.append(f"{entry.one!r}: placeholders {names(text)}")
        except ValueError as error:
            found.append(f"{entry.one!r}: {error}")
        if [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") and c != "\n"]:
            found.append(f"{entry.one!r}: a control character")
        if text.count("\n") != entry.one.count("\n"):
            found.append(f"{entry.one!r}: other lines")
        if _edges(text) != _edges(entry.one):
            found.append(f"{entry.one!r}: other blanks at its ends")
        if text.count("%") != entry.one.count("%") or ("[" in text) != ("[" in entry.one):
            found.append(f"{entry.one!r}: a sign that argparse or Textual would read as an order")
    if any(entry.texts) and (not all(entry.texts) or len(entry.texts) != (forms if entry.many else 1)):
        found.append(f"{entry.one!r}: {len(entry.texts)} forms")
    return found


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def said(found: Iterable[Text | Entry]) -> set[tuple[str, str]]:
    """The English, without the places: that a sentence moves to another file is nothing to translators."""
    return {(text.one, text.many) for text in found}


def test_the_template_holds_the_texts_of_the_program() -> None:
    found = read_po(translations.TEMPLATE.read_text("utf-8"))[1:]
    assert said(found) == said(translations.gather()), "run: python -m tui_tapback.demo.translations"
    assert not any(text for entry in found for text in entry.texts)


@pytest.mark.parametrize("code", translations.COMPLETE)
def test_a_complete_language_has_all_texts_without_a_doubt(code: str) -> None:
    assert translations.missing(code) == []
    assert said(entries(code)[1:]) == said(translations.gather())


@pytest.mark.parametrize("code", CODES)
def test_every_language_of_the_emoji_has_a_sound_catalogue(code: str) -> None:
    header, *rest = entries(code)
    assert f"Language: {code.replace('zh-hant', 'zh_TW')}\n" in header.texts[0]
    forms, _which = plural_rule(header.texts[0])
    assert [fault for entry in rest for fault in faults(entry, forms)] == []
    assert len({entry.one for entry in rest}) == len(rest)


@pytest.mark.parametrize("code", CODES)
def test_numbers_take_the_form_that_the_unicode_consortium_says(code: str) -> None:
    forms, which = plural_rule(entries(code)[0].texts[0])
    assert {number: which(number) for number in CLDR[code]} == CLDR[code]
    assert forms == max(CLDR[code].values()) + 1


def by_the_slow_way(found: list[Entry], count: int) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    usable = [entry for entry in found if entry.one and all(entry.texts) and not entry.fuzzy]
    texts = {entry.one: entry.texts[0] for entry in usable if not entry.many}
    return texts, {e.one: e.texts for e in usable if e.many and len(e.texts) == count}


@pytest.mark.parametrize("code", CODES)
def test_the_quick_way_reads_what_the_careful_one_reads(code: str) -> None:
    assert set(CLDR) == set(CODES)
    found = entries(code)
    quick = load(code)
    assert (quick.texts, quick.forms) == by_the_slow_way(found, plural_rule(found[0].texts[0])[0])


_LINES = st.text(st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029"), max_size=12)
_NOTES = st.sampled_from(["# said by me", "#. fuzzy", "#: a.py", "#, fuzzy", "#, python-brace-format, fuzzy"])
_TEXTS = st.builds(
    Entry,
    _LINES.filter(bool),
    _LINES,
    st.lists(_LINES, min_size=2, max_size=2).map(tuple),
    st.just(False),
    st.lists(_NOTES, max_size=3).map(tuple),
)


@given(st.lists(_TEXTS, max_size=5, unique_by=lambda entry: entry.one))
def test_both_ways_read_the_same_whatever_stands_there(some: list[Entry]) -> None:
    whole = [entry if entry.many else replace(entry, texts=entry.texts[:1]) for entry in some]
    text = translations.write([entries("de")[0], *whole])
    quick = catalogue_of(text)
    assert (quick.texts, quick.forms) == by_the_slow_way(read_po(text), 2)
    assert [(e.one, e.many, e.texts) for e in read_po(text)[1:]] == [(e.one, e.many, e.texts) for e in whole]


@pytest.mark.parametrize(
    ("english", "translation"),
    [
        ("{count} rows", "{zahl} Zeilen"),
        ("{count} rows", "Zeilen"),
        ("{count} rows", "{count.__class__} Zeilen"),
        ("{count} rows", "{count Zeilen"),
        ("rows", "Zeilen\x1b[31m"),
        ("rows", "Zeilen\u202e"),
        ("rows", "Zeilen "),
        ("rows", "Zei\nlen"),
        ("rows", "[b]Zeilen"),
        ("rows", "100 % Zeilen"),
    ],
)
def test_a_translation_that_would_do_harm_is_found(english: str, translation: str) -> None:
    assert faults(Entry(english, "", (translation,)), 2)


def test_a_missing_form_is_found() -> None:
    assert faults(Entry("{count} row", "{count} rows", ("{count} Zeile", "")), 2)
    assert not faults(Entry("one row", "{count} rows", ("eine Zeile", "{count} Zeilen")), 2)


def test_translations_survive_a_new_gathering() -> None:
    header = entries("de")[0]
    old = [header, Entry("Send", "", ("Senden",), False, ("# said on buttons", "#: gone.py"))]
    texts = [translations.Text("Send", "", ["a.py"]), translations.Text("{n} row", "{n} rows", ["b.py"])]
    new = read_po(translations.write(translations.merged(old, texts)))[1:]
    assert new == [
        Entry("Send", "", ("Senden",), False, ("# said on buttons", "#: a.py")),
        Entry("{n} row", "{n} rows", ("", ""), False, ("#: b.py", "#, python-brace-format")),
    ]


def test_whatever_is_written_is_read_again() -> None:
    hostile = Entry('a "quoted"\\ one\n\twith a tab', "", ("„Ja“\n\n",), True, ("#, fuzzy",))
    assert read_po(translations.write([hostile])) == [hostile]
