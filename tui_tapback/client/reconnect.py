"""When to try again: delays that grow to a cap, and what counts as a good connection."""

from __future__ import annotations

from tui_tapback.domain.values import value


@value
class ReconnectPolicy:
    """Seconds. ``first`` is the longest first delay; each failure multiplies it by ``factor`` up to ``cap``.

    A connection that was ready and lived for ``stable`` seconds clears the count of failures; a shorter one
    counts as a failure. From ``patience`` failures in a row on, the link is called offline, not reconnecting.
    ``handshake`` limits the greeting, ``call`` the wait for any answer, and a link without any frame for
    ``silence`` seconds is dead (a ping goes out every ``ping``). ``again`` is the wait before a call is
    repeated that the gateway could not carry out just now, ``farewell`` the longest wait of a client that is
    closed for what it was about to deliver, ``memory`` how long a Hermes gateway remembers that its tapbacks
    were off, ``keep`` how long something waits before it is worth writing to the outbox.
    """

    first: float = 0.3
    factor: float = 2.0
    cap: float = 15.0
    stable: float = 5.0
    patience: int = 5
    handshake: float = 15.0
    call: float = 60.0
    ping: float = 15.0
    silence: float = 45.0
    again: float = 1.0
    farewell: float = 1.0
    memory: float = 31.0
    keep: float = 0.05

    def delay(self, failures: int, jitter: float) -> float:
        """Seconds to wait after ``failures`` failed attempts in a row; ``jitter`` is within [0, 1)."""
        if failures <= 0:
            return 0.0
        # The exponent is bounded so that a week of failures does not overflow a float.
        top = min(self.cap, self.first * self.factor ** min(failures - 1, 60))
        return top * (0.5 + 0.5 * jitter)

    def failures_after(self, failures: int, *, ready: bool, lived: float) -> int:
        """The count of failures once a connection that ``lived`` seconds has ended."""
        return 0 if ready and lived >= self.stable else failures + 1
