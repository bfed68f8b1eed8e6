"""Vowel signs have the cells that terminals give them, so that no word of a line is lost."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.segment import Segment

from tui_tapback.terminal.anchoring import anchor
from tui_tapback.terminal.last_frame import Frame, drawn
from tui_tapback.terminal.marks import install
from tui_tapback.terminal.segments import split_segment

# As tmux 3.3a and xterm 379 moved their cursors.
MEASURED = {
    "किताब": 5, "हिन्दी": 5, "लम्बा": 4, "வணக்கம்": 5, "நன்றி": 4, "น้ำ": 2, "မြန်မာ": 5, "ខ្មែរ": 4, "বাংলা": 5,
    "සිංහල": 4, "ক্ষ্ম": 3, "ਪੰਜਾਬੀ": 5, "ગુજરાતી": 6, "ଓଡ଼ିଆ": 3, "తెలుగు": 5, "ಕನ್ನಡ": 4, "മലയാളം": 6,
    "ພາສາລາວ": 7, "བོད": 2, "ꦗꦮ": 2, "ᬩᬮᬶ": 2, "காடு": 4, "é": 1, "❤️": 2, "日本": 4,
}  # fmt: skip


@pytest.mark.parametrize(("word", "cells"), MEASURED.items())
def test_each_word_is_as_wide_as_in_terminals_that_count_signs(word: str, cells: int) -> None:
    install()
    install()
    assert cell_len(word) == cells
    assert cell_len(word * 200) == cells * 200  # which is not looked up but added


def test_no_word_of_a_long_line_is_lost_or_left_behind_its_border() -> None:
    install()
    line = "यह हिन्दी में लिखा गया एक लम्बा वाक्य है और किताब"
    end = 43 + 1  # where tmux and xterm are after it
    assert split_segment(Segment(line), end - 1)[0].text == line
    assert anchor(f"\x1b[1;1H{line}│").endswith(f"\x1b[1G{line}\r\x1b[{end}G│")


def test_the_frame_of_the_last_time_is_measured_likewise() -> None:
    frame = Frame(
        ["किताब│", ""],
        size=(20, 2),
        session_id="s",
        terminal="",
        at=1,
        until=2,
        chat=(0, 1),
    )
    assert "\x1b[6G" in drawn(frame)
