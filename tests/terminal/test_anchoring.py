"""What stands right of Indic and Thai words keeps its column everywhere; nothing old shines through."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui_tapback.terminal.anchoring import anchor

WORDS = ("हिन्दी", "தமிழ் நன்றி", "ไทย น้ำ", "မြန်မာ", "ខ្មែរ", "ᄒᆞᆫ글", "বাংলা", "සිංහල")
_TOKEN = re.compile(
    r"\x1b\[(\d+);(\d+)H|\x1b\[(\d+)G|\x1b\[(\?[0-9;]*[hl])|\x1b\[[0-9;]*m|\x1b\][^\x07]*\x07|(.)", re.DOTALL
)


def shown(output: str, width_of_strange: int, columns: int = 40, lines: int = 3) -> list[list[str]]:
    """The cells of a terminal that gives each sign of those scripts the same number of cells."""
    cells = [["*"] * columns for _ in range(lines)]  # a star: what was there before
    row = column = 0
    for token in _TOKEN.finditer(output):
        if token[1]:
            row, column = int(token[1]) - 1, int(token[2]) - 1
        elif token[3]:
            column = int(token[3]) - 1
        elif token[4]:
            assert "?7" not in token[4], "whether lines break is not decided here"
        elif token[5] == "\r":
            column = 0
        elif char := token[5]:
            width = width_of_strange if "\u0900" <= char <= "\u18af" else cell_len(char)
            if column + width > columns:
                column = columns - width
            if width:
                cells[row][column : column + width] = [char, *[""] * (width - 1)]
            column += width
    return cells


@pytest.mark.parametrize(("words", "width"), [*itertools.product(WORDS, (0, 1, 2))])
def test_the_border_stands_and_nothing_old_shines_through(words: str, width: int) -> None:
    planned = cell_len(words)
    line = f"│ {words} end │"
    for between in ("", "\x1b[0m"):  # with and without a change of colour before the border
        output = f"\x1b[?2026h\x1b[2;3H\x1b[1m{line[:-1]}{between}│ \x1b[3;1Hnext\x1b]8;;x\x07\x1b[?2026l"
        cells = shown(anchor(output), width)
        assert cells[1][2] == "│" and cells[1][2 + cell_len(line) - 1] == "│"
        assert "".join(cells[1][4 + planned + 1 : 4 + planned + 4]) == "end"
        assert "*" not in cells[1][2 : 2 + cell_len(line)]
        assert "".join(cells[2][:4]) == "next" and cells[0] == ["*"] * 40


@pytest.mark.parametrize("width", [1, 2])
def test_a_line_that_is_full_does_not_break(width: int) -> None:
    words = "हिन्दी" * 7  # 21 cells by Rich, 35 by ours
    start = 40 - cell_len(words) + 1
    assert start > 1
    cells = shown(anchor(f"\x1b[1;{start}H{words}"), width)
    assert cells[1] == ["*"] * 40


def test_nothing_else_is_touched() -> None:
    for output in (
        "plain \x1b[2;3H",
        "\x1b[2;3H│ ❤️ 日本語 e\u0301 👩‍💻 עברית العربية │",
        "हिन्दी without a place",
    ):
        assert anchor(output) is output or anchor(output) == output
    moved = "\x1b[2;3Hx\nहिन्दी \x1b[3Aதமிழ்"
    assert anchor(moved) == moved  # where that is nobody has said


@given(
    st.lists(
        st.sampled_from([*WORDS, "a.", "│", "\x1b[1m", "\x1b[2;9H", "日", "\u0301", "\u200d", "\n", "👍"])
    )
)
def test_only_orders_and_blanks_are_added(pieces: list[str]) -> None:
    output = "\x1b[1;1H" + "".join(pieces)
    bare = re.sub(r"[ \r]*\x1b\[\d+G", "", anchor(output))
    assert bare == output
