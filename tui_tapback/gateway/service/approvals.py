"""What a person has allowed beyond one time: for a session (until the gateway ends), or for always."""

from __future__ import annotations

import msgspec

from tui_tapback.gateway.store.store import Store
from tui_tapback.wire.questions import Choice

_KEY = "approved_patterns"
MOST = 500
"""Patterns that are kept for always; older ones are asked about again."""


class Approvals:
    """Remembers patterns. Raises StoreError where the store cannot be written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sessions: dict[str, set[str]] = {}

    def allowed(self, session_id: str, pattern: str) -> bool:
        """Whether ``pattern`` needs no question any more."""
        return pattern in self._sessions.get(session_id, ()) or pattern in self._always()

    def record(self, session_id: str, pattern: str, choice: Choice) -> None:
        """Keep what ``choice`` says about the next time."""
        if choice == "session":
            self._sessions.setdefault(session_id, set()).add(pattern)
        elif choice == "always":
            kept = [*(known for known in self._always() if known != pattern), pattern][-MOST:]
            with self._store.transaction():
                self._store.settings.set(_KEY, msgspec.json.encode(kept).decode())

    def _always(self) -> list[str]:
        try:
            return msgspec.json.decode(self._store.settings.get(_KEY) or "[]", type=list[str])
        except msgspec.DecodeError:
            return []  # a file edited by hand: ask again rather than allow
