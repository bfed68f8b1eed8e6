"""The chat screen's reacting: wishes from transcript, pill and picker become reactions of the chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from textual import on
from textual.widget import Widget

from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.reacting import Reactor
from tui_tapback.client.state import ClientState
from tui_tapback.client.tapback_history import Change
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.messages import Message
from tui_tapback.domain.parts import Part
from tui_tapback.domain.reactions import Author, toggled
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.composer.commands import TapbackCommand
from tui_tapback.widgets.picker import EmojiPicker
from tui_tapback.widgets.statusbar import StatusLine
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import plural

from .face import ChatFace

SUGGESTED = 7
"""Suggestions in the first row of the picker."""


class TappingScreen(ChatFace):
    """Everything about tapbacks. The message is fixed when the pill or the picker opens."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self.reactor = Reactor(chat, self.refuse)
        self._picking: str | None = None  # the message for which the picker is open
        self._picking_part: Part | None = None
        self._back_to: Widget | None = None  # who had the focus before pill or picker

    def react(
        self, key: str, emoji: str | None, part: Part | None = None, *, joins: bool = False
    ) -> Change | None:
        """Set the user's reaction and paint it at once, before anything is sent.

        ``joins``: it belongs to the same wish as the one before. Returns what changed, None if nothing did.
        """
        anchor, quote = (part.anchor, part.quote) if part is not None else (None, "")
        change = self.reactor.set(key, emoji, anchor, quote)
        if change is not None and change.before != change.after:
            self.reacted(change, joins=joins)
        else:
            change = None
        self.show_state(self.chat.state)
        return change

    def reacted(self, change: Change, *, joins: bool) -> None:
        """Hook: the person has reacted; ``joins``: in the same wish as the time before."""
        del joins
        if change.after is not None:
            self.preferences.habits.used(change.after)

    def stepped(self, changes: Sequence[Change], *, back: bool) -> None:
        """Hook: these changes were made by an undo (``back``) or a redo."""

    def typed(self, command: TapbackCommand) -> bool:
        """Carry out ``+:tada:``, ``2-`` and their like; False where it was refused."""
        wish = self.reactor.typed(command)
        if wish is None:
            return False
        self.react(*wish)
        return True

    def show_state(self, state: ClientState) -> None:
        """The picker as well: it follows its message, and goes when that goes."""
        super().show_state(state)
        if self._picking is None:
            return
        picker, message = self.query_one(EmojiPicker), self.message(self._picking)
        if message is not None:
            picker.follow(*_marks(message, self._picking_part))
            return
        self._picking = None
        picker.close()
        self._restore_focus()

    def message(self, key: str) -> Message | None:
        """The message of that key if it is still here."""
        return self.reactor.message(key)

    @on(Transcript.ReactionRequested)
    def _reaction_requested(self, event: Transcript.ReactionRequested) -> None:
        event.stop()
        self.react(event.key, event.emoji, event.part, joins=event.joins)

    @on(Composer.PillRequested)
    def _pill_requested(self, event: Composer.PillRequested) -> None:
        event.stop()
        self.action_react_last()

    def action_react_last(self) -> None:
        """Open the pill on the agent's last message."""
        try:
            target = self.reactor.answer()
        except TapbackError as error:
            self.refuse(error)
            return
        self._remember_focus()
        transcript = self.query_one(Transcript)
        self.set_focus(transcript)
        transcript.open_pill(target.key)

    def action_pill_key(self, key: str) -> None:
        """A key of the open pill; where that closes it the next key goes to who had the focus before."""
        transcript = self.query_one(Transcript)
        transcript.pill_key(key)
        if not transcript.pill_open:
            self._pill_left()

    def adorned(self, line: StatusLine) -> StatusLine:
        """The number of messages in the selected range stands where else the title is."""
        line = super().adorned(line)
        if not (count := len(self.query_one(Transcript).range_keys)):
            return line
        told = plural("{count} message", "{count} messages", count).format(count=count)
        return replace(line, title=told, model="")

    @on(Transcript.KeysChanged)
    @on(Transcript.RangeChanged)
    def _keys_changed(self, event: Transcript.KeysChanged | Transcript.RangeChanged) -> None:
        event.stop()
        self._show_status()

    @on(Transcript.PillOpened)
    def _pill_opened(self, event: Transcript.PillOpened) -> None:
        event.stop()
        self._show_status()  # other keys work now: say which

    @on(Transcript.PillClosed)
    def _pill_closed(self, event: Transcript.PillClosed) -> None:
        event.stop()
        self._pill_left()
        self._show_status()

    def _pill_left(self) -> None:
        if self._picking is None and not self.query_one(Transcript).pill_open:
            self._restore_focus()

    @on(Transcript.PickerRequested)
    def _picker_requested(self, event: Transcript.PickerRequested) -> None:
        event.stop()
        message = self.message(event.key)
        if message is None:
            return
        self._remember_focus()
        self._picking, self._picking_part = event.key, event.part
        transcript = self.query_one(Transcript)
        current, present = _marks(message, event.part)
        self.query_one(EmojiPicker).open(
            transcript.region_for(event.key),
            current,
            present=present,
            suggested=self.preferences.habits.fitting(message.text, SUGGESTED, self.preferences.locale),
            within=transcript,
        )

    def prefer(self, preferences: Preferences) -> None:
        """Quick reactions and double click stand in the transcript."""
        super().prefer(preferences)
        self._tones_changed()

    def _tones_changed(self) -> None:
        transcript = self.query_one(Transcript)
        transcript.quick, transcript.double_click = self.preferences.quick, self.preferences.at_once

    @on(EmojiPicker.ToneChosen)
    def _tone_chosen(self, event: EmojiPicker.ToneChosen) -> None:
        event.stop()
        self.preferences.habits.choose_tone(event.tone)
        self._tones_changed()

    @on(EmojiPicker.FormChosen)
    def _form_chosen(self, event: EmojiPicker.FormChosen) -> None:
        event.stop()
        self.preferences.habits.choose_form(event.form)
        self._tones_changed()

    @on(EmojiPicker.Picked)
    def _picked(self, event: EmojiPicker.Picked) -> None:
        event.stop()
        key, self._picking = self._picking, None
        message = self.message(key) if key is not None else None
        if message is not None:
            part = self._picking_part
            present = message.reactions.by(Author.USER, part.anchor if part is not None else None)
            self.react(message.key, toggled(present, event.emoji), part)
        self.query_one(Transcript).close_pill()
        self._restore_focus()

    @on(EmojiPicker.Dismissed)
    def _dismissed(self, event: EmojiPicker.Dismissed) -> None:
        event.stop()
        self._picking = None
        transcript = self.query_one(Transcript)
        if transcript.pill_open:
            self.set_focus(transcript)  # Esc leads back to the pill that asked for the picker
        else:
            self._restore_focus()

    def _remember_focus(self) -> None:
        if self._back_to is None:
            self._back_to = self.focused

    def _restore_focus(self) -> None:
        back, self._back_to = self._back_to, None
        if back is not None and back.is_attached:
            self.set_focus(back)


def _marks(message: Message, part: Part | None) -> tuple[str | None, list[str]]:
    """The emoji that the person has set on the message or its part, and what the agent has."""
    anchor = part.anchor if part is not None else None
    mine, theirs = message.reactions.by(Author.USER, anchor), message.reactions.by(Author.AGENT, anchor)
    return (mine.emoji if mine else None), ([theirs.emoji] if theirs else [])
