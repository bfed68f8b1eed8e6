"""One emoji has one form, whatever spelling it comes in; what is no emoji is refused with words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.errors import NotAnEmoji
from tui_tapback.emoji.core import core
from tui_tapback.emoji.normalise import base_of, clean_foreign, normalise, normalise_or_none


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("\u2764", "\u2764\ufe0f"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("\u2764\ufe0e", "\u2764\ufe0f"),
        ("\U0001f44d\ufe0f", "\U0001f44d"),
        ("\u203c", "\u203c\ufe0f"),
        ("0\u20e3", "0\ufe0f\u20e3"),
        ("👁‍🗨", "👁️‍🗨️"),
        ("👍🏽", "👍🏽"),
        ("☝️🏽", "☝🏽"),
        (" 🎉\n", "🎉"),
        ("🏴‍☠", "🏴‍☠️"),
        ("🫩", "🫩"),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
    ],
)
def test_spellings_meet_in_the_qualified_form(text: str, form: str) -> None:
    assert normalise(text) == form
    assert normalise(normalise(text)) == form


NOT_EMOJI = [
    "",
    " ",
    "\u200b",
    "\u0301",
    "\ufe0f",
    "\u200d",
    "a",
    "1",
    "#",
    "1\ufe0f",
    "aaaaaaaa",
    "a" * 10_000,
    "👍" * 2,
    "👍 👎",
    "👍a",
    "a👍",
    "\x1b[31m",
    "\x00",
    "👍\x1b",
    "\x07👍",
    "🏽",
    "🇦",
    "👍\u200d",
    "❤️‍",
    "\ud83d",
    "[red]",
    ":tada:",
    "‍👍",
    "👨‍👩‍",
    "👍" * 5000,
    "\ufe0f👍",
]


@pytest.mark.parametrize("text", NOT_EMOJI, ids=range(len(NOT_EMOJI)))
def test_everything_else_is_refused_in_a_sentence_with_a_hint(text: str) -> None:
    assert normalise_or_none(text) is None
    with pytest.raises(NotAnEmoji) as refused:
        normalise(text)
    said = refused.value.sentence()
    assert refused.value.hint
    assert said.endswith(".")
    assert len(said) < 200
    assert all(char.isprintable() for char in said)


@given(st.text(max_size=40))
def test_whatever_is_accepted_is_stable(text: str) -> None:
    form = normalise_or_none(text)
    if form is not None:
        assert normalise(form) == form
        assert normalise(base_of(form)) == base_of(form)


@pytest.mark.parametrize("emoji", ["👍🏻", "👍🏼", "👍🏽", "👍🏾", "👍🏿", "👍", "👍\ufe0f"])
def test_a_toned_thumb_means_a_thumb(emoji: str) -> None:
    assert base_of(emoji) == "👍"


def test_two_tones_lead_to_the_base_of_both() -> None:
    assert base_of("🫱🏻‍🫲🏿") == "🤝"
    assert base_of("👩🏻‍🤝‍👨🏿") == "👫"
    assert base_of("\U0001faf9🏽") == "\U0001faf9"
    assert base_of("not an emoji") == "not an emoji"


FOREIGN = [
    ("❤", "❤️"),
    ("lgtm", "lgtm"),
    ("", ""),
    ("\u200b", ""),
    ("\u0301", ""),
    ("\u0301a", "a"),
    (":custom_emoji:", ":custom_"),
    ("\x1b[31mred\x1b[0m", "red"),
    ("a\nb", "a b"),
    ("  x  ", "x"),
    ("👍" * 50, "👍" * 8),
    ("\u202eabc", "abc"),
    ("\ud83d", "\ufffd"),
    ("©\ud7fc", "©️"),
]


@pytest.mark.parametrize(("text", "shown"), FOREIGN, ids=range(len(FOREIGN)))
def test_a_foreign_reaction_is_made_harmless(text: str, shown: str) -> None:
    assert clean_foreign(text) == shown


@given(st.text(max_size=300))
def test_a_foreign_reaction_is_short_and_printable(text: str) -> None:
    shown = clean_foreign(text)
    assert shown in core().full.values() or len(shown) <= 8
    assert all(char.isprintable() or char in "\u200d\U000e007f" for char in shown) or normalise_or_none(shown)
    assert clean_foreign(shown) == shown
