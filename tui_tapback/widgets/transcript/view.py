"""What a transcript shows: takes a session's state, scrolls, follows the end, keeps the reader's place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from textual.message import Message as TextualMessage
from textual.timer import Timer

from tui_tapback.domain.messages import Message, Role, Status

from ..fitter import Fitter
from .canvas import Canvas
from .events import Edge
from .roll import Changes, Entry
from .sheet import Sheet

AHEAD: Final = 0.004
"""Seconds of rest after a scrolled frame before messages are painted ahead of their being scrolled to."""
BREATH: Final = 0.001
"""Seconds between two such messages, in which a key comes first: each takes about as long."""
NEAR: Final = 3
"""Windows from an end of what is held at which more is asked for."""


class TranscriptView(Canvas):
    """A canvas that is given messages and can be scrolled."""

    def __init__(self, fitter: Fitter, **options: Any) -> None:
        super().__init__(fitter, **options)
        self._session = ""
        self._asked: dict[str, str] = {}  # by end the key for which more was asked, so that it is asked once
        self._edge: Edge | None = None
        self.ahead = AHEAD
        self._ahead: Timer | None = None
        self._upward = True

    @property
    def following(self) -> bool:
        """Whether the window sticks to the end."""
        return self.sheet.window.following

    def show_session(
        self, session_id: str, messages: Sequence[Message], *, older: int = 0, newer: int = 0
    ) -> None:
        """Show a session: another one than before begins at its end, with nothing selected."""
        if session_id != self._session:
            self._session = session_id
            self.forget()
        self.show(messages, older=older, newer=newer)

    def clear(self) -> None:
        """Show nothing, of no session."""
        self._session = ""
        self.forget()

    def forget(self) -> None:
        """Drop all messages and whatever refers to one."""
        self.selected = None
        self.sheet = Sheet(self._days)
        self._asked = {}
        self._edge = None
        self._surface = None
        self._lay_out()

    def show(self, messages: Sequence[Message], *, older: int = 0, newer: int = 0) -> None:
        """Show the new state of the session, in order. Unchanged messages must be the same objects.

        ``messages`` may be a window of the session: ``older`` and ``newer`` count (or estimate) the messages
        before and behind it. When it grows at either end, what is read stays where it is.
        """
        sheet = self.sheet
        old = sheet.roll.entries
        if sheet.newer:
            sheet.window.following = False  # this was not the true end
        extent_differs = (older, newer) != (sheet.older, sheet.newer)
        sheet.paging = sheet.newer > 0
        sheet.older, sheet.newer = older, newer
        changes = sheet.take(messages)
        if not changes and not extent_differs:
            return
        self._after(old, changes)

    def amend(self, message: Message) -> None:
        """Show one message that has changed or comes last. It costs the same however many there are."""
        old = self.sheet.roll.entries
        changes = self.sheet.amend(message)
        if changes is None:
            state = [m if m.key != message.key else message for m in self.sheet.roll.state]
            self.show(state, older=self.sheet.older, newer=self.sheet.newer)
        elif changes:
            self._after(old, changes)

    def _after(self, old: Sequence[Entry], changes: Changes) -> None:
        sheet = self.sheet
        if changes.appended and not self.holds and self._sent_now(changes.appended):
            sheet.window.to_end()
            sheet.seen()
            sheet.set_news(None)
        self._go_to_edge()
        self.took(old, changes)
        self.paint_change(changes)
        self.ask_for_more()

    def paint_change(self, changes: Changes) -> None:
        """Hook: draw what a new state has brought."""
        self.repaint()

    def _go_to_edge(self) -> None:
        sheet = self.sheet
        if self._edge == "first" and not sheet.older and len(sheet.roll):
            self._edge = None
            sheet.window.to_start()
        elif self._edge == "last" and not sheet.newer and len(sheet.roll):
            self._edge = None
            sheet.window.to_end()

    def ask_for_more(self) -> None:
        """Ask for older or newer messages when the window is near an end of those that are held."""
        sheet, window = self.sheet, self.sheet.window
        if not len(sheet.roll) or not window.rows or self._edge is not None:
            return
        near = NEAR * window.rows
        if sheet.older and window.top < near:
            self._ask("older", sheet.roll.entries[0].message.key, self.OlderWanted)
        if sheet.newer and window.heights.total - window.top - window.rows < near:
            self._ask("newer", sheet.roll.entries[-1].message.key, self.NewerWanted)

    def _ask(self, end: str, key: str, wish: Callable[[str], TextualMessage]) -> None:
        if self._asked.get(end) != key:
            self._asked[end] = key
            self.post_message(wish(key))

    def ask_again(self) -> None:
        """Ask anew for more messages if the reader still needs them: the last wish could not be granted."""
        self._asked = {}
        self.ask_for_more()

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
        self._upward = rows < 0
        self.sheet.window.scroll(rows)
        self.sheet.seen()
        self.repaint()
        self.ask_for_more()
        self.look_ahead()

    def look_ahead(self) -> None:
        """Paint what may come into view next, a message at a time, while nothing else happens.

        A scroll before all is painted begins anew with the rest, so that its own frame comes first.
        """
        if self.ahead > 0:
            self._wait_ahead(self.ahead)

    def _wait_ahead(self, seconds: float) -> None:
        if self._ahead is not None:
            self._ahead.stop()
        self._ahead = self.set_timer(seconds, self._paint_ahead)

    def _paint_ahead(self) -> None:
        self._ahead = None
        if self.sheet.prefetch(upward=self._upward):
            self._wait_ahead(BREATH)

    def page_up(self) -> None:
        """Scroll up by a window less two lines."""
        self.scroll_rows(-max(1, self.size.height - 2))

    def page_down(self) -> None:
        """Scroll down by a window less two lines."""
        self.scroll_rows(max(1, self.size.height - 2))

    def scroll_home(self, **_: Any) -> None:
        """Show the first message."""
        self.sheet.window.to_start()
        if self.sheet.older:
            self._want_edge("first")
        self.repaint()

    def scroll_end(self, **_: Any) -> None:
        """Show the end and follow it."""
        self.sheet.window.to_end()
        self.sheet.settle()
        if self.sheet.newer:
            self._want_edge("last")
        self.repaint()

    def _want_edge(self, edge: Edge) -> None:
        self._edge = edge
        self.post_message(self.EdgeWanted(edge))
