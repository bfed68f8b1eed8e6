"""Signs and letters as ASCII, cell for cell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.ascii import ascii_signs, ascii_text
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("╭──╮", "+--+"),
        ("│ ❤│", "| <|"),
        ("┏━┓┃┗┛", "#=####"),
        ("▐+1▌", "|+1|"),
        ("● online · a…", "* online - a."),
        ("“so” ↑↓ › ✗", '"so" ^v > x'),
        ("🏳 ☀ ㊗", "? ? ??"),
        ("5 €", "5 €"),
        ("Ärger 危", "Ärger 危"),
    ],
)
def test_our_own_signs_become_ascii_and_letters_stay(text: str, signs: str) -> None:
    assert ascii_signs(text) == signs


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Ärger é", "Arger e"),
        ("危険", "????"),
        ("½", "?"),
        ("Ａb", "A b"),
        ("außerhalb schließt „Ø“", 'auserhalb schliest "O"'),
        ("plain", "plain"),
    ],
)
def test_where_only_ascii_can_be_spelled_letters_become_the_most_like_and_the_rest_a_question_mark(
    text: str, plain: str
) -> None:
    assert ascii_text(text) == plain


# Fitted, as all that is drawn: Rich gives a character after a stray joiner no cells.
@given(st.text().map(clean_line).map(EmojiFitter(SAFE).fit_text))
def test_any_text_becomes_ascii_of_the_same_width(text: str) -> None:
    plain = ascii_text(text)
    assert plain.isascii() and cell_len(plain) == cell_len(text)
    assert cell_len(ascii_signs(text)) == cell_len(text)
