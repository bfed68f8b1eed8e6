"""The table of settings that belong to the data, not to a person's configuration file."""

from __future__ import annotations

from .database import Database


class SettingTable:
    """Texts by key."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, key: str) -> str | None:
        """The value, or None."""
        row = self._db.row("SELECT value FROM settings WHERE key = ?", (key,))
        return None if row is None else row[0]

    def set(self, key: str, value: str) -> None:
        """Set the value."""
        self._db.run("INSERT OR REPLACE INTO settings(key, value) VALUES(?, ?)", (key, value))
