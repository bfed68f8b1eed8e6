"""Where a reader is in a transcript: kept as a value, found again by key or by row, at any width."""

from __future__ import annotations

from tui_tapback.domain.values import value

from .view import TranscriptView
from .window import Anchor


@value
class Place:
    """Where a reader was: the message at the top of the window and how many of its rows were above it.

    ``row_id`` finds the message again in another process; ``following``: the window stuck to the end.
    """

    key: str
    row_id: int | None = None
    skip: int = 0
    following: bool = False


class PlacedView(TranscriptView):
    """A view whose reader's place can be kept, and which shows where the unread messages begin."""

    def bookmark(self) -> Place | None:
        """Where the reader is, to be kept and given to ``restore``; None where there is nothing."""
        sheet = self.sheet
        at = sheet.window.anchor
        if not at.index < len(sheet.roll):
            return None
        message = sheet.roll.entries[at.index].message
        return Place(message.key, message.row_id, at.skip, self.following and not sheet.newer)

    def restore(self, place: Place) -> bool:
        """Go back to where the reader was; False where that message is not held."""
        sheet = self.sheet
        if place.following:
            sheet.window.to_end()
            self.repaint()
            return True
        index = sheet.roll.index(place.key)
        if index is None:
            index = self.index_of_row(place.row_id)
        if index is None:
            return False
        sheet.window.following = False
        sheet.window.anchor = Anchor(index, place.skip)
        sheet.settle()
        self.repaint()
        self.ask_for_more()
        return True

    def index_of_row(self, row_id: int | None) -> int | None:
        """Where the message with a durable id is drawn."""
        if row_id is None:
            return None
        entries = self.sheet.roll.entries
        return next((at for at, entry in enumerate(entries) if entry.message.row_id == row_id), None)

    def mark_unread(self, key: str | None) -> None:
        """Draw the line that says where the unread messages begin above a message; None takes it away."""
        self.sheet.set_news(key)
        self.repaint()
