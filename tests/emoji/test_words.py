"""The quick six, their ASCII names and the sentences for a screen reader."""

import pytest

from tui_tapback.emoji.normalise import normalise
from tui_tapback.emoji.quick import ASCII_NAMES, QUICK_REACTIONS, ascii_form
from tui_tapback.emoji.sentence import AGENT, YOU, about, sentence, spoken


def test_the_quick_six_are_these_code_points() -> None:
    codes = [[ord(char) for char in emoji] for emoji in QUICK_REACTIONS]
    assert codes == [[0x2764, 0xFE0F], [0x1F44D], [0x1F44E], [0x1F602], [0x203C, 0xFE0F], [0x2753]]
    assert all(normalise(emoji) == emoji for emoji in QUICK_REACTIONS)


@pytest.mark.parametrize(
    ("emoji", "form"),
    [
        ("❤️", "<3"),
        ("❤", "<3"),
        ("👍", "+1"),
        ("👍🏿", "+1"),
        ("👎", "-1"),
        ("😂", "XD"),
        ("‼️", "!!"),
        ("❓", "??"),
        ("🎉", ":tada:"),
        ("🇩🇪", ":de:"),
        ("\U0001fadd", ":U+1FADD:"),
    ],
)
def test_every_emoji_has_an_ascii_form(emoji: str, form: str) -> None:
    assert ascii_form(emoji) == form
    assert ascii_form(emoji).isascii()
    assert set(ASCII_NAMES) == set(QUICK_REACTIONS)


@pytest.mark.parametrize(
    ("emoji", "said"),
    [
        ("❤️", "loved"),
        ("👍", "liked"),
        ("👍🏽", "liked"),
        ("👎", "disliked"),
        ("😂", "laughed at"),
        ("‼️", "emphasized"),
        ("❓", "questioned"),
        ("🦄", "reacted 🦄 to"),
    ],
)
def test_a_tapback_is_put_into_a_sentence(emoji: str, said: str) -> None:
    assert sentence(AGENT, emoji, "see you") == f"Agent {said} “see you”"
    assert sentence(YOU, emoji, "") == f"You {said} a message"
    assert about("Ann", emoji, "this") == f"Ann {said} this"


def test_an_emoji_is_read_aloud_in_the_language_asked_for() -> None:
    assert spoken("👍🏽") == "thumbs up: medium skin tone"
    assert spoken("❤️", "fr") == "cœur rouge"
