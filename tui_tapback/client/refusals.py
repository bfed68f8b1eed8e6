"""Reactions that the gateway would not take, with the reason, until the person tries again."""

from __future__ import annotations

from .intents import ReactionIntent, Slot


class Refusals:
    """One for each slot, the newest."""

    def __init__(self) -> None:
        self._refused: dict[Slot, tuple[str, ReactionIntent]] = {}

    @property
    def reasons(self) -> dict[Slot, str]:
        """Why the last reaction to a slot was refused."""
        return {slot: reason for slot, (reason, _) in self._refused.items()}

    def of(self, key: str) -> tuple[ReactionIntent, ...]:
        """The refused wishes on a message, so that they can be tried again."""
        return tuple(intent for (owner, _), (_, intent) in self._refused.items() if owner == key)

    def add(self, intent: ReactionIntent, reason: str) -> None:
        """It was refused."""
        self._refused[intent.slot] = (reason, intent)

    def withdraw(self, slot: Slot) -> None:
        """There is a newer wish."""
        self._refused.pop(slot, None)

    def forget(self, key: str) -> None:
        """The person has taken note, or the message is gone."""
        self._refused = {slot: kept for slot, kept in self._refused.items() if slot[0] != key}
