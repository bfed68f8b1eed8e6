"""What a transcript shows: takes a session's state, scrolls, follows the end, keeps the reader's place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tui_tapback.domain.messages import Message, Role, Status

from ..fitter import Fitter
from .canvas import Canvas
from .roll import Changes, Entry
from .sheet import Sheet


class TranscriptView(Canvas):
    """A canvas that is given messages and can be scrolled."""

    def __init__(self, fitter: Fitter, **options: Any) -> None:
        super().__init__(fitter, **options)
        self._session = ""

    @property
    def following(self) -> bool:
        """Whether the window sticks to the end."""
        return self.sheet.window.following

    def show_session(self, session_id: str, messages: Sequence[Message]) -> None:
        """Show a session: another one than before begins at its end, with nothing selected."""
        if session_id != self._session:
            self._session = session_id
            self.forget()
        self.show(messages)

    def clear(self) -> None:
        """Show nothing, of no session."""
        self._session = ""
        self.forget()

    def forget(self) -> None:
        """Drop all messages and whatever refers to one."""
        self.selected = None
        self.sheet = Sheet(self._days)
        self._surface = None
        self._lay_out()

    def show(self, messages: Sequence[Message]) -> None:
        """Show the new full state of the session, in order. Unchanged messages must be the same objects."""
        old = self.sheet.roll.entries
        changes = self.sheet.take(messages)
        if not changes:
            return
        if changes.appended and not self.holds and self._sent_now(changes.appended):
            self.sheet.window.to_end()
            self.sheet.seen()
        self.took(old, changes)
        self.repaint()

    @property
    def holds(self) -> bool:
        """Whether the window must not move by itself now."""
        return False

    def took(self, old: Sequence[Entry], changes: Changes) -> None:
        """Hook: there is a new state; ``old`` are the entries before, if ``changes.rebuilt``."""

    def _sent_now(self, count: int) -> bool:
        """Whether one of the last ``count`` messages was just sent from here; its sender wants to see it."""
        fresh = (entry.message for entry in self.sheet.roll.entries[-count:])
        return any(m.role is Role.USER and m.status in (Status.SENDING, Status.WAITING) for m in fresh)

    def scroll_rows(self, rows: int) -> None:
        """Scroll down by ``rows``, up if negative."""
        self.sheet.window.scroll(rows)
        self.sheet.seen()
        self.repaint()

    def page_up(self) -> None:
        """Scroll up by a window less two lines."""
        self.scroll_rows(-max(1, self.size.height - 2))

    def page_down(self) -> None:
        """Scroll down by a window less two lines."""
        self.scroll_rows(max(1, self.size.height - 2))

    def scroll_home(self, **_: Any) -> None:
        """Show the first message."""
        self.sheet.window.to_start()
        self.repaint()

    def scroll_end(self, **_: Any) -> None:
        """Show the end and follow it."""
        self.sheet.window.to_end()
        self.sheet.settle()
        self.repaint()
