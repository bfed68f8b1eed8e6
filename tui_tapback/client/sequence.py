"""Puts the numbered events of one stream in order: duplicates go, gaps are held until they are filled."""

from __future__ import annotations

from tui_tapback.wire.events import EventParams

PARKED_LIMIT = 4096
"""Events held behind a gap; beyond that the history is read anew anyway."""


class Sequence:
    """One numbered stream. ``last`` is the number up to which everything was applied, None at the start."""

    def __init__(self) -> None:
        self.last: int | None = None
        self.duplicates = 0
        self._holding = False
        self._parked: dict[int, EventParams] = {}

    @property
    def gap(self) -> bool:
        """Whether events wait behind a missing one."""
        return bool(self._parked) and not self._holding

    def hold(self) -> None:
        """Keep everything back until ``release``: a snapshot is on its way."""
        self._holding = True

    def offer(self, params: EventParams) -> list[EventParams]:
        """Take an event; returns what may be applied now, in order."""
        number = params.seq
        if number is None:
            return [params]
        if self.last is not None and number <= self.last:
            self.duplicates += 1
            return []
        if self._holding or (self.last is not None and number > self.last + 1):
            if len(self._parked) < PARKED_LIMIT:
                self._parked[number] = params
            return []
        self.last = number
        return [params, *self._follow()]

    def release(self, reached: int | None) -> list[EventParams]:
        """A snapshot that includes the events up to ``reached`` was applied.

        None: the gateway did not say how far its snapshot goes, so that what was held is applied as it came.
        """
        self._holding = False
        if reached is None:
            ready = [self._parked[number] for number in sorted(self._parked)]
            self.last = max(self._parked, default=None)
            self._parked.clear()
            return ready
        self.last = reached
        self._parked = {n: p for n, p in self._parked.items() if n > reached}
        return self._follow()

    def settle(self, reached: int) -> list[EventParams]:
        """Everything up to ``reached`` was asked for; what still lacks will not come, the rest is applied."""
        self._holding = False
        ready = [self._parked.pop(number) for number in sorted(self._parked) if number <= reached]
        self.last = reached if self.last is None else max(self.last, reached)
        return ready + self._follow()

    def _follow(self) -> list[EventParams]:
        ready: list[EventParams] = []
        while self.last is not None and (self.last + 1) in self._parked:
            self.last += 1
            ready.append(self._parked.pop(self.last))
        return ready
