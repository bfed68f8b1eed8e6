"""All that the chat screen does with tapbacks, composed; wishes of the transcript go to their part."""

from __future__ import annotations

from typing import Final, assert_never

from textual import on

from tui_tapback.app import notes
from tui_tapback.widgets.chip import Chip
from tui_tapback.widgets.composer.commands import TapbackOrder
from tui_tapback.widgets.statusbar import StatusBar
from tui_tapback.widgets.transcript import Transcript

from .bursting import BurstPart
from .figures import FiguresPart
from .lenses import LensPart
from .menu import MenuPart
from .notifying import NotifyingPart
from .pending import PendingPart
from .quick import QuickPart
from .repeating import RepeatingPart
from .sharing import SharePart
from .switching_on import SwitchingOnPart

_CLICKED: Final = {"react_1": "message_menu"}
"""What a click on a key in the status line does where the key is not the screen's own."""


class ReactionParts(
    SwitchingOnPart,
    RepeatingPart,
    PendingPart,
    NotifyingPart,
    LensPart,
    MenuPart,
    QuickPart,
    FiguresPart,
    SharePart,
    BurstPart,
):
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
            case "unread":
                self.action_next_unread()
            case "lens":
                self.action_lens()
            case "menu":
                self.action_message_menu()
            case "big":
                self.action_big(event.digit)
            case _:
                assert_never(event.wish)

    def carry_out_order(self, order: TapbackOrder) -> None:
        """Do what was typed."""
        match order:
            case TapbackOrder.WHO:
                self.action_who()
            case TapbackOrder.FILTER:
                self.action_lens()
            case TapbackOrder.REACTIONS:
                self.action_quick_reactions()
            case TapbackOrder.STATS:
                self.action_figures()
            case TapbackOrder.PINS:
                self.action_pins()
            case TapbackOrder.MUTE:
                self.action_mute_tapbacks()
            case _:
                assert_never(order)

    @on(StatusBar.WordsClicked)
    def _words_clicked(self, event: StatusBar.WordsClicked) -> None:
        event.stop()
        self.action_next_unread()

    @on(StatusBar.HintClicked)
    async def _hint_clicked(self, event: StatusBar.HintClicked) -> None:
        event.stop()
        hint = self.query_one(StatusBar).status.hints[event.number]
        name = notes.action_of(hint, self.preferences.keymap)
        wanted = _CLICKED.get(name, name)
        if hasattr(self, f"action_{wanted}"):
            await self.run_action(wanted)

    def action_answer_chip(self) -> None:
        """Enter while a chip asks."""
        self.query_one(Chip).answer(True)

    def leave_something(self) -> bool:
        """Esc answers a chip with no before it means anything else."""
        chip = self.query_one(Chip)
        if chip.asked:
            chip.answer(False)
            return True
        return super().leave_something()
