"""The chat screen: what is typed and what the keys of the action table mean."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, assert_never

from textual import on
from textual.binding import Binding, BindingType

from tui_tapback.actions.action import Group
from tui_tapback.app.actions import bindings
from tui_tapback.app.ladders import QUIT_WINDOW, Situation, Step, ctrl_c, escape
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.domain.errors import InvalidInput, TapbackError
from tui_tapback.widgets.chip import Chip
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.composer import commands as typed
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.widgets.transcript.keys import PILL_COMMANDS, PILL_NUMBERS
from tui_tapback.words import _

from .connection import ConnectionPart
from .copying import CopyingPart
from .gatewaycommands import GatewayCommandsPart
from .history import HistoryPart
from .jobs import JobParts
from .keys import KeysPart
from .library import LibraryPart
from .questions import QuestionsPart
from .reactions import ReactionParts
from .settings_part import SettingsPart
from .sharing import FORMS
from .waiting import WaitingPart
from .writing import WritingPart


class ChatScreen(
    LibraryPart,
    CopyingPart,
    HistoryPart,
    QuestionsPart,
    WaitingPart,
    WritingPart,
    GatewayCommandsPart,
    JobParts,
    ConnectionPart,
    SettingsPart,
    KeysPart,
    ReactionParts,
):
    """Messages of the widgets come up here and become intents of the chat; no handler awaits the network."""

    # What moves the focus is bound with priority: the key is then carried out before the next one is handed
    # to whoever has the focus, so that quick typing and type-ahead arrive where they were meant for.
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Group.EVERYWHERE),
        Binding("enter", "answer_chip", show=False, priority=True),
        Binding("i", "write", show=False, priority=True),
        Binding("alt+up", "to_transcript", show=False, priority=True),
        Binding("ctrl+t,alt+r", "react_last", show=False, priority=True),
        *(
            Binding(key, f"pill_key({key!r})", show=False, priority=True)
            for key in (*PILL_NUMBERS, *PILL_COMMANDS)
        ),
    ]

    def __init__(
        self,
        chat: ChatSession,
        preferences: Preferences,
        *,
        ticks: Callable[[], float] = time.monotonic,
        **start: Any,
    ) -> None:
        super().__init__(chat, preferences, **start)
        self._ticks = ticks
        self._warned_at = -math.inf

    # what is typed

    @on(Composer.Submitted)
    def _submitted(self, event: Composer.Submitted) -> None:
        """What was not taken goes back into the composer."""
        event.stop()
        if self.editing is not None:
            self.finish_edit(event.composer, event.text)
            return
        try:
            taken = self._carry_out(typed.read_input(event.text))
        except TapbackError as error:
            self.refuse(error)
            taken = False
        if taken:
            event.composer.accept()
            self.sent(event.text)
            self.show_state(self.chat.state)
        else:
            event.composer.refuse()

    def _carry_out(self, command: typed.Command) -> bool:
        """Do what was typed; False where it was refused and the text must stay. Raises TapbackError."""
        match command:
            case typed.Say(text):
                self.say(text)
            case typed.React() | typed.Unreact():
                return self.typed(command)
            case typed.TapbackOrder():
                self.carry_out_order(command)
            case typed.Share(form):
                self.action_share(form or FORMS[0])
            case typed.Order.HELP:
                self.action_help()
            case typed.Order.NEW:
                self.action_new_session()
            case typed.Order.SESSIONS:
                self.action_sessions()
            case typed.Order.QUIT:
                self.action_quit()
            case typed.SetTitle(title):
                self._set_title(title)
            case typed.Find(words):
                self.find(words)
            case typed.Order.THEME:
                self.action_theme()
            case typed.Order.KEYS:
                self.action_keys()
            case typed.Order.SETTINGS:
                self.action_settings()
            case typed.Order.UNDO:
                self.action_undo_turn()
            case typed.Order.RETRY:
                self.action_ask_again()
            case typed.Order.EDIT:
                self.later(self.edit_last())
            case typed.SetCourse(course, words):
                self.set_course(course, words)
            case typed.SetJob(job, words):
                self.do_job(job, words)
            case typed.SetConnection(name):
                self.post_message(self.OthersWanted(name or None))
            case typed.Order.ANSWER:
                self.action_answer_question()
            case typed.Order.RECONNECT:
                self.action_reconnect()
            case typed.Order.LOG_IN:
                self.action_log_in()
            case typed.Unknown(name, rest=rest) if self.has_commands:
                self.run_at_gateway(f"/{name} {rest}".strip())
            case typed.Unknown(name, suggestions):
                raise self._unknown(name, suggestions)
            case _:
                assert_never(command)
        return True

    def _unknown(self, name: str, suggestions: Sequence[str]) -> InvalidInput:
        named = _(" or ").join(f"/{each}" for each in suggestions)
        near = _("Did you mean {names}? ").format(names=named) if suggestions else ""
        hint = _("Begin with // to send it as text; {key} lists all.").format(key=self.keymap.way("help"))
        return InvalidInput(_("There is no command /{name}.").format(name=name), hint=near + hint)

    def _set_title(self, title: str) -> None:
        if title:
            self.later(self.chat.set_title(title))
        else:
            present = self.chat.state.title
            self.tell(
                _("This session is called “{present}”.").format(present=present)
                if present
                else _("This session has no title yet.")
            )

    # going between the parts

    @on(Composer.TranscriptRequested)
    def _transcript_requested(self, event: Composer.TranscriptRequested) -> None:
        event.stop()
        self.action_to_transcript()

    @on(Transcript.ComposerRequested)
    def _composer_requested(self, event: Transcript.ComposerRequested) -> None:
        event.stop()
        self.action_write()

    @on(Composer.EscapePressed)
    def _escape_pressed(self, event: Composer.EscapePressed) -> None:
        event.stop()
        self.action_escape()

    @on(Transcript.RetryRequested)
    def _retry_requested(self, event: Transcript.RetryRequested) -> None:
        event.stop()
        try:
            self.chat.retry(event.key)
        except TapbackError as error:
            self.refuse(error)
        self.show_state(self.chat.state)

    # the action table

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys with priority count only where their widget has the focus and nothing floats over it."""
        composer, transcript = self.query_one(Composer), self.query_one(Transcript)
        typing = self.focused is composer and not composer.completing
        reading = self.focused is transcript and not transcript.takes_letters
        match action:
            case "write":
                return reading
            case "answer_chip":
                idle = typing and not composer.text
                return self.query_one(Chip).armed and (idle or reading)
            case "to_transcript" | "react_last":
                return typing or (action == "react_last" and not self.focused)
            case "pill_key":
                return self.focused is transcript and transcript.pill_open
            case "escape":
                inside = self.focused is transcript and transcript.takes_escape
                return typing or (reading and not inside) or self.focused is None
            case _:
                return True

    def action_write(self) -> None:
        """Go to the composer."""
        self.set_focus(self.query_one(Composer))

    def action_to_transcript(self) -> None:
        """Go to the messages."""
        if self.chat.state.messages:
            self.set_focus(self.query_one(Transcript))

    def situation(self) -> Situation:
        """What Esc and Ctrl+C find."""
        composer = self.query_one(Composer)
        state = self.chat.state
        return Situation(
            running=state.running,
            selection=bool(self._selected_text()),
            draft=bool(composer.text),
            composing=self.focused is composer,  # its own flag lags behind a burst of keys
            editing=self.editing is not None,
            messages=bool(state.messages),
        )

    def _selected_text(self) -> str:
        composer = self.query_one(Composer)
        return (composer.selected_text if self.focused is composer else "") or self.get_selected_text() or ""

    def action_escape(self) -> None:
        """One rung of the Esc ladder; what floats has taken its Esc before."""
        if not self.leave_something():
            self._step(escape(self.situation()))

    def action_copy_or_interrupt(self) -> None:
        """One rung of the Ctrl+C ladder."""
        self._step(ctrl_c(self.situation(), since_last=self._ticks() - self._warned_at))

    def _step(self, step: Step) -> None:
        match step:
            case Step.CANCEL_EDIT:
                self.cancel_edit()
            case Step.INTERRUPT:
                self.later(self.chat.interrupt())
            case Step.ENTER_TRANSCRIPT:
                self.action_to_transcript()
            case Step.ENTER_COMPOSER:
                self.action_write()
            case Step.COPY:
                self.copy(self._selected_text())
            case Step.CLEAR:
                self.query_one(Composer).clear()
            case Step.WARN_QUIT:
                self._warned_at = self._ticks()
                told = _("Press {key} again to quit.").format(key=self.keymap.way("copy_or_interrupt"))
                self.tell(told, seconds=QUIT_WINDOW)
            case Step.QUIT:
                self.action_quit()
            case Step.NOTHING:
                pass
            case _:
                assert_never(step)

    def action_new_session(self) -> None:
        """Begin a new session."""
        self.later(self.chat.new_session())
        self.action_write()
