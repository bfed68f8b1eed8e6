"""What comes from outside cannot drive a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.text import clean_line, clean_text

HOSTILE = [
    "\x1b]52;c;QQ==\x07",
    "\x1b]0;x\x07",
    "\x1b[2J",
    "\x1b[6n",
    "\x1bPq\x1b\\",
    "\x9b2J",
    "\x9d52;c;QQ==\x9c",
    "\x1b]",
    "\x1bc",
    "\x07",
    "a\x00b",
    "\x7f",
    "\x85",
]


def _drives_a_terminal(text: str) -> bool:
    return any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" for c in text)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_control_character_survives(text: str) -> None:
    assert not _drives_a_terminal(clean_text(f"before {text} after"))


@pytest.mark.parametrize("text", HOSTILE[:8])
def test_an_attempt_stays_visible(text: str) -> None:
    cleaned = clean_text(text)
    assert cleaned
    assert "\u241b" in cleaned or "\ufffd" in cleaned


def test_styling_goes_and_its_text_stays() -> None:
    assert clean_text("\x1b[31mred\x1b[0m \x1b[38;2;1;2;3mx\x1b[m") == "red x"


def test_a_hyperlink_keeps_its_text_and_a_directory_report_disappears() -> None:
    text = "\x1b]7;file://h/x\x1b\\see \x1b]8;;http://a\x07here\x1b]8;;\x07"
    assert clean_text(text) == "see here"


def test_line_ends_are_made_one_and_a_lone_return_cannot_overwrite() -> None:
    assert clean_text("a\r\nb\u2028c") == "a\nb\nc"
    assert clean_text("safe\rEVIL") == "safe\u240dEVIL"


def test_bidirectional_controls_cannot_turn_a_line_round() -> None:
    assert clean_text("bob\u202eexe.txt \u2066x\u2069") == "bobexe.txt x"


def test_emoji_sequences_are_left_alone() -> None:
    family = "👩‍👩‍👧‍👦 ❤️ 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 👍🏽"
    assert clean_text(family) == family


def test_a_line_is_one_line_and_bounded() -> None:
    assert clean_line(" a\n\n b\tc ") == "a b c"
    assert clean_line("abcdef", 4) == "abc…"


@given(st.text(st.characters(), max_size=60))
def test_cleaning_is_idempotent_and_safe_for_any_text(text: str) -> None:
    once = clean_text(text)
    assert clean_text(once) == once
    assert not _drives_a_terminal(once)
    once.encode("utf-8")


@pytest.mark.parametrize("piece", ["\x9d7;", "\x1b]8;", "\x9b1;", "\x1b[", "x\x1b"])
def test_sequences_that_never_end_are_cleaned_in_one_pass(piece: str) -> None:
    """Looked for anew from each beginning to the end of the text, these would take hours."""
    text = piece * 300_000
    assert not _drives_a_terminal(clean_text(text))
    assert len(clean_line(text, 400)) == 400
