"""The store as a whole: the data file and its tables, opened together."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from .database import Database
from .messages import MessageTable
from .operations import OperationTable
from .posts import PostTable
from .search import SearchTable
from .sessions import SessionTable
from .settings import SettingTable
from .summaries import SummaryTable
from .turns import TurnTable
from .usage import UsageTable


class Store:
    """Opens (or makes) the data file; see ``Database`` for the errors.

    ``page_limit`` caps the size of the file in SQLite pages of 4096 bytes.
    """

    def __init__(self, path: Path, *, page_limit: int | None = None) -> None:
        self._database = Database(path, page_limit=page_limit)
        self.sessions = SessionTable(self._database)
        self.messages = MessageTable(self._database)
        self.operations = OperationTable(self._database)
        self.posts = PostTable(self._database)
        self.search = SearchTable(self._database)
        self.settings = SettingTable(self._database)
        self.summaries = SummaryTable(self._database)
        self.turns = TurnTable(self._database)
        self.usage = UsageTable(self._database)

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; see ``Database.transaction``."""
        return self._database.transaction()

    def group(self) -> AbstractContextManager[None]:
        """One transaction for several use cases; see ``Database.group``."""
        return self._database.group()

    def back_up(self, target: Path) -> None:
        """Write a complete copy of the file, while it stays in use."""
        self._database.copy_to(target)

    def check(self) -> None:
        """Read the whole file. Raises StoreDamaged."""
        self._database.check()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._database.close()
