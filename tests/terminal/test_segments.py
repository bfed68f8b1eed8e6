from __future__ import annotations

import subprocess
import sys

import emoji
import pytest
from rich.cells import cell_len
from rich.segment import ControlType, Segment
from rich.style import Style

from tui_tapback.terminal.segments import install, split_segment

FAMILY = "👨‍👩‍👧‍👦"


def test_a_cut_beside_an_emoji_leaves_it_whole() -> None:
    segment = Segment(f"ab{FAMILY}cd")
    assert split_segment(segment, 2)[1].text == f"{FAMILY}cd"
    assert split_segment(segment, 4)[0].text == f"ab{FAMILY}"


def test_a_cut_through_an_emoji_leaves_blanks_and_the_same_width() -> None:
    left, right = split_segment(Segment(f"ab{FAMILY}cd"), 3)
    assert (left.text, right.text) == ("ab ", " cd")


def test_both_halves_keep_their_style_and_what_they_order() -> None:
    bold, orders = Style(bold=True), ((ControlType.BELL,),)
    for half in split_segment(Segment("abcd", bold, orders), 2):
        assert (half.style, half.control) == (bold, orders)


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


DAMAGED = """
import emoji
from rich.segment import Segment
from rich.cells import cell_len
damaged = 0
for sequence, data in emoji.EMOJI_DATA.items():
    if data["status"] == emoji.STATUS["fully_qualified"] and cell_len(sequence) == 2:
        segment = Segment("x" + sequence + "y")
        after, before = segment.split_cells(1)[1], segment.split_cells(3)[0]
        damaged += after.text != sequence + "y" or before.text != "x" + sequence
print(damaged)
"""


def damaged(script: str) -> int:
    """Emoji that a fresh interpreter damages when it cuts beside them."""
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    return int(result.stdout)


@pytest.mark.slow
def test_upstream_still_needs_the_replacement() -> None:
    """When this fails, Rich cuts whole emoji by itself: remove segments.py and its callers."""
    assert damaged(DAMAGED) > 0, "Rich no longer damages emoji: tui_tapback/terminal/segments.py can go."


@pytest.mark.slow
def test_that_would_be_noticed() -> None:
    """A Rich that is repaired (by us, for want of another) damages none, so that the test above fails."""
    assert damaged("from tui_tapback.terminal.segments import install\ninstall()\n" + DAMAGED) == 0
