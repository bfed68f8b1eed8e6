"""Undo, redo and repeat of a person's own reactions, as a pure model over absolute changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tui_tapback.domain.values import value

LIMIT = 200
"""Steps that can be taken back; older ones are forgotten."""


@value
class Change:
    """One slot of one message went from ``before`` to ``after`` (None: no reaction).

    ``quote`` is how the part begins, if it is one.
    """

    key: str
    before: str | None
    after: str | None
    part: str | None = None
    quote: str = ""

    @property
    def reverse(self) -> Change:
        """The change that takes this one back."""
        return Change(self.key, self.after, self.before, self.part, self.quote)


@value
class Outcome:
    """What an undo or a redo comes to.

    ``changes`` are to be carried out now. ``kept`` are those that were left alone, since the slot no longer
    holds what this step had put there: a newer choice, made here or on another device, stays.
    """

    changes: tuple[Change, ...] = ()
    kept: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changes or self.kept)


Present = Callable[[str, str | None], str | None]
"""(message key, part) → the person's emoji there now."""


class TapbackHistory:
    """The steps of one session, newest last. A step is what one key or click did: a range is one step."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._done: list[tuple[Change, ...]] = []
        self._undone: list[tuple[Change, ...]] = []
        self._last: str | None = None

    @property
    def last(self) -> str | None:
        """The emoji that was set last and that ``.`` repeats."""
        return self._last

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a step was taken back and nothing new was done since."""
        return bool(self._undone)

    def record(self, changes: Iterable[Change], *, joins: bool = False) -> None:
        """Remember a step. What changes nothing is no step; a new step forgets what could be redone.

        ``joins``: it belongs to the same wish as the newest step, and is taken back together with it.
        """
        step = tuple(change for change in changes if change.before != change.after)
        if not step:
            return
        if joins and self._done:
            step = (*self._done.pop(), *step)
        self._done = [*self._done, step][-self._limit :]
        self._undone.clear()
        self._last = next((c.after for c in reversed(step) if c.after is not None), self._last)

    def undo(self, present: Present) -> Outcome:
        """Take the newest step back; empty where there is none."""
        return self._move(self._done, self._undone, present, back=True)

    def redo(self, present: Present) -> Outcome:
        """Do again what was taken back last; empty where there is none."""
        return self._move(self._undone, self._done, present, back=False)

    @staticmethod
    def _move(
        source: list[tuple[Change, ...]], target: list[tuple[Change, ...]], present: Present, *, back: bool
    ) -> Outcome:
        if not source:
            return Outcome()
        step = source.pop()
        moved: list[Change] = []
        outcome = Outcome()
        for change in step:
            now = change.reverse if back else change
            if present(now.key, now.part) == now.before:
                moved.append(change)
                outcome = Outcome((*outcome.changes, now), outcome.kept)
            else:
                outcome = Outcome(outcome.changes, (*outcome.kept, now))
        if moved:  # only what was moved can be moved back
            target.append(tuple(moved))
        return outcome
