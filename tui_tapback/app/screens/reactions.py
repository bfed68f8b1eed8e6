"""All that the chat screen does with tapbacks, composed; wishes of the transcript go to their part."""

from __future__ import annotations

from typing import assert_never

from textual import on

from tui_tapback.widgets.transcript import Transcript

from .pending import PendingPart
from .repeating import RepeatingPart


class ReactionParts(RepeatingPart, PendingPart):
    """Each part does one thing; this only hands out."""

    @on(Transcript.Asked)
    def _asked(self, event: Transcript.Asked) -> None:
        event.stop()
        match event.wish:
            case "repeat":
                self.action_repeat()
            case "echo":
                self.action_echo()
            case "undo":
                self.action_undo_tapback()
            case "redo":
                self.action_redo_tapback()
            case "who":
                self.action_who()
            case "unread" | "lens" | "menu" | "big":
                pass
            case _:
                assert_never(event.wish)
