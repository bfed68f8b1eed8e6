"""Fills a real data file with a long chat, without saying it all."""

from __future__ import annotations

from pathlib import Path

from tui_tapback.gateway.store.records import NewMessage, SessionRecord
from tui_tapback.gateway.store.store import Store

LONG = "20270115_080000_0000aa"
"""The id of the session."""


def fill(path: Path, count: int, *, session_id: str = LONG, words: str = "message number {}") -> list[int]:
    """Put ``count`` messages of both sides in turn into the file; returns their row ids in order."""
    store = Store(path)
    try:
        with store.transaction():
            store.sessions.insert(SessionRecord(session_id, "A long chat", "", "", "[]", 1.0, 1.0))
            return [
                store.messages.insert(
                    NewMessage(
                        session_id=session_id,
                        role="assistant" if number % 2 else "user",
                        text=words.format(number),
                        at=1_760_000_000.0 + number,
                    )
                ).row_id
                for number in range(count)
            ]
    finally:
        store.close()
