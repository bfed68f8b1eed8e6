"""The chat screen's editing: a message is loaded into the composer and said otherwise, or left as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rich.text import Text
from textual.widgets import Static

from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.state import ClientState
from tui_tapback.client.turns import Cost
from tui_tapback.domain.errors import Busy, NotSupported, RowNotFound, TapbackError
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.values import value
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _, plural

from .confirm import ConfirmScreen
from .face import ChatFace


@value
class Editing:
    """The message that is being said otherwise, whether it still waits, what was in the composer, and
    whether one was ``reading`` before."""

    key: str
    waits: bool
    draft: str
    reading: bool = False


def falls(cost: Cost) -> str:
    """``5 messages in 3 turns``."""
    messages = plural("{count} message", "{count} messages", cost.messages).format(count=cost.messages)
    return plural("{messages} in {count} turn", "{messages} in {count} turns", cost.turns).format(
        messages=messages, count=cost.turns
    )


class EditingPart(ChatFace):
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
                self._end_edit()
                self.tell(_("The message that you were editing is gone; your text is back."), "warning")
            elif self.editing.waits and message.status not in (Status.WAITING, Status.FAILED):
                self.editing = replace(self.editing, key=message.key, waits=False)
                self.tell(_("That message has left meanwhile; sending now says it anew."))
        self._say_what_is_edited()

    def _say_what_is_edited(self) -> None:
        line, editing = self.query_one("#writing", Static), self.editing
        line.display = editing is not None
        if editing is None:
            return
        if editing.waits:
            told, price = _("Editing a message that waits · {key} keeps it · {esc} leaves it as it was"), ""
        else:
            told = _("Editing: {price} · {key} sends it anew · {esc} leaves it as it was")
            price = self._price(editing.key)
        key, esc = self.keymap.first("send"), self.keymap.first("escape")
        line.update(Text(told.format(price=price, key=key, esc=esc)))

    def _price(self, key: str) -> str:
        try:
            cost = self.chat.turns.cost_of_edit(key)
        except TapbackError:
            return _("it is not stored yet")
        if cost.messages > 1:
            return _("{messages} will go").format(messages=falls(cost))
        return _("only this message will go")

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
            raise RowNotFound(_("There is no message for that."))
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
            raise Busy(
                _("The agent is answering just now."),
                hint=_("{key} interrupts it first.").format(key=self.keymap.first("escape")),
            )

    # edit

    def action_edit_message(self) -> None:
        """Load the selected message of the user, or the last one, into the composer."""
        self.attempt(self._begin_edit)

    def _begin_edit(self) -> None:
        message = self.chosen(Role.USER)
        if message.role is not Role.USER:
            raise RowNotFound(
                _("Only a message of yours can be edited."), hint=_("A asks again for an answer.")
            )
        waits = message.status in (Status.WAITING, Status.FAILED) and message.row_id is None
        if not waits:
            self.need(Ability.EDIT)
        composer = self.query_one(Composer)
        draft = composer.text if self.editing is None else self.editing.draft
        reading = self.focused is self.query_one(Transcript) or (
            self.editing is not None and self.editing.reading
        )
        self.editing = Editing(message.key, waits, draft, reading)
        composer.set_text(message.text)
        self.set_focus(composer)

    def cancel_edit(self) -> None:
        """The message stays as it was, and one is where one was before."""
        back = self.editing is not None and self.editing.reading
        self._end_edit()
        if back and self.focused is self.query_one(Composer):
            self.set_focus(self.query_one(Transcript))

    def _end_edit(self) -> None:
        """What was in the composer comes back."""
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
            words = _("This takes back {falls}, with their tapbacks, and says your message anew.").format(
                falls=falls(cost)
            )
            app_of(self).push_screen(ConfirmScreen("Edit", words, "send"), send)
