"""Undo and redo of tapbacks: a state machine against a plain list of snapshots, and the other device."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tui_tapback.client.tapback_history import Change, TapbackHistory

KEYS = ("a", "b", "c")
EMOJI = ("❤️", "👍", "😂")


class Hand(RuleBasedStateMachine):
    """One person's reactions, undone and redone; ``past`` and ``future`` are whole snapshots."""

    def __init__(self) -> None:
        super().__init__()
        self.slots: dict[str, str | None] = dict.fromkeys(KEYS)
        self.history = TapbackHistory()
        self.past: list[dict[str, str | None]] = []
        self.future: list[dict[str, str | None]] = []
        self.last: str | None = None

    def present(self, key: str, part: str | None) -> str | None:
        assert part is None
        return self.slots[key]

    @rule(keys=st.sets(st.sampled_from(KEYS), min_size=1), emoji=st.sampled_from((*EMOJI, None)))
    def set_on(self, keys: set[str], emoji: str | None) -> None:
        before = dict(self.slots)
        self.history.record(Change(key, self.slots[key], emoji) for key in sorted(keys))
        self.slots |= dict.fromkeys(keys, emoji)
        if self.slots != before:
            self.past.append(before)
            self.future.clear()
            if emoji is not None:
                self.last = emoji

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        outcome = self.history.undo(self.present)
        assert outcome.changes and not outcome.kept
        self.future.append(dict(self.slots))
        self.slots |= {change.key: change.after for change in outcome.changes}
        assert self.slots == self.past.pop()

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        outcome = self.history.redo(self.present)
        assert outcome.changes and not outcome.kept
        self.past.append(dict(self.slots))
        self.slots |= {change.key: change.after for change in outcome.changes}
        assert self.slots == self.future.pop()

    @invariant()
    def offers_what_there_is(self) -> None:
        assert self.history.can_undo == bool(self.past)
        assert self.history.can_redo == bool(self.future)
        assert self.history.last == self.last


TestHand = Hand.TestCase
TestHand.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


def test_a_newer_choice_of_another_device_stays_and_only_it_is_left_alone() -> None:
    history = TapbackHistory()
    history.record([Change("a", None, "👍"), Change("b", "❤️", "👍")])
    slots = {"a": "😂", "b": "👍"}  # "a" was changed elsewhere meanwhile

    outcome = history.undo(lambda key, part: slots[key])

    assert outcome.changes == (Change("b", "👍", "❤️"),)
    assert outcome.kept == (Change("a", "👍", None),)
    slots["b"] = "❤️"
    assert history.redo(lambda key, part: slots[key]).changes == (Change("b", "❤️", "👍"),)
    assert slots["a"] == "😂"


def test_what_changes_nothing_is_no_step_and_an_empty_history_does_nothing() -> None:
    history = TapbackHistory()
    history.record([Change("a", "👍", "👍")])
    assert not history.can_undo
    assert not history.undo(lambda key, part: None)
    assert not history.redo(lambda key, part: None)


def test_parts_of_one_message_are_slots_of_their_own() -> None:
    history = TapbackHistory()
    history.record([Change("a", None, "👍", part="p1")])
    history.record([Change("a", None, "❤️")])
    slots: dict[tuple[str, str | None], str | None] = {("a", "p1"): "👍", ("a", None): "❤️"}
    assert history.undo(lambda key, part: slots[key, part]).changes == (Change("a", "❤️", None),)
    assert history.undo(lambda key, part: slots[key, part]).changes == (Change("a", "👍", None, "p1"),)


def test_old_steps_are_forgotten_at_the_limit() -> None:
    history = TapbackHistory(limit=2)
    for key in KEYS:
        history.record([Change(key, None, "👍")])
    assert history.undo(lambda key, part: "👍").changes[0].key == "c"
    assert history.undo(lambda key, part: "👍").changes[0].key == "b"
    assert not history.can_undo
