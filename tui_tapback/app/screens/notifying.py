"""Notifications while the terminal has not the focus: of answers, tapbacks, questions and failures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from textual.message import Message as TextualMessage
from textual.timer import Timer

from tui_tapback.app.notes import PROGRAM
from tui_tapback.app.notifying import News, Pace, Watcher, Weight
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.tapbacks import words
from tui_tapback.app.tapbacks.unread import Mark
from tui_tapback.client.state import ClientState
from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.notification import Kind
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .unread import UnreadPart

PATIENCE: Final = 10.0
"""Seconds that a command of the person's may take."""


class NotifyingPart(UnreadPart):
    """Tells nobody who looks, never of one's own tapbacks, and of no tapback while they are muted."""

    class NotificationWanted(TextualMessage):
        """The terminal shall show one; title and body are clean lines."""

        def __init__(self, kind: Kind, title: str, body: str) -> None:
            super().__init__()
            self.kind, self.title, self.body = kind, title, body

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._watcher = Watcher()
        self._pace = Pace()
        self._next_notification: Timer | None = None
        self._command_failed = False

    def show_state(self, state: ClientState) -> None:
        """Look for what is worth a notification."""
        super().show_state(state)
        self._announce(self._watcher.look(state))

    def _look(self, state: ClientState) -> tuple[Mark, ...]:
        fresh = super()._look(state)
        if not self.preferences.memory.now.muted:
            found = ((self.message(key), emoji) for key, _, emoji in fresh)
            self._announce(
                [News(Weight.TAPBACK, words.received(message, emoji)) for message, emoji in found if message]
            )
        return fresh

    def _focus_changed(self, focus: bool) -> None:
        if focus:
            self._pace.drop()
        super()._focus_changed(focus)

    def _announce(self, news: Sequence[News]) -> None:
        if app_of(self).app_focus or self.preferences.notifications.when == "never":
            return
        self._pace.add(news)
        if not self._pace.empty:
            # One change of the state may bring several things: they are told as one.
            self.call_later(self._notify_when_due)

    def _notify_when_due(self) -> None:
        if self._pace.only_tapbacks and self.chat.state.running:
            return  # with the answer, or when there will be none
        now = time.monotonic()
        if (text := self._pace.due(now)) is not None:
            self._notify_outside(text)
        elif (seconds := self._pace.wait(now)) is not None:
            if self._next_notification is not None:
                self._next_notification.stop()
            self._next_notification = self.set_timer(seconds, self._notify_when_due)

    def _notify_outside(self, text: str) -> None:
        session = clean_line(self.chat.state.title, 40)
        title = f"{PROGRAM} · {session}" if session else PROGRAM
        chosen = self.preferences.notifications
        if chosen.how == "command" and chosen.command:
            self.run_worker(self._run_command([*chosen.command, title, text]), group="notifications")
            return
        ordered = chosen.how not in ("auto", "command")
        kind = Kind(chosen.how) if ordered else self.preferences.outside.notifies_by
        self.post_message(self.NotificationWanted(kind, title, text))

    async def _run_command(self, command: Sequence[str]) -> None:
        """Title and text are its last two arguments, and begin with words of ours: neither is an option."""
        nothing = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
            )
        except (OSError, ValueError) as error:
            self._command_trouble(
                _("it cannot be started ({reason})").format(reason=getattr(error, "strerror", None) or error)
            )
            return
        try:
            async with asyncio.timeout(PATIENCE):
                code = await process.wait()
        except TimeoutError:
            self._command_trouble(_("it took longer than {patience:g} seconds").format(patience=PATIENCE))
        else:
            if code:
                self._command_trouble(_("it ended with the code {code}").format(code=code))
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    def _command_trouble(self, what: str) -> None:
        if not self._command_failed:
            self._command_failed = True
            self.tell(
                _("The command for notifications does not work: {what}.").format(what=clean_line(what, 200)),
                "warning",
            )
