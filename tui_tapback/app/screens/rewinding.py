"""The chat screen's second thoughts: ask again, undo, rewind, branch, sum up, quote."""

from __future__ import annotations

from typing import assert_never

from textual import on

from tui_tapback.client.abilities import Ability
from tui_tapback.domain.errors import RowNotFound
from tui_tapback.domain.messages import Role
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _

from .confirm import ConfirmScreen
from .editing import EditingPart, falls


def quoted(text: str) -> str:
    """``text`` as a Markdown quotation, to be answered below."""
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n")) + "\n\n"


class RewindingPart(EditingPart):
    """Where more than one turn falls the person is asked; the call that follows is the consent."""

    @on(Transcript.TurnWanted)
    def _turn_wanted(self, event: Transcript.TurnWanted) -> None:
        event.stop()
        match event.wish:
            case "edit":
                self.action_edit_message()
            case "rewind":
                self.action_rewind_here()
            case "again":
                self.action_ask_again()
            case "branch":
                self.action_branch_here()
            case "quote":
                self.action_quote_message()
            case "discard":
                self.action_remove_waiting()
            case _:
                assert_never(event.wish)

    # again, undo, rewind

    def action_ask_again(self) -> None:
        """Ask again for the selected answer, or the last one."""
        self.attempt(self._ask_again)

    def _ask_again(self) -> None:
        message = self.chosen(Role.ASSISTANT)
        self.need(Ability.EDIT)
        place = self.chat.state.messages.index(message)
        question = next((m for m in self.chat.state.messages[place::-1] if m.role is Role.USER), None)
        if question is None:
            raise RowNotFound(_("There is no message of yours before that."))
        cost = self.chat.turns.cost_of_edit(question.key)

        def again(consent: bool | None) -> None:
            if consent:
                self.attempt(lambda: _done(self.chat.turns.regenerate(message.key)))

        if cost.turns <= 1:
            again(True)
        else:
            words = _("This takes back {falls}, with their tapbacks, and asks again.").format(
                falls=falls(cost)
            )
            app_of(self).push_screen(ConfirmScreen(_("Ask again"), words, _("ask")), again)

    def action_undo_turn(self) -> None:
        """Take the last turn back; what was said there goes into the composer."""
        self.attempt(lambda: self._undo(1))

    def _undo(self, turns: int) -> None:
        self.need(Ability.UNDO)
        self.later(self._take_back(turns))

    async def _take_back(self, turns: int) -> None:
        said = ""
        for _turn in range(turns):
            said = await self.chat.turns.undo()
            if not said:
                break
        if not said:
            self.tell(_("There is nothing to take back."))
            return
        self.show_state(self.chat.state)
        composer = self.query_one(Composer)
        if composer.text:
            self.tell(_("Taken back."))
        else:
            composer.set_text(said)
            self.tell(_("Taken back; what you had said there is in the composer."))
        self.set_focus(composer)

    def action_rewind_here(self) -> None:
        """Take back the selected message of the user and all that follows, after a question."""
        self.attempt(self._rewind)

    def _rewind(self) -> None:
        self.need(Ability.UNDO)
        message = self.chosen(Role.USER)
        cost = self.chat.turns.cost_of_edit(message.key)

        def rewind(consent: bool | None) -> None:
            if consent:
                self.attempt(lambda: self._undo(cost.turns))

        words = _(
            "This takes back {falls}, with their tapbacks. What you said comes into the composer."
        ).format(falls=falls(cost))
        app_of(self).push_screen(ConfirmScreen(_("Rewind to here"), words, _("rewind")), rewind)

    # branch, sum up, quote

    def action_branch_here(self) -> None:
        """Go on in a copy of the chat that ends with the selected message, or with the last one."""
        self.attempt(lambda: self.branch(""))

    def branch(self, name: str) -> None:
        """Branch at the selected message. Raises NotSupported, Busy, RowNotFound."""
        self.need(Ability.BRANCH)
        upto = self.chosen().key if self.focused is self.query_one(Transcript) else None
        self.later(self._branch(name or None, upto))

    async def _branch(self, name: str | None, upto: str | None) -> None:
        await self.chat.turns.branch(name, upto=upto)
        self.tell(_("This is the branch; the chat that it came from stays as it was."))
        self.set_focus(self.query_one(Composer))

    def action_compress(self) -> None:
        """Sum up the old part of the chat for the model."""
        self.attempt(lambda: self.compress(""))

    def compress(self, focus: str) -> None:
        """Sum up, with an eye on ``focus``. Raises NotSupported, Busy."""
        self.need(Ability.COMPRESS)
        self.tell(_("Summing up the old part for the model…"))
        self.later(self._compress(focus or None))

    async def _compress(self, focus: str | None) -> None:
        self.tell(await self.chat.turns.compress(focus) or _("Summed up."))

    def action_quote_message(self) -> None:
        """Put the selected message into the composer as a quotation."""
        self.attempt(self._quote)

    def _quote(self) -> None:
        transcript, composer = self.query_one(Transcript), self.query_one(Composer)
        part = transcript.part
        text = part.source if part is not None else self.chosen().text
        before = composer.text
        glue = "" if not before or before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
        composer.set_text(before + glue + quoted(text.strip("\n")))
        self.set_focus(composer)

    def action_remove_waiting(self) -> None:
        """Hook: of another part."""


def _done(_: object) -> None:
    """For what returns something that nobody needs."""
