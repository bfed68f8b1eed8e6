"""Replaces Rich's cutting of segments, which splits emoji in two, by one that cuts between grapheme clusters.

Textual crops every strip and lays every overlay through ``Segment._split_cells``. Rich 15.0 finds the place
by code points there, so that a joined, toned or flag emoji at the cut is torn. This file is the whole
workaround: ``tests/terminal/test_segments.py`` says when Rich no longer needs it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.segment import Segment

from tui_tapback.terminal.graphemes import split_cells

_METHOD: Final = "_split_cells"


@lru_cache(16384)
def split_segment(segment: Segment, cut: int) -> tuple[Segment, Segment]:
    """Cut ``segment`` after ``cut`` cells; a wide cluster on the cut becomes blanks on both sides."""
    left, right = split_cells(segment.text, cut)
    return (
        Segment(left, segment.style, segment.control),
        Segment(right, segment.style, segment.control),
    )


def _split_cells(_cls: type[Segment], segment: Segment, cut: int) -> tuple[Segment, Segment]:
    return split_segment(segment, cut)


def install() -> None:
    """Make Rich, and with it Textual, cut segments by grapheme clusters; a second call changes nothing.

    Process-wide: called once by whatever starts an app (and by the test fixtures).
    """
    setattr(Segment, _METHOD, classmethod(_split_cells))
