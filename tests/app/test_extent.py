"""How much lies beyond what is held: exact where windows overlap, close after a jump."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.app.reading.extent import Extent
from tui_tapback.testing.conversation import chat
from tui_tapback.testing.rooms import stored

TOTAL = 1000
ALL = stored(tuple(chat(TOTAL)))


def follow(extent: Extent, start: int, stop: int) -> tuple[int, int]:
    return extent.follow(ALL[start:stop], has_older=start > 0, has_newer=stop < TOTAL, total=TOTAL)


def test_the_end_the_beginning_and_a_chat_that_is_held_whole() -> None:
    extent = Extent()
    assert follow(extent, 800, 1000) == (800, 0)
    assert follow(extent, 0, 200) == (0, 800)
    assert extent.follow(ALL, has_older=False, has_newer=False, total=None) == (0, 0)
    assert extent.follow((), has_older=True, has_newer=False, total=7) == (0, 0)


def test_a_jump_into_the_middle_is_placed_by_its_row_ids() -> None:
    extent = Extent()
    follow(extent, 800, 1000)
    assert follow(extent, 400, 600) == (400, 400)


@given(st.lists(st.tuples(st.integers(-150, 150), st.integers(-150, 150)), max_size=30))
def test_windows_that_overlap_are_counted_exactly(steps: list[tuple[int, int]]) -> None:
    extent = Extent()
    start, stop = 800, 1000
    follow(extent, start, stop)
    for first, last in steps:
        new_start = min(max(0, start + first), TOTAL - 1)
        new_stop = min(max(new_start + 1, stop + last), TOTAL)
        if max(start, new_start) >= min(stop, new_stop):
            continue
        start, stop = new_start, new_stop
        assert follow(extent, start, stop) == (start, TOTAL - stop)
