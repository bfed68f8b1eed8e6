"""The cursor keeps its column over ragged rows and headings, and the window always shows it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.grid import Grid, Section, Step, catalogue_sections

CHARS = tuple(emoji.char for emoji in load_catalogue().all)


def sections(*sizes: int) -> list[Section]:
    return [
        Section(f"Section {number}", CHARS[100 * number : 100 * number + size])
        for number, size in enumerate(sizes)
    ]


def walk(grid: Grid, *steps: Step) -> Grid:
    for step in steps:
        grid = grid.move(step)
    return grid


@pytest.mark.parametrize("columns", [8, 11, 18])
def test_down_and_up_again_across_headings_and_short_rows_ends_where_it_began(columns: int) -> None:
    # case B118
    grid = Grid.of(sections(20, 5, 3, 40, 1, 30), columns, 6).to(4)
    down = walk(grid, *[Step.DOWN] * 5)
    assert down.cursor > grid.cursor
    assert walk(down, *[Step.UP] * 5).cursor == grid.cursor


def test_a_short_row_clamps_and_the_next_long_one_gives_the_column_back() -> None:
    grid = Grid.of(sections(10, 3, 10), 10, 8).to(7)
    assert grid.move(Step.DOWN).column == 2
    assert walk(grid, Step.DOWN, Step.DOWN).column == 7


def test_sideways_runs_on_into_the_neighbouring_row() -> None:
    grid = Grid.of(sections(5, 5), 3, 8).to(2)
    assert grid.move(Step.RIGHT).cursor == 3
    assert grid.move(Step.RIGHT).move(Step.LEFT).cursor == 2
    assert walk(grid, Step.RIGHT, Step.RIGHT, Step.RIGHT).section == 1


def test_edges_hold() -> None:
    grid = Grid.of(sections(5, 5), 3, 8)
    assert grid.move(Step.UP) == grid == grid.move(Step.LEFT)
    assert grid.on_first_row
    last = grid.move(Step.LAST)
    assert last.move(Step.DOWN) == last == last.move(Step.RIGHT)


def test_home_and_end_stay_in_the_row() -> None:
    grid = Grid.of(sections(10), 4, 8).to(5)
    assert grid.move(Step.HOME).cursor == 4
    assert grid.move(Step.END).cursor == 7


def test_sections_are_walked_round_with_their_heading_on_top() -> None:
    grid = Grid.of(sections(30, 30, 30), 5, 4)
    assert grid.move(Step.NEXT_SECTION).cursor == 30
    assert grid.move(Step.NEXT_SECTION).visible()[0][1].title == "Section 1"
    assert grid.move(Step.PREVIOUS_SECTION).section == 2
    assert walk(grid, *[Step.NEXT_SECTION] * 3).section == 0


def test_other_contents_put_the_cursor_on_the_first_hit() -> None:
    grid = Grid.of(sections(30), 5, 4).to(6).with_sections([Section("", ("🍎", "🍏"))])
    assert grid.current == "🍎"
    assert grid.visible()[0][1].title == ""


def test_an_empty_grid_has_no_current_emoji_and_survives_every_step() -> None:
    grid = Grid.of([Section("Nothing", ())], 5, 4)
    assert grid.current is None
    assert grid.position() == "nothing found"
    assert all(grid.move(step).current is None for step in Step)
    assert grid.hit(0, 0) is None
    assert grid.to_section(1) == grid


def test_the_position_is_spoken_within_the_section() -> None:
    grid = Grid.of([Section("A", ("🍎",)), Section("B", ("😀", "😸", "👍🏽"))], 2, 4)
    assert grid.to(2).position() == "2 of 3, grinning cat with smiling eyes"
    assert grid.to(3).position() == "3 of 3, thumbs up: medium skin tone"


def test_a_hit_finds_the_cell_and_nothing_on_headings_gaps_or_outside() -> None:
    grid = Grid.of(sections(5, 5), 3, 4)
    assert grid.hit(0, 0) is None
    assert grid.hit(1, 2) == 2
    assert grid.hit(2, 2) is None
    assert grid.hit(4, 0) is None
    assert grid.hit(-1, 0) is None
    assert grid.scrolled(2).hit(0, 1) == 4


def test_resizing_keeps_the_emoji_under_the_cursor_and_in_view() -> None:
    grid = Grid.of(sections(50, 50), 10, 8).to(73)
    small = grid.resized(3, 2)
    assert small.current == grid.current
    assert small.row in [place for place, _ in small.visible()]


def test_the_whole_catalogue_in_a_tone_has_every_emoji_once() -> None:
    plain, dark = Grid.of(catalogue_sections(), 20, 9), Grid.of(catalogue_sections(tone=5), 20, 9)
    assert plain.layout.emoji == CHARS
    assert "👍🏿" in dark.layout.emoji
    assert "👍" not in dark.layout.emoji
    assert len(set(dark.layout.emoji)) == len(CHARS)


class GridWalk(RuleBasedStateMachine):
    @initialize(
        sizes=st.lists(st.integers(0, 25), max_size=6), columns=st.integers(1, 12), height=st.integers(1, 9)
    )
    def start(self, sizes: list[int], columns: int, height: int) -> None:
        self.grid = Grid.of(sections(*sizes), columns, height)

    @rule(step=st.sampled_from(Step))
    def move(self, step: Step) -> None:
        before, self.grid = self.grid, self.grid.move(step)
        assert self.in_view()
        if step in {Step.UP, Step.DOWN} and self.grid.cursor != before.cursor:
            assert self.grid.goal == before.goal
            back = self.grid.move(Step.DOWN if step is Step.UP else Step.UP)
            if before.column == min(before.goal, before.column):
                assert back.cursor == before.cursor

    @rule(index=st.integers(-3, 150))
    def click(self, index: int) -> None:
        self.grid = self.grid.to(index)
        if 0 <= index < len(self.grid.layout.emoji):
            assert self.grid.cursor == index
            assert self.in_view()

    @rule(rows=st.integers(-30, 30))
    def wheel(self, rows: int) -> None:
        before, self.grid = self.grid, self.grid.scrolled(rows)
        assert self.grid.cursor == before.cursor

    @rule(columns=st.integers(1, 14), height=st.integers(1, 9))
    def resize(self, columns: int, height: int) -> None:
        before, self.grid = self.grid, self.grid.resized(columns, height)
        assert self.grid.current == before.current
        assert self.in_view()

    def in_view(self) -> bool:
        return not self.grid.layout.emoji or self.grid.row in [place for place, _ in self.grid.visible()]

    @invariant()
    def window_and_cursor_are_within_bounds(self) -> None:
        grid = self.grid
        assert 0 <= grid.cursor < max(1, len(grid.layout.emoji))
        assert 0 <= grid.top <= max(0, len(grid.layout.rows) - grid.height)
        assert 0 <= grid.column < grid.layout.columns
        for line, (_, row) in enumerate(grid.visible()):
            for column in range(grid.layout.columns):
                hit = grid.hit(line, column)
                assert (hit is not None) == (column < row.count)


GridWalk.TestCase.settings = settings(max_examples=40, stateful_step_count=25)
TestGridWalk = GridWalk.TestCase


@given(st.lists(st.integers(0, 25), max_size=6), st.integers(1, 12), st.integers(0, 100), st.integers(0, 12))
def test_any_number_of_downs_is_undone_by_as_many_ups(
    sizes: list[int], columns: int, index: int, times: int
) -> None:
    start = Grid.of(sections(*sizes), columns, 5).to(index)
    down, made = start, 0
    for _ in range(times):
        following = down.move(Step.DOWN)
        made += following.cursor != down.cursor
        down = following
    assert walk(down, *[Step.UP] * made).cursor == start.cursor


def test_a_page_leaves_one_row_of_the_last_one_in_sight() -> None:
    grid = Grid.of([Section("", tuple(str(number) for number in range(100)))], 10, 5)
    down = grid.move(Step.PAGE_DOWN)
    assert down.current == "40"
    assert down.move(Step.PAGE_DOWN).current == "80"
    assert down.move(Step.PAGE_DOWN).move(Step.PAGE_DOWN).current == "90"
    assert down.move(Step.PAGE_UP).current == "0"
