"""The language in use is chosen by setting and environment, and every text asks it when it is shown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from tui_tapback.config.settings import Language
from tui_tapback.emoji.catalogue import available_locales
from tui_tapback.words import AUTO, LANGUAGES, _, choose, language, mark, plural, use
from tui_tapback.words.languages import known

ROOT = Path(__file__).parents[2]


def test_english_shows_what_stands_in_the_source() -> None:
    assert _("Nothing of the kind.") == mark("Nothing of the kind.") == "Nothing of the kind."
    assert [plural("{count} row", "{count} rows", n).format(count=n) for n in (0, 1, 2, -1)] == [
        "0 rows",
        "1 row",
        "2 rows",
        "-1 rows",
    ]


def test_a_language_is_used_until_the_next() -> None:
    use("de")
    assert language() == "de"
    use("en")
    assert language() == "en"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_can_be_used_and_counts(code: str) -> None:
    use(code)
    assert all(plural("{count} of none", "{count} of many", n) for n in range(200))


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        ("de_DE.UTF-8", "de"),
        ("de_AT@euro", "de"),
        ("pt_BR.UTF-8", "pt"),
        ("zh_CN.UTF-8", "zh"),
        ("zh_TW", "zh-hant"),
        ("zh-Hant-HK", "zh-hant"),
        ("zh-hant", "zh-hant"),
        ("C.UTF-8", ""),
        ("xx", ""),
        ("", ""),
        ("../../etc/passwd", ""),
    ],
)
def test_a_locale_names_a_language(locale: str, code: str) -> None:
    assert known(locale) == code


@pytest.mark.parametrize(
    ("setting", "environ", "code"),
    [
        (AUTO, {}, "en"),
        (AUTO, {"LANG": "de_DE.UTF-8"}, "de"),
        (AUTO, {"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"}, "fr"),
        (AUTO, {"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR", "LC_ALL": "it_IT"}, "it"),
        (AUTO, {"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        (AUTO, {"LANG": "de_DE.UTF-8", "LANGUAGE": "xx:sv:de"}, "sv"),
        (AUTO, {"LANG": "C", "LANGUAGE": "de"}, "en"),
        (AUTO, {"LANG": "eo.UTF-8"}, "en"),
        ("de", {"LANG": "fr_FR.UTF-8"}, "de"),
        ("en", {"LANG": "fr_FR.UTF-8"}, "en"),
        ("xx", {"LANG": "fr_FR.UTF-8"}, "en"),
    ],
)
def test_the_setting_comes_before_the_environment(setting: str, environ: dict[str, str], code: str) -> None:
    assert choose(setting, environ) == code


def test_english_reads_no_catalogue() -> None:
    ask = (
        "import sys; from tui_tapback.words import _, use; use('en'); _('x');"
        "bad = {'tui_tapback.words.catalogue', 'gettext', 'pathlib', 're'} & set(sys.modules);"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-S", "-c", ask], check=True, cwd=ROOT)


def test_the_languages_are_those_of_the_emoji_and_of_the_setting() -> None:
    assert set(LANGUAGES) == set(available_locales())
    assert set(get_args(Language)) == {AUTO, *LANGUAGES}


@pytest.mark.parametrize(
    ("count", "told"), [(0, "0 Wörter"), (1, "1 Wort"), (2, "2 Wörter"), (-1, "-1 Wort")]
)
def test_things_are_counted_as_the_language_counts(count: int, told: str) -> None:
    use("de")
    assert plural("{count} word", "{count} words", count).format(count=count) == told
