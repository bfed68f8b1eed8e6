"""Keeps what was typed and not sent, a file for each session, so that a crash costs nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tui_tapback.domain.text import clean_text

from .private_file import write_private

LONGEST = 200_000
"""Characters of a draft that are kept."""
KEPT = 200
"""Drafts kept; beyond that the oldest go."""


class Drafts:
    """``connection`` names the gateway, ``session_id`` is None for a chat that has not begun."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, connection: str, session_id: str | None) -> str:
        """What was typed there last, "" where there is nothing (or nothing that can be read)."""
        try:
            return clean_text(self._path(connection, session_id).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            return ""  # a lost draft must not keep anybody from the chat

    def save(self, connection: str, session_id: str | None, text: str) -> None:
        """Keep ``text``; an empty one is forgotten. Raises OSError."""
        path = self._path(connection, session_id)
        if not text.strip():
            path.unlink(missing_ok=True)
            return
        new = not path.exists()
        write_private(path, text[:LONGEST].encode("utf-8", "replace"))
        if new:
            self._trim()

    def _path(self, connection: str, session_id: str | None) -> Path:
        # Session ids come from the gateway: they never become names of files.
        name = hashlib.sha256(f"{connection}\0{session_id or ''}".encode("utf-8", "replace")).hexdigest()
        return self._folder / f"{name[:32]}.txt"

    def _trim(self) -> None:
        drafts = sorted(self._folder.glob("*.txt"), key=lambda path: path.stat().st_mtime)
        for path in drafts[:-KEPT]:
            path.unlink(missing_ok=True)
