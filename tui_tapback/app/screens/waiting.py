"""The chat screen's waiting room: what has not left can be changed or removed; words for a running turn."""

from __future__ import annotations

from typing import assert_never

from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.domain.errors import Busy, NotSupported, RowNotFound
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.composer import commands as typed
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _

from .rewinding import RewindingPart


class WaitingPart(RewindingPart):
    """What waits stands in the transcript as a bubble of its own: ``e`` changes it, ``x`` removes it."""

    def waiting_messages(self) -> list[Message]:
        """Those of this chat that have not left, in order."""
        return [
            m
            for m in self.chat.state.messages
            if m.role is Role.USER and m.row_id is None and m.status in (Status.WAITING, Status.FAILED)
        ]

    def action_remove_waiting(self) -> None:
        """Withdraw the selected message that waits, or the last one; its text goes into an empty composer."""
        self.attempt(self._remove)

    def _remove(self) -> None:
        if self.focused is self.query_one(Transcript):
            message = self.chosen()
        else:
            waiting = self.waiting_messages()
            if not waiting:
                raise RowNotFound(_("No message is waiting here."))
            message = waiting[-1]
        text = self.chat.discard(message.key)
        composer = self.query_one(Composer)
        if not composer.text:
            composer.set_text(text)
            self.tell(_("Removed; its text is in the composer."))
        else:
            self.tell(_("Removed."))

    def into_turn(self, text: str, *, cut: bool) -> None:
        """Give words to the running turn; with ``cut`` the answer breaks off there.

        Raises NotSupported, Busy (no turn runs).
        """
        state = self.chat.state
        if Ability.STEER not in state.abilities:
            raise NotSupported(lack_of(Ability.STEER))
        if not text:
            raise RowNotFound(_("Say with what."), hint=_("Write it behind the command."))
        if not state.running:
            raise Busy(
                _("The agent is not at work, so there is nothing to steer."), hint=_("Send it as a message.")
            )
        self.later(self._give_words(text, cut=cut))

    async def _give_words(self, text: str, *, cut: bool) -> None:
        turns = self.chat.turns
        if not await (turns.redirect(text) if cut else turns.steer(text)):
            self.chat.send(text)
            self.tell(_("The agent had just finished: it was sent as a message."))

    async def edit_last(self) -> None:
        """Once the command has left the composer."""
        self.action_edit_message()

    def set_course(self, course: typed.Course, words: str) -> None:
        """Carry out what was typed. Raises TapbackError."""
        match course:
            case typed.Course.BRANCH:
                self.branch(words)
            case typed.Course.COMPRESS:
                self.compress(words)
            case typed.Course.STEER:
                self.into_turn(words, cut=False)
            case typed.Course.REDIRECT:
                self.into_turn(words, cut=True)
            case _:
                assert_never(course)
