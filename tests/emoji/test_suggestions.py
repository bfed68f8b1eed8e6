"""The suggested tapback fits what was said, and falls back on the person's own habits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.emoji.normalise import normalise
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.emoji.suggestions import prepare, suggest


@pytest.mark.parametrize(
    ("message", "wanted", "locale"),
    [
        ("I love you", "❤️", "en"),
        ("Happy birthday!", "🎂", "en"),
        ("thanks a lot", "🙏", "en"),
        ("pizza tonight?", "🍕", "en"),
        ("it works now :)", "🙂", "en"),
        ("so cute 😻", "😻", "en"),
        ("my uncle died", "😢", "en"),
        ("is that so?", "❓", "en"),
        ("Пицца сегодня вечером?", "🍕", "ru"),
        ("Ein Elefant im Garten", "🐘", "de"),
    ],
)
def test_what_is_said_brings_its_emoji(message: str, wanted: str, locale: str) -> None:
    assert wanted in [match.emoji for match in suggest(message, 3, locales=(locale,))]


def test_the_label_is_the_word_that_brought_it() -> None:
    found = {match.emoji: match.label for match in suggest("an elephant!", 3)}
    assert found["🐘"] == "elephant"


def test_without_words_the_habits_speak_and_then_the_quick_six() -> None:
    assert [match.emoji for match in suggest("", 6)] == list(QUICK_REACTIONS)
    assert suggest("", 1, recents={"🦄": 1.0})[0].emoji == "🦄"
    assert suggest("qwrtz plmk", 1, recents={"🦄": 1.0})[0].emoji == "🦄"


def test_habit_decides_among_what_fits_and_does_not_outshout_it() -> None:
    assert suggest("my uncle died", 1, recents={"😂": 1.0})[0].emoji != "😂"
    plain = [match.emoji for match in suggest("well done", 3)]
    lifted = [match.emoji for match in suggest("well done", 3, recents={plain[2]: 1.0})]
    assert lifted.index(plain[2]) < 2


@given(st.text(max_size=200), st.integers(-1, 8))
def test_any_message_is_answered_with_distinct_emoji(message: str, limit: int) -> None:
    found = [match.emoji for match in suggest(message, limit)]
    assert len(found) <= max(0, limit)
    assert len(set(found)) == len(found)
    assert all(normalise(emoji) == emoji for emoji in found)


def test_what_was_understood_before_answers_as_ever_and_follows_the_habits_of_now() -> None:
    prepare("well done", locales=("en",))
    plain = suggest("well done", 3)
    assert plain == suggest("well done", 3)
    assert suggest("well done", 3, recents={plain[2].emoji: 1.0}) != plain
    assert suggest("well done", 3) == plain


def test_a_huge_message_costs_little() -> None:
    assert len(suggest("elephant " * 200_000, 3)) == 3


def test_a_number_in_a_message_wants_no_keycap() -> None:
    answers = [match.emoji for match in suggest("quiet until nine, table two", 10)]
    assert not [emoji for emoji in answers if emoji.endswith("\u20e3")]
