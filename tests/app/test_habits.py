"""What fits a message is kept ready, but not longer than it is true."""

from __future__ import annotations

from tui_tapback.app.habits import Habits
from tui_tapback.emoji.recents import Recents

NOTHING_SAID = "It arrives at five."


def test_what_was_used_counts_for_a_message_that_was_thought_of_before() -> None:
    habits = Habits(Recents(lambda: 0.0))
    assert "🦔" not in habits.fitting(NOTHING_SAID, 7)
    for _ in range(20):
        habits.used("🦔")
    assert "🦔" in habits.fitting(NOTHING_SAID, 7)


def test_another_tone_counts_as_well() -> None:
    habits = Habits(Recents(lambda: 0.0))
    assert "👍" in habits.fitting(NOTHING_SAID, 7)
    habits.choose_tone(5)
    assert "👍🏿" in habits.fitting(NOTHING_SAID, 7)
    habits.choose_form("👍🏻")
    assert "👍🏻" in habits.fitting(NOTHING_SAID, 7)


def test_another_tone_of_the_settings_counts_as_well() -> None:
    habits = Habits(Recents(lambda: 0.0))
    assert "👍" in habits.fitting(NOTHING_SAID, 7)
    habits.prefer_tone(3)
    assert "👍🏽" in habits.fitting(NOTHING_SAID, 7)


def test_what_is_kept_cannot_be_changed_from_outside() -> None:
    habits = Habits(Recents(lambda: 0.0))
    habits.fitting(NOTHING_SAID, 7).clear()
    assert habits.fitting(NOTHING_SAID, 7)


def test_only_a_few_messages_are_kept_and_all_are_answered() -> None:
    habits = Habits(Recents(lambda: 0.0))
    once = [habits.fitting(f"happy birthday number {n}!", 3) for n in range(30)]
    assert [habits.fitting(f"happy birthday number {n}!", 3) for n in range(30)] == once
    assert all("🎂" in found or "🎉" in found for found in once)
