"""What a message says is understood in the language that it is written in, whatever the person's own is."""

import pytest

from tui_tapback.emoji.catalogue import available_locales
from tui_tapback.emoji.fold import fold
from tui_tapback.emoji.normalise import normalise
from tui_tapback.emoji.phrases import languages_of, said, shown, tongues
from tui_tapback.emoji.search import search
from tui_tapback.emoji.suggestions import suggest, valence

ENGLISH = frozenset(["the", "a", "is", "it", "to", "and"])


@pytest.mark.parametrize(
    ("text", "locales", "expected"),
    [
        ("Das ist mir nicht recht", ("en",), ("de",)),
        ("Je ne sais pas ce que tu veux", ("de",), ("fr",)),
        ("the end is near", ("de",), ("en",)),
        ("ありがとう", ("en",), ("ja",)),
        ("恭喜", ("en",), ("zh", "zh-hant")),
        ("고마워요", ("en",), ("ko",)),
        ("qwrtz", ("sv",), ("sv", "en")),
        ("danke", ("en",), ("en", "de")),
        ("", ("en",), ("en",)),
    ],
)
def test_the_language_is_told_by_script_and_by_the_commonest_words(
    text: str, locales: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert languages_of(fold(text), locales, ENGLISH) == expected


def test_every_language_of_the_bundle_has_phrases() -> None:
    assert set(tongues()) == set(available_locales()) - {"en"}
    for locale, tongue in tongues().items():
        assert {"thanks", "broken", "love"} <= set(tongue.phrases.values()) | set(tongue.stems.values()), (
            locale
        )


def test_phrases_are_found_whole_and_by_their_stems() -> None:
    assert [found.meaning for found in said(fold("Herzlichen Glückwunsch!"), "de")] == ["congrats"]
    assert [found.meaning for found in said(fold("mein Glückwunschschreiben"), "de")] == ["congrats"]
    assert [found.phrase for found in said(fold("Merci, j'ai réussi"), "fr")] == ["merci", "jai reussi"]
    assert list(said("brauchbar", "de")) == []
    assert list(said("thanks", "en")) == []


@pytest.mark.parametrize("locale", sorted(set(available_locales()) - {"en"}))
def test_what_is_shown_is_found_by_the_search(locale: str) -> None:
    for phrase, emoji in shown(locale):
        if fold(phrase):
            assert emoji in [match.emoji for match in search(phrase, 20, locales=(locale,))], phrase


@pytest.mark.parametrize("locale", sorted(set(available_locales()) - {"en"}))
def test_every_answer_is_an_emoji_in_its_one_form(locale: str) -> None:
    for phrase in tongues()[locale].phrases:
        for found in said(phrase, locale):
            assert [normalise(emoji) for emoji in found.answers] == list(found.answers)


@pytest.mark.parametrize(
    ("message", "first"),
    [
        ("Der Server ist schon wieder abgestürzt", "😢"),
        ("Pouvez-vous relire ça ?", "👍"),
        ("Wie hast du das gefunden?", "🤔"),
        ("おめでとうございます！", "🎉"),
        ("你怎么看不懂？", "🤔"),
        ("Buon compleanno", "🎂"),
    ],
)
def test_a_message_in_another_language_than_the_persons_is_understood(message: str, first: str) -> None:
    assert suggest(message, 3, locales=("en",))[0].emoji == first


def test_english_words_do_not_speak_in_another_language() -> None:
    # The German article is no die to throw.
    assert "🎲" not in [match.emoji for match in suggest("Die haben mich nicht gefragt", 6, locales=("de",))]


def test_a_negation_turns_the_mood() -> None:
    assert (
        valence(["that", "was", "a", "good", "day"]) > 0 > valence(["that", "was", "not", "a", "good", "day"])
    )
    assert valence(["nobody", "cares"]) < 0
    assert valence(["the", "table", "is", "long"]) == 0
