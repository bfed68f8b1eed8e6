"""The chat screen's second thoughts: edit and send anew, ask again, undo, rewind, branch, sum up, quote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, assert_never

from textual import on
from textual.widgets import Static

from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.state import ClientState
from tui_tapback.client.turns import Cost
from tui_tapback.domain.errors import Busy, NotSupported, RowNotFound, TapbackError
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.transcript import Transcript

from .confirm import ConfirmScreen
from .face import ChatFace


@dataclass(frozen=True, slots=True)
class Editing:
    """The message that is being said otherwise, whether it still waits, and what was in the composer."""

    key: str
    waits: bool
    draft: str


def falls(cost: Cost) -> str:
    """``5 messages in 3 turns``."""
    messages = f"{cost.messages} message{'' if cost.messages == 1 else 's'}"
    return f"{messages} in {cost.turns} turn{'' if cost.turns == 1 else 's'}"


def quoted(text: str) -> str:
    """``text`` as a Markdown quotation, to be answered below."""
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n")) + "\n\n"


class RewindingPart(ChatFace):
    """Where more than one turn falls the person is asked; the call that follows is the consent."""

    def __init__(self, *positional: Any, **start: Any) -> None:
        super().__init__(*positional, **start)
        self.editing: Editing | None = None

    def show_state(self, state: ClientState) -> None:
        """An edit ends where its message is gone, or has left meanwhile."""
        super().show_state(state)
        if self.editing is not None:
            message = self.message_of(self.editing.key)
            if message is None:
                self.cancel_edit()
                self.tell("The message that you were editing is gone; your text is back.", "warning")
            elif self.editing.waits and message.status not in (Status.WAITING, Status.FAILED):
                self.editing = Editing(message.key, waits=False, draft=self.editing.draft)
                self.tell("That message has left meanwhile; sending now says it anew.")
        self._say_what_is_edited()

    def _say_what_is_edited(self) -> None:
        line, editing = self.query_one("#writing", Static), self.editing
        line.display = editing is not None
        if editing is None:
            return
        if editing.waits:
            told = "Editing a message that waits · Enter keeps it · Esc leaves it as it was"
        else:
            told = f"Editing: {self._price(editing.key)} · Enter sends it anew · Esc leaves it as it was"
        line.update(told)

    def _price(self, key: str) -> str:
        try:
            cost = self.chat.turns.cost_of_edit(key)
        except TapbackError:
            return "it is not stored yet"
        return f"{falls(cost)} will go" if cost.messages > 1 else "only this message will go"

    def message_of(self, key: str | None) -> Message | None:
        """The message of that key."""
        return next((m for m in self.chat.state.messages if m.key == key), None)

    def chosen(self, role: Role | None = None) -> Message:
        """The message selected in the transcript, else the last one of ``role``. Raises RowNotFound."""
        transcript = self.query_one(Transcript)
        if self.focused is transcript:
            found = self.message_of(transcript.selected)
        else:
            fitting = (
                m for m in reversed(self.chat.state.messages) if m.reactable and role in (None, m.role)
            )
            found = next(fitting, None)
        if found is None or not found.reactable:
            raise RowNotFound("There is no message for that.")
        return found

    def attempt(self, what: Callable[[], None]) -> None:
        """Do it, or say why not."""
        try:
            what()
        except TapbackError as error:
            self.refuse(error)
        self.show_state(self.chat.state)

    def need(self, ability: Ability) -> None:
        """Raises NotSupported, and Busy while the agent works."""
        if ability not in self.chat.state.abilities:
            raise NotSupported(lack_of(ability))
        if self.chat.state.running:
            raise Busy("The agent is answering just now.", hint="Esc interrupts it first.")

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

    # edit

    def action_edit_message(self) -> None:
        """Load the selected message of the user, or the last one, into the composer."""
        self.attempt(self._begin_edit)

    def _begin_edit(self) -> None:
        message = self.chosen(Role.USER)
        if message.role is not Role.USER:
            raise RowNotFound("Only a message of yours can be edited.", hint="A asks again for an answer.")
        waits = message.status in (Status.WAITING, Status.FAILED) and message.row_id is None
        if not waits:
            self.need(Ability.EDIT)
        composer = self.query_one(Composer)
        draft = composer.text if self.editing is None else self.editing.draft
        self.editing = Editing(message.key, waits, draft)
        composer.set_text(message.text)
        self.set_focus(composer)

    def cancel_edit(self) -> None:
        """The message stays as it was, and what was in the composer comes back."""
        if self.editing is not None:
            editing, self.editing = self.editing, None
            self.query_one(Composer).set_text(editing.draft)
            self._say_what_is_edited()

    def finish_edit(self, composer: Composer, text: str) -> None:
        """What was edited is sent, after a question where more than one turn falls."""
        editing = self.editing
        if editing is None:
            return

        def send(consent: bool | None) -> None:
            try:
                if not consent:
                    composer.refuse()
                    return
                if editing.waits:
                    self.chat.edit_waiting(editing.key, text)
                else:
                    self.chat.turns.edit(editing.key, text)
            except TapbackError as error:
                composer.refuse()
                self.refuse(error)
                return
            self.editing = None
            composer.accept()
            composer.set_text(editing.draft)
            self.show_state(self.chat.state)

        self._ask_about(editing, send)

    def _ask_about(self, editing: Editing, send: Callable[[bool | None], None]) -> None:
        if editing.waits:
            send(True)
            return
        try:
            cost = self.chat.turns.cost_of_edit(editing.key)
        except TapbackError as error:
            self.refuse(error)
            send(False)
            return
        if cost.turns <= 1:
            send(True)
        else:
            words = f"This takes back {falls(cost)}, with their tapbacks, and says your message anew."
            app_of(self).push_screen(ConfirmScreen("Edit", words, "send"), send)

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
            raise RowNotFound("There is no message of yours before that.")
        cost = self.chat.turns.cost_of_edit(question.key)

        def again(consent: bool | None) -> None:
            if consent:
                self.attempt(lambda: _done(self.chat.turns.regenerate(message.key)))

        if cost.turns <= 1:
            again(True)
        else:
            words = f"This takes back {falls(cost)}, with their tapbacks, and asks again."
            app_of(self).push_screen(ConfirmScreen("Ask again", words, "ask"), again)

    def action_undo_turn(self) -> None:
        """Take the last turn back; what was said there goes into the composer."""
        self.attempt(lambda: self._undo(1))

    def _undo(self, turns: int) -> None:
        self.need(Ability.UNDO)
        self.later(self._take_back(turns))

    async def _take_back(self, turns: int) -> None:
        said = ""
        for _ in range(turns):
            said = await self.chat.turns.undo()
            if not said:
                break
        if not said:
            self.tell("There is nothing to take back.")
            return
        self.show_state(self.chat.state)
        composer = self.query_one(Composer)
        if composer.text:
            self.tell("Taken back.")
        else:
            composer.set_text(said)
            self.tell("Taken back; what you had said there is in the composer.")
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

        words = f"This takes back {falls(cost)}, with their tapbacks. What you said comes into the composer."
        app_of(self).push_screen(ConfirmScreen("Rewind to here", words, "rewind"), rewind)

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
        self.tell("This is the branch; the chat that it came from stays as it was.")
        self.set_focus(self.query_one(Composer))

    def action_compress(self) -> None:
        """Sum up the old part of the chat for the model."""
        self.attempt(lambda: self.compress(""))

    def compress(self, focus: str) -> None:
        """Sum up, with an eye on ``focus``. Raises NotSupported, Busy."""
        self.need(Ability.COMPRESS)
        self.tell("Summing up the old part for the model…")
        self.later(self._compress(focus or None))

    async def _compress(self, focus: str | None) -> None:
        self.tell(await self.chat.turns.compress(focus) or "Summed up.")

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
