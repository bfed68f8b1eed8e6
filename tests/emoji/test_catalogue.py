"""The bundle holds every RGI emoji up to its version, and each is found by everything that it is called."""

import emoji as package
import pytest

from tui_tapback.emoji.catalogue import available_locales, known_locale, load_catalogue
from tui_tapback.emoji.core import bare, core, tones_in, with_tone
from tui_tapback.emoji.normalise import base_of, normalise, normalise_or_none
from tui_tapback.emoji.search import search

CATALOGUE = load_catalogue()
QUALIFIED = [
    char
    for char, data in package.EMOJI_DATA.items()
    if data["status"] == package.STATUS["fully_qualified"] and data["E"] <= CATALOGUE.version
]
# A name that two emoji bear in two languages or presets may put either first.
NEAR = 10


def test_every_qualified_sequence_up_to_the_version_is_in_the_catalogue() -> None:
    assert CATALOGUE.version == 17.0
    assert len(QUALIFIED) == 3944
    missing = [char for char in QUALIFIED if CATALOGUE.get(char) is None]
    assert missing == []
    ours = {form for entry in CATALOGUE.all for form in (entry.char, *entry.tones)}
    assert ours == set(QUALIFIED)


def test_every_sequence_normalises_to_itself_and_so_does_each_of_its_spellings() -> None:
    for char in QUALIFIED:
        assert normalise(char) == char
        assert normalise(bare(char)) == char
        assert normalise(f" {char}\ufe0f") == char


def test_everything_the_package_knows_is_accepted_whatever_its_version() -> None:
    components = {
        char for char, data in package.EMOJI_DATA.items() if data["status"] == package.STATUS["component"]
    }
    refused = [char for char in package.EMOJI_DATA if normalise_or_none(char) is None]
    assert set(refused) == components


@pytest.mark.slow
def test_every_emoji_is_found_by_its_own_name() -> None:
    for entry in CATALOGUE.all:
        # Two emoji may share a word (dizzy is a star's name and a face's shortcode).
        assert entry.char in [match.emoji for match in search(entry.name, 3)], entry.name


@pytest.mark.slow
def test_every_emoji_is_found_by_each_of_its_shortcodes() -> None:
    lost = [
        (entry.char, code)
        for entry in CATALOGUE.all
        for code in entry.shortcodes
        for form in (f":{code}:", code)
        if entry.char not in [match.emoji for match in search(form, NEAR)]
    ]
    assert lost == []


@pytest.mark.slow
def test_every_sequence_is_found_when_pasted_with_and_without_selectors() -> None:
    for char in QUALIFIED:
        for spelling in (char, bare(char)):
            answers = [match.emoji for match in search(spelling, 2)]
            assert answers[0] == char
            assert base_of(char) in answers


def test_tones_know_their_base() -> None:
    for entry in CATALOGUE.all:
        assert len(entry.tones) in {0, 5, 25, 26}
        for number, toned in enumerate(entry.tones[:5], start=1):
            assert base_of(toned) == entry.char
            assert with_tone(entry.char, number) == toned
            assert set(tones_in(toned)) == {number}


def test_a_name_says_the_tone_and_a_stranger_is_named_by_its_code_points() -> None:
    assert CATALOGUE.name("👍🏽") == "thumbs up: medium skin tone"
    assert CATALOGUE.name("❤") == "red heart"
    assert CATALOGUE.name("👩🏾‍🦰") == "woman: medium-dark skin tone, red hair"
    assert CATALOGUE.name("\U0001fae9") == "face with bags under eyes"
    assert CATALOGUE.name("\U0001fadd") == "emoji U+1FADD"
    assert load_catalogue("de").name("👍🏽") == "Daumen hoch: mittlerer Hautton"


@pytest.mark.parametrize("char", ["😿", "💯", "🛜", "0️⃣", "🏴‍☠️", "🫩", "🇺🇳", "🫱🏻‍🫲🏿"])
def test_symbols_keycaps_flags_and_new_emoji_are_all_there(char: str) -> None:
    entry = CATALOGUE.get(char)
    assert entry is not None
    assert entry.name
    assert normalise(char) == char


@pytest.mark.parametrize(
    ("code", "char"), [("+1", "👍"), (":thumbsup:", "👍"), ("TADA", "🎉"), (":heart:", "❤️")]
)
def test_shortcodes_lead_to_their_emoji(code: str, char: str) -> None:
    entry = CATALOGUE.by_shortcode(code)
    assert entry is not None
    assert entry.char == char


def test_the_groups_are_those_of_the_charts_each_with_a_sample_of_its_own() -> None:
    assert next(group.id for group in CATALOGUE.groups) == "smileys-emotion"
    assert len(CATALOGUE.groups) == 9
    for group in CATALOGUE.groups:
        sample = CATALOGUE.get(group.emoji)
        assert sample is not None
        assert sample.group == group.id


WANTED = [
    "de", "es", "fr", "it", "pt", "nl", "pl", "ru", "uk", "tr", "ja", "ko", "zh", "zh-hant", "hi", "th", "vi",
    "sv", "en",
]  # fmt: skip


@pytest.mark.parametrize("locale", WANTED)
def test_every_promised_language_has_names_titles_and_tones(locale: str) -> None:
    assert locale in available_locales()
    catalogue = load_catalogue(locale)
    assert len(catalogue.all) == len(core().chars)
    assert all(entry.name.strip() for entry in catalogue.all)
    assert all(group.title for group in catalogue.groups)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("de_DE.UTF-8", "de"),
        ("pt-BR", "pt"),
        ("zh_TW", "zh-hant"),
        ("zh-CN", "zh"),
        ("C", "en"),
        ("", "en"),
        ("../x", "en"),
    ],
)
def test_a_locale_of_the_environment_leads_to_the_nearest_bundled_one(asked: str, given: str) -> None:
    assert known_locale(asked) == given
