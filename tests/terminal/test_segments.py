from __future__ import annotations

import subprocess
import sys

import emoji
import pytest
from rich.cells import cell_len
from rich.segment import Segment

from tui_tapback.terminal.segments import install, split_segment

FAMILY = "👨‍👩‍👧‍👦"


def test_a_cut_beside_an_emoji_leaves_it_whole() -> None:
    segment = Segment(f"ab{FAMILY}cd")
    assert split_segment(segment, 2)[1].text == f"{FAMILY}cd"
    assert split_segment(segment, 4)[0].text == f"ab{FAMILY}"


def test_a_cut_through_an_emoji_leaves_blanks_and_the_same_width() -> None:
    left, right = split_segment(Segment(f"ab{FAMILY}cd"), 3)
    assert (left.text, right.text) == ("ab ", " cd")


@pytest.mark.parametrize("offset", [0, 1, 2, 3])
def test_no_cut_ever_changes_the_width_or_splits_an_rgi_emoji(offset: int) -> None:
    for sequence, data in emoji.EMOJI_DATA.items():
        if data["status"] != emoji.STATUS["fully_qualified"]:
            continue
        text = f"x{sequence}y"
        left, right = split_segment(Segment(text), min(offset, cell_len(text)))
        assert cell_len(left.text) + cell_len(right.text) == cell_len(text), sequence
        assert not left.text or left.text.rstrip(" ") in ("", "x", f"x{sequence}", text), sequence


def test_installing_twice_reaches_textuals_cropping() -> None:
    from textual.strip import Strip

    install()
    install()
    cropped = Strip([Segment(f"ab{FAMILY}cd")]).crop(2, 4)
    assert cropped.text == FAMILY


@pytest.mark.slow
def test_upstream_still_needs_the_replacement() -> None:
    """When this fails, Rich cuts whole emoji by itself: remove segments.py and its callers."""
    script = (
        "import emoji\n"
        "from rich.segment import Segment\n"
        "from rich.cells import cell_len\n"
        "bad = 0\n"
        "for e, d in emoji.EMOJI_DATA.items():\n"
        "    if d['status'] == emoji.STATUS['fully_qualified'] and cell_len(e) == 2:\n"
        "        a, b = Segment('x' + e + 'y').split_cells(1)\n"
        "        c, d = Segment('x' + e + 'y').split_cells(3)\n"
        "        bad += b.text != e + 'y' or c.text != 'x' + e\n"
        "print(bad)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert int(result.stdout) > 0, "Rich no longer damages emoji: tui_tapback/terminal/segments.py can go."
