"""What differs between two states of a session."""

from dataclasses import replace
from datetime import UTC, date, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.testing.conversation import START, agent, chat, mine, streaming, tool, user
from tui_tapback.widgets.transcript.roll import Days, Roll


def keys(roll: Roll) -> list[str]:
    return [entry.message.key for entry in roll.entries]


def test_the_same_objects_again_are_no_change() -> None:
    roll, messages = Roll(), chat(5)
    assert roll.take(messages).rebuilt is False
    assert not roll.take(list(messages))


def test_a_new_value_under_an_old_key_is_one_change() -> None:
    roll, messages = Roll(), chat(5)
    roll.take(messages)
    messages[2] = messages[2].with_reactions(ReactionSet.of([mine("👍")]))
    changes = roll.take(messages)
    assert (changes.rebuilt, changes.changed, changes.appended) == (False, (2,), 0)


def test_appended_messages_are_counted_as_drawn() -> None:
    roll = Roll()
    roll.take(chat(2))
    changes = roll.take([*chat(0), *roll_state(roll), tool("t", "send_message"), agent("x", "hi")])
    assert (changes.rebuilt, changes.appended) == (False, 1)


def roll_state(roll: Roll) -> list[Message]:
    return [entry.message for entry in roll.entries]


def test_another_message_in_the_same_place_takes_the_place_and_the_old_key_is_forgotten() -> None:
    roll = Roll()
    roll.take([user("a", "x"), agent("b", "y")])
    roll.take([user("a", "x"), agent("c", "z")])
    assert keys(roll) == ["a", "c"]
    assert roll.index("c") == 1
    assert roll.index("b") is None
    assert roll.get("b") is None


def test_two_messages_of_the_same_words_stay_two() -> None:
    roll = Roll()
    roll.take([user("a", "continue"), agent("b", "ok"), user("c", "continue", mine("👍"))])
    assert keys(roll) == ["a", "b", "c"]
    assert not roll.entries[0].message.reactions
    assert roll.entries[2].message.reactions


def test_rows_of_the_reacting_tools_are_not_drawn_others_are() -> None:
    roll = Roll()
    roll.take([tool("1", "send_message"), tool("2", "react_to_message"), tool("3", "search")])
    assert keys(roll) == ["3"]


def test_an_answer_without_a_word_is_drawn_only_while_it_means_something() -> None:
    roll = Roll()
    roll.take([agent("done", ""), streaming("now", ""), agent("cut", "", status=Status.INTERRUPTED)])
    assert keys(roll) == ["now", "cut"]
    roll.take([agent("done", ""), agent("now", ""), agent("cut", "", status=Status.INTERRUPTED)])
    assert keys(roll) == ["cut"]


def test_the_first_message_of_a_day_carries_it() -> None:
    roll = Roll(Days(UTC))
    roll.take([user("a", "x"), agent("b", "y"), user("c", "z", at=START + 86_400)])
    assert [entry.day for entry in roll.entries] == [date(2025, 6, 15), None, date(2025, 6, 16)]


@pytest.mark.parametrize("at", [0.0, -5.0, 1e300, float("nan"), float("inf")])
def test_a_moment_that_is_none_has_no_day(at: float) -> None:
    assert Days(UTC).day(at) is None
    assert Days(UTC).clock(at) == ""


def test_a_day_is_that_of_the_time_zone() -> None:
    late = START + 8.5 * 3600  # 23:36 UTC
    assert Days(UTC).day(late) == date(2025, 6, 15)
    assert Days(timezone(timedelta(hours=2))).day(late) == date(2025, 6, 16)


def test_the_nearest_message_that_can_be_reacted_to_is_found_in_either_direction() -> None:
    roll = Roll()
    roll.take([user("a", "x"), tool("1", "search"), tool("2", "search"), agent("b", "y")])
    assert roll.nearest(1) == 0
    assert roll.nearest(1, 1) == 3
    assert roll.nearest(2, -1) == 0
    assert roll.nearest(4, 1) is None


roles = st.sampled_from([Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
texts = st.sampled_from(["", "a", "bb"])


def message(key: int, role: Role, text: str, day: int) -> Message:
    return Message(key=f"k{key}", role=role, text=text, at=START + day * 86_400)


values = st.builds(message, st.integers(0, 7), roles, texts, st.integers(0, 2))


def key_of(message: Message) -> str:
    return message.key


states = st.lists(values, max_size=8, unique_by=key_of)


@given(st.lists(states, min_size=1, max_size=6), st.data())
def test_a_roll_that_went_through_changes_equals_one_made_afresh(
    history: list[list[Message]], data: st.DataObject
) -> None:
    roll = Roll(Days(UTC))
    state: list[Message] = []
    for fresh in history:
        match data.draw(st.sampled_from(["replace", "append", "prepend", "change", "cut"])):
            case "replace":
                state = fresh
            case "append":
                state = [*state, *(m for m in fresh if m.key not in {old.key for old in state})]
            case "prepend":
                state = [*(m for m in fresh if m.key not in {old.key for old in state}), *state]
            case "change":
                state = [replace(m, text=m.text + "!") if index % 2 else m for index, m in enumerate(state)]
            case _:
                state = state[1:]
        roll.take(state)
        other = Roll(Days(UTC))
        other.take(state)
        assert roll.entries == other.entries
        places = {entry.message.key: index for index, entry in enumerate(roll.entries)}
        assert {
            key: roll.index(key) for key in (f"k{n}" for n in range(8)) if roll.index(key) is not None
        } == places
