"""The rows that are held of a long chat, and what lies beyond them."""

from __future__ import annotations

from tui_tapback.wire.library import Page
from tui_tapback.wire.methods import Snapshot

from .mirror import Mirror


class Window:
    """``has_older`` and ``has_newer`` say whether the chat goes on beyond the rows held, ``total`` how many
    messages it has (None: it is held whole). ``rejoin`` asks for the newest rows to be read."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self.has_older = False
        self.total: int | None = None
        self.rejoin = False

    @property
    def has_newer(self) -> bool:
        """Whether the rows held end before the newest ones."""
        return self._mirror.away

    @property
    def whole(self) -> bool:
        """Whether the chat is held from its beginning to its end."""
        return not (self.has_older or self.has_newer)

    @property
    def held(self) -> int:
        """How many bubbles are held."""
        return len(self._mirror.messages)

    def loaded(self, snapshot: Snapshot) -> None:
        """The newest rows were read."""
        self.has_older = snapshot.has_older
        self.total = snapshot.total
        self.rejoin = False

    def prepend(self, page: Page, limit: int) -> int:
        """Take what lies before; beyond ``limit`` the newest are let go, unless a turn runs there."""
        came = self._mirror.extend(page.messages, older=True)
        self.has_older, self.total = page.has_older, page.total
        if not self._mirror.running and self._mirror.transcript.trim(limit, older=False):
            self._mirror.away = True
        return came

    def append(self, page: Page, limit: int) -> int:
        """Take what lies behind; with the last page the live conversation is joined again."""
        came = self._mirror.extend(page.messages, older=False)
        self.total = page.total
        self.has_older = self._mirror.transcript.trim(limit, older=True) or self.has_older
        self.rejoin = not page.has_newer
        return came

    def move_to(self, page: Page) -> None:
        """Hold another part of the chat."""
        self._mirror.show(page.messages, away=page.has_newer)
        self.has_older, self.total = page.has_older, page.total
        self.rejoin = not page.has_newer

    def to_end(self) -> None:
        """Go back to the newest rows, if they are not held."""
        self.rejoin = self.rejoin or self.has_newer

    def changed(self) -> None:
        """Rows went or changed: read again what is held, unless that is not the end."""
        self.rejoin = not self.has_newer
