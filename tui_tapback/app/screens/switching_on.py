"""Where tapbacks are switched off at the gateway: says so with the first, and switches them on for a yes."""

from __future__ import annotations

from typing import Any, Final

from textual import on

from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.client.tapback_history import Change
from tui_tapback.widgets.chip import Chip
from tui_tapback.words import _

from .tapping import TappingScreen

SWITCH: Final = "switch"


class SwitchingOnPart(TappingScreen):
    """Asks once for each gateway: who said no has settings for it (F10)."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._switch_offered = False

    def reacted(self, change: Change, *, joins: bool) -> None:
        """Offer the switch, where nothing else is being asked."""
        super().reacted(change, joins=joins)
        chip = self.query_one(Chip)
        if self._switch_offered or not self.chat.state.reactions_offered or chip.asked:
            return
        self._switch_offered = True
        chip.ask(SWITCH, _("The model hears of no tapbacks here. Switch them on?"))

    @on(Chip.Answered)
    def _switch_answered(self, event: Chip.Answered) -> None:
        if event.question != SWITCH:
            return
        event.stop()
        if event.yes:
            self.later(self._switch_on())

    async def _switch_on(self) -> None:
        await self.chat.reactions.enable()
        self.tell(_("Tapbacks are on: the model hears of yours with your next message."))
