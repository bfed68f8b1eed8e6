"""A catalogue gives the translation, or the English where there is none that can be used."""

from __future__ import annotations

import pytest

from tui_tapback.words.catalogue import catalogue_of
from tui_tapback.words.po import Entry, PoError, read_po

HEADER = (
    'msgid ""\nmsgstr "Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 ? 1 : 2);\\n"\n\n'
)


def test_texts_are_found_by_their_english() -> None:
    found = catalogue_of(HEADER + 'msgid "Send"\nmsgstr "Senden"\n')
    assert found.texts == {"Send": "Senden"}


def test_what_is_empty_or_fuzzy_stays_english() -> None:
    found = catalogue_of(
        HEADER
        + 'msgid "Send"\nmsgstr ""\n\n#, fuzzy\nmsgid "Edit"\nmsgstr "Ändern"\n\nmsgid "Go"\nmsgstr "Los"\n'
    )
    assert found.texts == {"Go": "Los"}


def test_a_counted_text_lacking_a_form_stays_english() -> None:
    two = 'msgid "{count} row"\nmsgid_plural "{count} rows"\nmsgstr[0] "a"\nmsgstr[1] "b"\n'
    assert catalogue_of(HEADER + two).forms == {}
    assert catalogue_of(HEADER + two + 'msgstr[2] "c"\n').forms == {"{count} row": ("a", "b", "c")}


def test_a_header_without_the_rule_of_plurals_is_refused() -> None:
    with pytest.raises(PoError, match="Plural-Forms"):
        catalogue_of('msgid ""\nmsgstr "Language: de\\n"\n')


def test_texts_over_several_lines_with_escapes_are_one_text() -> None:
    lines = '# note\n#: a.py:1\nmsgid ""\n"one \\"two\\"\\n"\n"three\\\\"\nmsgstr "eins"\n'
    lines += '#~ msgid "gone"\n#~ msgstr "weg"\n'
    assert read_po(lines) == [Entry('one "two"\nthree\\', "", ("eins",), False, ("# note", "#: a.py:1"))]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("nonsense", 1, "neither"),
        ('"lost', 1, "before msgid"),
        ('msgid "a"\n"lost', 2, "second quotation mark"),
        ("msgid lost", 1, "neither"),
        ('"lost"', 1, "before msgid"),
        ('msgid "a"\n\nmsgid "b"\nmsgstr "c"', 2, "no msgstr"),
        ('msgid "a"', 2, "no msgstr"),
        ('msgstr "a"', 1, "before msgid"),
        ('msgctxt "menu"\nmsgid "a"\nmsgstr "b"', 1, "contexts"),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr[1] "c"', 3, "order"),
        ('msgid "\\q"\nmsgstr ""', 1, "escape"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(PoError, match=rf"Line {line}: .*{said}"):
        read_po(text)
