"""The chat screen's second thoughts: repeat, echo, undo and redo of tapbacks, also of a whole range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.tapbacks import words
from tui_tapback.client.state import ClientState
from tui_tapback.client.tapback_history import Change, Outcome, Present, TapbackHistory
from tui_tapback.domain.messages import Message
from tui_tapback.domain.parts import Part
from tui_tapback.domain.reactions import Author
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _

from .tapping import TappingScreen

HISTORIES = 20
"""Sessions of which the steps are remembered while the program runs."""

_STEP: Final = "step"
"""What is told of undo and redo is about the last of them."""


class RepeatingPart(TappingScreen):
    """Each session has steps of its own; a wish on a range is one step."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._histories: dict[str | None, TapbackHistory] = {}

    @property
    def history(self) -> TapbackHistory:
        """The steps in the session on screen."""
        session = self.chat.state.session_id
        if session not in self._histories:
            # A chat that has just been given its id keeps what was done before it had one.
            self._histories[session] = self._histories.pop(None, None) or TapbackHistory()
            while len(self._histories) > HISTORIES:
                del self._histories[next(iter(self._histories))]
        return self._histories[session]

    def reacted(self, change: Change, *, joins: bool) -> None:
        """Remember the step."""
        super().reacted(change, joins=joins)
        self.history.record([change], joins=joins)
        self.no_longer(_STEP)  # neither U nor u would do what is told there

    def show_state(self, state: ClientState) -> None:
        """Another session: the steps of no session at all belong to nobody then."""
        if state.session_id is not None and not state.messages:
            self._histories.pop(None, None)
        super().show_state(state)

    def action_repeat(self) -> None:
        """Set the last emoji on what is selected."""
        emoji = self.history.last
        if emoji is None:
            self.tell(_("There is no tapback to repeat yet: react once, then . does it again."))
            return
        self._react_to_all(lambda message, anchor: emoji)

    def action_echo(self) -> None:
        """Set on what is selected what the agent has set there."""

        def theirs(message: Message, anchor: str | None) -> str | None:
            found = message.reactions.by(Author.AGENT, anchor)
            return found.emoji if found is not None else None

        if not self._react_to_all(theirs):
            self.tell(_("The agent has not tapped back here, so there is nothing to echo."))

    def _react_to_all(self, wanted: Callable[[Message, str | None], str | None]) -> bool:
        """React to each selected message in one step; False where nothing was wanted anywhere."""
        transcript = self.query_one(Transcript)
        chosen = [message for message in transcript.chosen if message.reactable]
        part = transcript.aim(chosen[0]) if len(chosen) == 1 else None
        wishes = [(m, emoji) for m in chosen if (emoji := wanted(m, _anchor(part))) is not None]
        joins = False
        for message, emoji in wishes:
            joins = self.react(message.key, emoji, part, joins=joins) is not None or joins
        return bool(wishes)

    def action_undo_tapback(self) -> None:
        """Take the last step back."""
        nothing = _("There is no tapback to take back.")
        self._move(self.history.undo, words.undone, nothing, back=True)

    def action_redo_tapback(self) -> None:
        """Do again what was taken back."""
        nothing = _("There is no tapback to do again.")
        self._move(self.history.redo, words.redone, nothing, back=False)

    def _move(
        self,
        step: Callable[[Present], Outcome],
        told: Callable[[tuple[Change, ...], words.Find], str],
        nothing: str,
        *,
        back: bool,
    ) -> None:
        outcome = step(self.reactor.present)
        if not outcome:
            self.tell(nothing, topic=_STEP)
            return
        for change in outcome.changes:
            # What stands there at the gateway by now may be newer than what is shown here: that stays.
            self.reactor.set(change.key, change.after, change.part, change.quote, expected=change.before)
        self.stepped(outcome.changes, back=back)
        self.show_state(self.chat.state)
        sentences = (told(outcome.changes, self.message), words.kept(outcome.kept, self.message))
        self.tell(" ".join(filter(None, sentences)), topic=_STEP)


def _anchor(part: Part | None) -> str | None:
    return part.anchor if part is not None else None
