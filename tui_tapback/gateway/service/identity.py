"""Where times and ids come from; both are injected, so that tests can pin them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Protocol

Clock = Callable[[], float]
"""Gives the present time in Unix seconds."""


class Ids(Protocol):
    """Makes ids."""

    def session(self, now: float) -> str:
        """A new session id: ``YYYYMMDD_HHMMSS_`` and six hexadecimal digits."""
        ...

    def epoch(self) -> str:
        """The name of this run of the gateway: 32 hexadecimal digits."""
        ...


class RandomIds:
    """Ids that nobody can guess."""

    def session(self, now: float) -> str:
        """A new session id."""
        return f"{time.strftime('%Y%m%d_%H%M%S', time.gmtime(now))}_{secrets.token_hex(3)}"

    def epoch(self) -> str:
        """The name of this run."""
        return secrets.token_hex(16)
