"""The height index against the plain sum it stands for."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tui_tapback.widgets.transcript.heights import HeightIndex

heights = st.integers(1, 40)


class HeightsMachine(RuleBasedStateMachine):
    """A list of heights beside the index."""

    @initialize(start=st.lists(heights, max_size=40))
    def begin(self, start: list[int]) -> None:
        self.plain = list(start)
        self.index = HeightIndex(start)

    @rule(height=heights)
    def append(self, height: int) -> None:
        self.plain.append(height)
        self.index.append(height)

    @rule(data=st.data(), height=heights)
    def correct(self, data: st.DataObject, height: int) -> None:
        if self.plain:
            at = data.draw(st.integers(0, len(self.plain) - 1))
            self.plain[at] = height
            self.index.set(at, height)

    @rule(data=st.data())
    def message_at_a_row(self, data: st.DataObject) -> None:
        row = data.draw(st.integers(0, sum(self.plain) + 5))
        index, rest = self.index.at(row)
        assert sum(self.plain[:index]) + rest == row
        assert index == len(self.plain) or 0 <= rest < self.plain[index]

    @invariant()
    def sums_agree(self) -> None:
        assert len(self.index) == len(self.plain)
        assert self.index.total == sum(self.plain)
        for at in range(len(self.plain)):
            assert self.index.above(at) == sum(self.plain[:at])
            assert self.index[at] == self.plain[at]


TestHeights = HeightsMachine.TestCase
