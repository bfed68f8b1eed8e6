"""The tapback pill as a value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from tui_tapback.domain.reactions import NO_REACTIONS, Author, ReactionSet
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, SAFE, TEXT
from tui_tapback.testing.conversation import mine
from tui_tapback.widgets.pill import HEIGHT, Pill, PillStyles, place

STYLES = PillStyles(*[Style()] * 5)
FITTERS = [EmojiFitter(profile) for profile in (FULL, SAFE, TEXT, ASCII_ONLY)]


def opened(suggestion: str | None = None, own: str | None = None) -> Pill:
    reactions = ReactionSet.of([mine(own)]) if own else NO_REACTIONS
    return Pill.opened("m1", QUICK_REACTIONS, suggestion, reactions)


def rows(pill: Pill, slot: int = 4, fitter: EmojiFitter = FITTERS[1]) -> list[str]:
    return ["".join(text for text, _ in row) for row in pill.draw(slot, fitter, STYLES)]


def test_all_six_are_visible_and_the_cursor_has_a_mark_that_needs_no_colour() -> None:
    assert rows(opened().moved(1)) == [
        "╭───────────────────────────╮",
        "│ ❤  [👍] 👎  😂  ‼   ❓  + │",
        "╰─1───2───3───4───5───6─────╯",
    ]


def test_what_is_set_already_has_a_dot_above_it_and_the_cursor() -> None:
    top, middle, _ = rows(opened(own="👎"))
    assert "[👎]" in middle
    assert top.index("●") == 1 + 2 * 4 + 1
    assert opened(own="👎").emoji == "👎"


def test_a_suggestion_is_the_seventh_slot_unless_it_is_among_the_six() -> None:
    assert opened("🎉").slots == (*QUICK_REACTIONS, "🎉")
    assert opened("👍").slots == QUICK_REACTIONS


def test_the_cursor_goes_round_over_the_plus() -> None:
    pill = opened()
    assert pill.moved(-1).on_plus
    assert pill.moved(-1).emoji is None
    assert pill.moved(-1).moved(1) == pill
    assert "[+]" in rows(pill.moved(-1))[1]


def test_following_new_reactions_moves_neither_cursor_nor_target() -> None:
    pill = opened().moved(3)
    changed = pill.following(ReactionSet.of([mine("👍")]))
    assert (changed.key, changed.cursor) == (pill.key, pill.cursor)
    assert changed.own is not None
    assert changed.own.author is Author.USER


@pytest.mark.parametrize("fitter", FITTERS, ids=lambda fitter: fitter.profile.name)
@pytest.mark.parametrize("slot", [3, 4])
@pytest.mark.parametrize("suggestion", [None, "👩🏽‍💻"])
def test_edges_line_up_in_every_profile(fitter: EmojiFitter, slot: int, suggestion: str | None) -> None:
    pill = opened(suggestion, own="❤️")
    for cursor in range(len(pill.slots) + 1):
        widths = {cell_len(row) for row in rows(pill.at(cursor), slot, fitter)}
        assert widths == {pill.width(slot)}


def test_both_cells_of_every_emoji_hit_its_slot_and_the_border_hits_none() -> None:
    pill = opened("🎉")
    for slot in (3, 4):
        middle = rows(pill, slot)[1]
        for index, emoji in enumerate(pill.slots):
            start = cell_len(middle[: middle.index(FITTERS[1].fit(emoji))])
            assert pill.hit(start, 1, slot) == pill.hit(start + 1, 1, slot) == index
        assert pill.hit(cell_len(middle[: middle.index("+")]), 1, slot) == len(pill.slots)
        assert pill.hit(0, 1, slot) is None
        assert pill.hit(pill.width(slot) - 1, 1, slot) is None
        assert pill.hit(5, 0, slot) is None
        assert pill.hit(5, 2, slot) is None


@given(
    columns=st.integers(30, 220),
    height=st.integers(HEIGHT, 70),
    x=st.integers(0, 200),
    y=st.integers(-300, 70),
    size=st.tuples(st.integers(12, 100), st.integers(3, 400)),
    side=st.sampled_from(["left", "right"]),
)
def test_it_fits_at_every_edge(
    columns: int, height: int, x: int, y: int, size: tuple[int, int], side: str
) -> None:
    width = opened("🎉").width(opened("🎉").slot_width(columns))
    assert width <= columns
    left, top = place((x, y, *size), "left" if side == "left" else "right", (columns, height), width)
    assert left >= 0
    assert left + width <= columns
    assert top >= 0
    assert top + HEIGHT <= height


def test_it_stands_above_its_bubble_or_below_where_there_is_no_room() -> None:
    assert place((1, 10, 20, 3), "left", (80, 24), 29) == (1, 7)
    assert place((1, 1, 20, 3), "left", (80, 24), 29) == (1, 4)
    assert place((60, 10, 19, 3), "right", (80, 24), 29) == (50, 7)
