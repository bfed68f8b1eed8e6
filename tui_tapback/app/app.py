"""The Textual app: themes, palette, window title, and what happens at an unforeseen error."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.types import AnimationLevel

from tui_tapback.actions.table import action
from tui_tapback.terminal import marks, segments
from tui_tapback.terminal.link import LinkPace
from tui_tapback.terminal.notification import notification
from tui_tapback.terminal.profile import WidthProfile
from tui_tapback.terminal.replay import Replay
from tui_tapback.terminal.screen_driver import Background, screen_driver
from tui_tapback.terminal.watch import Watch
from tui_tapback.widgets.transcript import Transcript

from .ahead import TypeAhead
from .belongings import Belongings
from .connections import Connections, OnlyOne
from .crash import CrashLog
from .drawing import Drawable, LastLook
from .hangup import Hangup
from .motion import Motion
from .picture import PictureKeeper
from .ports import ChatSession
from .preferences import Preferences
from .screens.chat import ChatScreen
from .screens.face import ChatFace
from .screens.notifying import NotifyingPart
from .themes import OURS
from .visiting import VisitingApp, install


def _warm(locale: str) -> None:
    from tui_tapback.emoji.search import warm
    from tui_tapback.emoji.suggestions import prepare

    warm((locale,))
    prepare("ok", locales=(locale,))  # which reads the rest


class ChatApp(VisitingApp):
    """Opens one ``ChatScreen`` over ``chat`` and leaves the chat when it ends.

    ``typed`` gives, once, what was typed before the app took the terminal. ``replay`` shows the last screen
    of the session that is opened then, until that can be drawn; ``pictures`` keeps the next last screen.
    ``background`` is for the driver, see there.
    ``first_frame`` is called when one stands.
    """

    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False  # opened by the action table, with our own commands
    CSS = """
    /* Textual forgets a reverse there, and without colours nothing else would show the cursor. */
    OptionList:nocolor > .option-list--option-highlighted,
    OptionList:focus:nocolor > .option-list--option-highlighted,
    CommandList:nocolor > .option-list--option-highlighted { text-style: bold underline; }
    Toast { width: auto; max-width: 90%; padding: 0 1; background: $panel; }
    /* No room for a scrollbar that nobody sees: Textual forgets it when it counts the lines of a note. */
    ToastRack { scrollbar-size-vertical: 0; padding: 0 2 0 0; }
    /* The screen on top shows the notes as well. */
    Screen.-behind Toast { display: none; }
    """
    SUSPENDED_SCREEN_CLASS: ClassVar[str] = "-behind"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(action("quit").keys), "quit", show=False, priority=True),
        # Where the chat is not the topmost screen there is nothing to copy or to interrupt.
        Binding("ctrl+c", "nothing", show=False),
    ]

    def __init__(
        self,
        chat: ChatSession,
        preferences: Preferences,
        *,
        crash_log: CrashLog,
        session_id: str | None = None,
        new: bool = False,
        clock: Callable[[], float] = time.time,
        typed: Callable[[], str] = str,
        ticks: Callable[[], float] = time.monotonic,
        replay: Replay | None = None,
        background: Background | None = None,
        first_frame: Callable[[], object] = lambda: None,
        belongings: Belongings | None = None,
        connections: Connections | None = None,
    ) -> None:
        segments.install()
        marks.install()
        self.watch_terminal = Watch(LinkPace(ticks))
        replay = replay or Replay()
        if replay.frame is not None and session_id is None:
            session_id = replay.frame.session_id
        super().__init__(
            driver_class=screen_driver(
                self.watch_terminal,
                pinned=preferences.fitter.profile.pinned,
                background=background,
                take_over=replay.take_over,
            )
        )
        self._ahead = TypeAhead(typed)
        self._first_frame = first_frame
        self._undrawn = ExitStack()  # until the first frame has all that belongs into it
        self.pictures: PictureKeeper | None = None
        self.chat = chat
        self.preferences = preferences
        self._drawable = Drawable(preferences.fitter, only_ascii=preferences.only_ascii)
        self._last_look = LastLook(self._drawable)
        self._crash_log = crash_log
        self._chat_screen = ChatScreen(
            chat, preferences, session_id=session_id, new=new, clock=clock, belongings=belongings
        )
        self._chat_screen.replayed = replay.frame
        self._clock = clock
        self.connections = connections or OnlyOne()
        self._open_chats = {self.connections.current: self._chat_screen}
        for theme in OURS:
            self.register_theme(theme)
        self.theme = preferences.theme
        self.follow_keymap(preferences.keymap)
        self._motion = Motion(lambda: self.watch_terminal.slow, self._let_move)
        self._lively: AnimationLevel = self.animation_level  # as TEXTUAL_ANIMATIONS has it
        self._let_move(True)

    def on_load(self) -> None:
        """The last moment before the driver takes the terminal."""
        self._ahead.begin()
        self._undrawn.enter_context(self.batch_update())

    async def on_event(self, event: events.Event) -> None:
        """Keys that come before the composer is there wait for it."""
        if self._ahead.holds(event):
            return
        heard = await self.pressed(event)
        if heard is not None:
            await super().on_event(heard)

    @on(ChatFace.Ready)
    async def _hand_out(self) -> None:
        for event in self._ahead.release():
            await self.on_event(event)
        for transcript in self._chat_screen.query(Transcript):  # none is left where the program ends just now
            self._chat_screen.call_later(transcript.call_later, self._open)

    def _open(self) -> None:
        """All that belongs into the first frame is there; what takes time begins behind it."""
        self._undrawn.close()
        self.call_after_refresh(self._first_frame)
        self.call_after_refresh(self.watch_settings)
        # The first search and the first pill shall find everything read.
        self.call_after_refresh(self.run_worker, partial(_warm, self.preferences.locale), thread=True)

    def on_mount(self) -> None:
        """Show the chat."""
        install(self, self._chat_screen, "chat-0")
        self.push_screen(self._chat_screen)
        self.follow_title(self._chat_screen)
        if not self.is_headless:
            Hangup(self.chat, parting=self._keep_picture).watch()

    def exit(self, *result: Any, **how: Any) -> None:
        """Leave; the chat keeps what it wants to keep while its widgets are still there."""
        for screen in self._open_chats.values():
            if screen.is_mounted:
                screen.leaving()
        if self._chat_screen.is_mounted:
            self._keep_picture()
        super().exit(*result, **how)

    def _keep_picture(self) -> None:
        """Keep this screen for the next start if the gateway stands behind it, else none."""
        screen = self._chat_screen
        if self.pictures is None or screen.replayed is not None:
            return  # what was kept last time is still all there is to show
        first = self.connection == self.connections.current
        chat = screen.picture if self.screen is screen and first else None
        if chat is None:
            self.pictures.forget()
        else:
            session_id, region = chat
            self.pictures.keep(self, session_id, region, pinned=self.preferences.fitter.profile.pinned)

    async def on_unmount(self) -> None:
        """Leave the gateways."""
        for screen in self._open_chats.values():
            await screen.chat.close()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line passes before it is drawn, whoever has drawn it."""
        return self._last_look.over(super().get_line_filters())

    def post_display_hook(self) -> None:
        """A frame has been written."""
        self._motion.look()

    def _let_move(self, moving: bool) -> None:
        moving = moving and not self.preferences.reduced_motion
        self.animation_level = self._lively if moving else "none"
        for screen in self._open_chats.values():
            screen.let_move(moving)

    def prefer(self, preferences: Preferences) -> None:
        """Other settings count from now on, in all chats that are open."""
        super().prefer(preferences)
        self.follow_keymap(preferences.keymap)
        for screen in self._open_chats.values():
            if screen.is_mounted:
                screen.prefer(preferences)
        self._let_move(not self.watch_terminal.slow)

    def settle(self, profile: WidthProfile) -> None:
        """The terminal has told after the first picture what it can draw: draw all anew.

        Emoji keep their two cells, so nothing moves. Whether there is more than ASCII, and who adds the
        second cell of ❤️, was decided when all was built: these wait for the next start.
        """
        fitter = self.preferences.fitter
        profile = replace(profile, pinned=False)
        if profile == fitter.profile or profile.utf8 is not fitter.profile.utf8:
            return
        fitter.adopt(profile)
        self._drawable.forget()
        for transcript in self._chat_screen.query(Transcript):
            transcript.fitter = fitter
        for screen in self.screen_stack:
            for widget in screen.walk_children(with_self=True):
                widget.refresh()
        self.set_window_title(self._chat_screen.title)

    def action_nothing(self) -> None:
        """Keep Textual from telling how to quit."""

    @on(NotifyingPart.NotificationWanted)
    def _notify_outside(self, event: NotifyingPart.NotificationWanted) -> None:
        event.stop()
        if self._driver is not None and not self.is_headless:
            title, body = self._drawable.line(event.title), self._drawable.line(event.body)
            tmux, identifier = self.preferences.outside.tmux, f"tapback-{os.getpid()}"
            self._driver.write(notification(event.kind, title, body, tmux=tmux, identifier=identifier))

    def _handle_exception(self, error: Exception) -> None:
        """Textual's hook for what nobody caught: log it, and leave with one clean sentence."""
        super()._handle_exception(self._crash_log.report(error))
