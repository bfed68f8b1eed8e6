"""What a tapback may offer to do: a line asks once, a yes does it, and nothing is ever sent without one."""

from __future__ import annotations

from typing import Any, Final

from textual import on

from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.tapbacks.verbs import Offer, Verb, offer
from tui_tapback.client.abilities import Ability
from tui_tapback.client.tapback_history import Change
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.messages import Role
from tui_tapback.widgets.chip import Chip

from .pins import PinPart

VERB: Final = "verb"


class VerbPart(PinPart):
    """Follows the reactions of the person; each emoji on each message is asked about once."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._open: Offer | None = None
        self._offered: set[tuple[str, str]] = set()

    def reacted(self, change: Change, *, joins: bool) -> None:
        """Offer what the emoji stands for. A tapback on a range or on a part offers nothing."""
        super().reacted(change, joins=joins)
        chip = self.query_one(Chip)
        if self._open is not None and self._open.key == change.key:
            chip.withdraw(VERB)  # the tapback that offered it is another one now
        message = self.message(change.key)
        if message is None or joins or change.part is not None:
            return
        found = offer(self.preferences.verbs, change.after, message)
        if found is None or (found.key, found.emoji) in self._offered:
            return
        self._offered.add((found.key, found.emoji))
        self._open = found
        chip.ask(VERB, found.question)

    @on(Chip.Answered)
    def _verb_answered(self, event: Chip.Answered) -> None:
        if event.question != VERB:
            return
        event.stop()
        taken, self._open = self._open, None
        if taken is None or not event.yes:
            return
        try:
            self._carry_out_verb(taken)
        except TapbackError as error:
            self.refuse(error)
        self.show_state(self.chat.state)

    def _carry_out_verb(self, taken: Offer) -> None:
        match taken.verb:
            case Verb.PIN:
                self.pin(taken.key)
            case Verb.RETRY if self._can_be_regenerated(taken.key):
                self.chat.turns.regenerate(taken.key)
            case _ if taken.text:
                self.chat.send(taken.text)
            case _:
                pass

    def _can_be_regenerated(self, key: str) -> bool:
        """Only the last answer: to say an older one anew would take away all that came after it."""
        state = self.chat.state
        last = next((m for m in reversed(state.messages) if m.reactable), None)
        wanted = last is not None and last.key == key and last.role is Role.ASSISTANT
        return wanted and Ability.EDIT in state.abilities and not state.running
