"""The window over messages whose heights are guesses until they are seen."""

from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tui_tapback.widgets.transcript.window import Anchor, Window


@dataclass
class Messages:
    """Exact heights, and which of them the window asked for."""

    heights: list[int]
    measured: set[int] = field(default_factory=set[int])

    def measure(self, index: int) -> int:
        self.measured.add(index)
        return self.heights[index]


def window(heights: list[int], rows: int, guess: int = 3) -> tuple[Window, Messages]:
    messages = Messages(heights)
    made = Window(messages.measure)
    made.rows = rows
    made.replace([guess] * len(heights), Anchor())
    made.settle()
    return made, messages


def test_it_opens_on_the_end_and_measures_only_what_shows() -> None:
    made, messages = window([5] * 10_000, rows=20)
    assert made.anchor == Anchor(9_996, 0)
    assert messages.measured == {9_996, 9_997, 9_998, 9_999}


def test_fewer_rows_than_the_window_begin_at_its_top() -> None:
    made, _ = window([3, 3], rows=20)
    assert made.anchor == Anchor(0, 0)
    assert made.at_end


def test_scrolling_up_stops_following_and_coming_back_starts_it() -> None:
    made, _ = window([3] * 100, rows=10)
    made.scroll(-5)
    assert not made.following
    made.scroll(5)
    assert made.following


def test_a_message_that_grows_above_the_window_moves_nothing_in_it() -> None:
    made, messages = window([3] * 100, rows=10)
    made.scroll(-50)
    anchor = made.anchor
    messages.heights[2] = 30
    made.height(2)
    made.settle()
    assert made.anchor == anchor


def test_revealing_scrolls_no_further_than_needed() -> None:
    made, _ = window([3] * 100, rows=10)
    made.reveal(50, upward=True)
    assert made.row_of(50) == 0
    made.reveal(51, upward=False)
    assert made.row_of(50) == 0, "it was in view already"
    made.reveal(55, upward=False)
    assert made.row_of(55) == 7


def test_of_a_message_taller_than_the_window_the_near_end_is_revealed() -> None:
    made, _ = window([3] * 20 + [50] + [3] * 20, rows=10)
    made.reveal(20, upward=True)
    assert made.anchor == Anchor(20, 40)
    made.to_start()
    made.reveal(20, upward=False)
    assert made.anchor == Anchor(20, 0)


def test_a_message_that_shrinks_at_the_top_keeps_its_place_there() -> None:
    made, messages = window([3] * 20 + [30] + [3] * 20, rows=10)
    made.reveal(20, upward=False)
    made.scroll(25)
    messages.heights[20] = 4
    made.height(20)
    made.settle()
    assert made.anchor == Anchor(20, 3)


class WindowMachine(RuleBasedStateMachine):
    """Random scrolling over messages that grow, shrink and arrive."""

    @initialize(
        heights=st.lists(st.integers(1, 30), max_size=30), rows=st.integers(1, 25), guess=st.integers(1, 9)
    )
    def begin(self, heights: list[int], rows: int, guess: int) -> None:
        self.window, self.messages = window(heights, rows, guess)

    def settled_top(self) -> tuple[int, int]:
        return self.window.anchor.index, self.window.anchor.skip

    @rule(rows=st.integers(-60, 60))
    def scroll(self, rows: int) -> None:
        self.window.scroll(rows)

    @rule()
    def to_end(self) -> None:
        self.window.to_end()
        assert self.window.at_end

    @rule()
    def to_start(self) -> None:
        self.window.to_start()
        assert self.window.top == 0

    @rule(rows=st.integers(1, 25))
    def resize(self, rows: int) -> None:
        self.window.rows = rows
        self.window.settle()

    @precondition(lambda self: bool(self.messages.heights))
    @rule(data=st.data(), upward=st.booleans())
    def reveal(self, data: st.DataObject, upward: bool) -> None:
        index = data.draw(st.integers(0, len(self.messages.heights) - 1))
        self.window.reveal(index, upward=upward)
        row = self.window.row_of(index)
        assert row is not None
        if self.messages.heights[index] <= self.window.rows:
            assert 0 <= row <= self.window.rows - self.messages.heights[index]

    @rule(height=st.integers(1, 30))
    def arrive(self, height: int) -> None:
        before, following = self.settled_top(), self.window.following
        full = self.window.heights.total >= self.window.rows
        self.messages.heights.append(height)
        self.window.heights.append(3)
        self.window.settle()
        if following:
            assert self.window.at_end
        elif full:
            assert self.settled_top() == before

    @precondition(lambda self: bool(self.messages.heights))
    @rule(data=st.data(), height=st.integers(1, 30))
    def change(self, data: st.DataObject, height: int) -> None:
        """A message changes its height; one that is not the top one never moves the top line."""
        near = st.just(self.window.anchor.index)
        index = data.draw(st.one_of(near, st.integers(0, len(self.messages.heights) - 1)))
        before, following = self.settled_top(), self.window.following
        self.messages.heights[index] = height
        self.window.height(index)
        enough = (
            self.window.heights.total - self.window.heights.above(before[0]) - before[1] >= self.window.rows
        )
        self.window.settle()
        exact = sum(self.messages.heights[before[0] :]) - before[1] >= self.window.rows
        if not following and index != before[0] and enough and exact:
            assert self.settled_top() == before

    @invariant()
    def the_anchor_is_inside_and_what_shows_is_exact(self) -> None:
        window, heights = self.window, self.messages.heights
        if not heights:
            return
        assert 0 <= window.anchor.index < len(heights)
        assert 0 <= window.anchor.skip < heights[window.anchor.index]
        for index in window.visible():
            assert window.heights[index] == heights[index]
        shown = sum(heights[window.anchor.index :]) - window.anchor.skip
        assert shown >= window.rows or window.top == 0, "there is no gap below while something is above"


TestWindow = WindowMachine.TestCase
