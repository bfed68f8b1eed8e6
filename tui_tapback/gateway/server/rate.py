"""How fast one client may write: a bucket of tokens that fills with time."""

from __future__ import annotations

from collections.abc import Callable


class Bucket:
    """Allows ``burst`` requests at once and ``rate`` a second in the long run."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._tokens = float(burst)
        self._at = clock()

    def take(self) -> float:
        """Take one token. Returns 0.0, or the seconds after which there will be one (and takes none)."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + max(0.0, now - self._at) * self._rate)
        self._at = now
        if self._tokens < 1.0:
            return (1.0 - self._tokens) / self._rate
        self._tokens -= 1.0
        return 0.0
