"""The ticks of the scroll bar: each in the row in which its message begins, also where there are many."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.testing.conversation import agent, mine
from tui_tapback.widgets.transcript.gutter import tick_rows
from tui_tapback.widgets.transcript.roll import Days, Roll
from tui_tapback.widgets.transcript.sheet import Sheet
from tui_tapback.widgets.transcript.window import Anchor

HEIGHTS = st.lists(st.integers(1, 9), min_size=20, max_size=90)


@given(heights=HEIGHTS, height=st.integers(1, 9), older=st.integers(0, 3), data=st.data())
def test_many_ticks_stand_where_each_alone_would(
    heights: list[int], height: int, older: int, data: st.DataObject
) -> None:
    if older:
        heights = [sum(heights)] * len(heights)  # a mean that is a whole number, so that no rounding decides
    sheet = Sheet(Days())
    sheet.window.replace(heights, Anchor())
    sheet.older = older
    total = int(sheet.extent[1])
    marked = sorted(data.draw(st.sets(st.integers(0, len(heights) - 1), min_size=10)))
    before = older * heights[0] if older else 0
    expected = {int(Fraction((before + sum(heights[:index])) * height, total)) for index in marked}
    assert tick_rows(marked, sheet, total, height) == expected


@given(st.lists(st.tuples(st.integers(0, 11), st.booleans(), st.booleans()), max_size=30))
def test_the_reacted_messages_are_known_in_order_whatever_comes_and_goes(
    steps: list[tuple[int, bool, bool]],
) -> None:
    messages = [agent(f"m{number}", "words") for number in range(8)]
    roll = Roll(Days())
    roll.take(messages)
    assert list(roll.reacted) == []
    for number, reacted, amended in steps:
        reactions = ReactionSet.of([mine("👍")] * reacted)
        if number < len(messages):
            messages[number] = messages[number].with_reactions(reactions)
            changed = messages[number]
        else:
            changed = agent(f"m{len(messages)}", "words").with_reactions(reactions)
            messages.append(changed)
        if amended:
            roll.amend(changed)
        else:
            roll.take(messages)
        assert list(roll.reacted) == [at for at, message in enumerate(messages) if message.reactions.items]
