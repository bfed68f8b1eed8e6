"""Selecting messages: one, or a range of them; the selection is kept through every change of the state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author

from ..fitter import Fitter
from ..host import app_of
from .mouse import PointedView
from .roll import Changes, Entry


class SelectingView(PointedView):
    """A view with a selected message while it has the focus, and perhaps a range from another one to it."""

    def __init__(self, fitter: Fitter, quick: tuple[str, ...], **options: Any) -> None:
        super().__init__(fitter, quick, **options)
        self._range_from: str | None = None
        self._extending = False

    def select(self, key: str | None) -> None:
        """Select a message and bring it into view; None selects nothing, an unknown key changes nothing."""
        index = self.sheet.roll.index(key)
        if key is not None and index is None:
            return
        if index is not None:
            self.sheet.window.reveal(index, upward=True)
            self.sheet.seen()
        self.selected = key
        self.relight()

    def select_last(self, author: Author | None = None) -> None:
        """Select the last message of a side, or of either."""
        role = {None: None, Author.USER: Role.USER, Author.AGENT: Role.ASSISTANT}[author]
        index = self.sheet.newest(role)
        if index is not None:
            self.select(self.sheet.roll.entries[index].message.key)

    def move_selection(self, delta: int) -> None:
        """Select the next (or previous) message; one taller than the window is first scrolled through."""
        roll, window = self.sheet.roll, self.sheet.window
        index = roll.index(self.selected)
        if index is None:
            self.select_last()
            return
        row = window.row_of(index)
        if row is not None and delta:
            hidden = row + window.heights[index] - window.rows if delta > 0 else -row
            if hidden > 0 and window.heights[index] > window.rows:
                self.scroll_rows(min(hidden, max(1, window.rows // 2)) * (1 if delta > 0 else -1))
                return
        target = roll.nearest(index + delta, 1 if delta > 0 else -1)
        if target is None:
            self.scroll_rows(window.rows if delta > 0 else -window.rows)
            return
        window.reveal(target, upward=delta < 0)
        self.sheet.seen()
        self.selected = roll.entries[target].message.key
        self.ask_for_more()
        self.relight()

    def watch_selected(self, key: str | None) -> None:
        """Tell the parents and draw it; a part or a range of what was selected before is let go of."""
        self.leave_part()
        if not self._extending:
            self.leave_range()
        if self.is_mounted:
            self.post_message(self.SelectionChanged(key))
        self.relight()

    def took(self, old: Sequence[Entry], changes: Changes) -> None:
        """With focus, the last of the first messages is selected; a lost selection goes to a neighbour."""
        super().took(old, changes)
        roll = self.sheet.roll
        if self.selected is None:
            index = self.sheet.newest() if self.has_focus and changes.appended == len(roll) else None
        elif changes.rebuilt and roll.get(self.selected) is None:
            was = next((i for i, entry in enumerate(old) if entry.message.key == self.selected), 0)
            index = roll.nearest(min(was, len(roll) - 1))
            self.selected = None
        else:
            return
        if index is not None:
            self.selected = roll.entries[index].message.key

    def watch_has_focus(self, has_focus: bool) -> None:
        """Keys act on a message while the focus is here: the last one in view if none there was selected."""
        super().watch_has_focus(has_focus)
        if has_focus:
            self._picker_asked = False
            if not self.in_view(self.selected):
                self._select_in_view()
        elif not self._picker_asked and app_of(self).app_focus:
            self.close_pill()  # it goes with the focus, unless the terminal itself lost it
        self.relight()

    def in_view(self, key: str | None) -> bool:
        """Whether any row of that message is in the window; before the first layout everything is."""
        index, visible = self.sheet.roll.index(key), self.sheet.window.visible()
        return index is not None and (not visible or index in visible)

    def bring_into_view(self, key: str) -> None:
        """Scroll to a message that is acted on, if no row of it can be seen."""
        index = self.sheet.roll.index(key)
        if index is not None and not self.in_view(key):
            self.sheet.window.reveal(index, upward=True)
            self.relight()

    def _select_in_view(self) -> None:
        """Select without scrolling."""
        visible = self.sheet.window.visible()
        index = self.sheet.roll.nearest(visible[-1] if visible else len(self.sheet.roll) - 1, -1)
        self.selected = None if index is None else self.sheet.roll.entries[index].message.key

    @property
    def range_keys(self) -> tuple[str, ...]:
        """The messages of the selected range from the top; none when there is no range."""
        roll = self.sheet.roll
        first, last = roll.index(self._range_from), roll.index(self.selected)
        if first is None or last is None:
            return ()
        first, last = min(first, last), max(first, last)
        return tuple(e.message.key for e in roll.entries[first : last + 1] if e.message.reactable)

    @property
    def chosen(self) -> list[Message]:
        """What a wish is about now: the messages of the range, else the selected one, if any."""
        keys = self.range_keys or (self.selected,)
        return [message for key in keys if (message := self.sheet.roll.get(key)) is not None]

    def extend_selection(self, delta: int) -> None:
        """Select a range: from the message selected so far to the next one."""
        if self.selected is None:
            self.move_selection(delta)
            return
        if self._range_from is None:
            self._range_from = self.selected
        self._extending = True
        self.move_selection(delta)
        self._extending = False
        self._show_range()

    def leave_range(self) -> bool:
        """Select no range any more; tells whether there was one."""
        was, self._range_from = self._range_from is not None, None
        if was:
            self._show_range()
        return was

    def _show_range(self) -> None:
        keys = self.range_keys
        self.sheet.looks.ranged = frozenset(keys)
        self.post_message(self.RangeChanged(keys))
        self.repaint()
