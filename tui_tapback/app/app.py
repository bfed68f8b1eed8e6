"""The Textual app: themes, palette, window title, and what happens at an unforeseen error."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from textual import events, on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.types import AnimationLevel

from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.search import warm
from tui_tapback.terminal import segments
from tui_tapback.terminal.link import LinkPace
from tui_tapback.terminal.profile import WidthProfile
from tui_tapback.terminal.replay import Replay
from tui_tapback.terminal.screen_driver import screen_driver
from tui_tapback.terminal.watch import Watch
from tui_tapback.widgets.transcript import Transcript

from .actions import action
from .ahead import TypeAhead
from .belongings import Belongings
from .crash import CrashLog
from .drawing import Drawable, LastLook
from .hangup import EVERY, Hangup
from .motion import Motion
from .picture import PictureKeeper
from .ports import ChatSession
from .preferences import Preferences
from .screens.chat import ChatScreen
from .screens.face import ChatFace
from .themes import OURS


class ChatApp(App[None]):
    """Opens one ``ChatScreen`` over ``chat`` and leaves the chat when it ends.

    ``typed`` gives, once, what was typed before the app took the terminal. ``replay`` shows the last screen
    of the session that is opened then, until that can be drawn; ``pictures`` keeps the next last screen.
    """

    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False  # opened by the action table, with our own commands
    CSS = """
    Transcript > .transcript--badge-user { background: $primary; color: auto 95%; }
    /* Textual forgets a reverse there, and without colours nothing else would show the cursor. */
    OptionList:nocolor > .option-list--option-highlighted,
    OptionList:focus:nocolor > .option-list--option-highlighted,
    CommandList:nocolor > .option-list--option-highlighted { text-style: bold underline; }
    Toast { width: auto; max-width: 90%; padding: 0 1; background: $panel; }
    """
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
        belongings: Belongings | None = None,
    ) -> None:
        segments.install()
        self.watch_terminal = Watch(LinkPace(ticks))
        replay = replay or Replay()
        super().__init__(
            driver_class=screen_driver(
                self.watch_terminal, pinned=preferences.fitter.profile.pinned, take_over=replay.take_over
            )
        )
        self._ahead = TypeAhead(typed)
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
        for theme in OURS:
            self.register_theme(theme)
        self.theme = preferences.theme
        self._motion = Motion(lambda: self.watch_terminal.slow, self._let_move)
        self._lively: AnimationLevel = self.animation_level  # as TEXTUAL_ANIMATIONS has it
        self._let_move(True)

    def on_load(self) -> None:
        """The last moment before the driver takes the terminal."""
        self._ahead.begin()
        self._undrawn.enter_context(self.batch_update())

    async def on_event(self, event: events.Event) -> None:
        """Keys that come before the composer is there wait for it."""
        if not self._ahead.holds(event):
            await super().on_event(event)

    @on(ChatFace.Ready)
    async def _hand_out(self) -> None:
        for event in self._ahead.release():
            await super().on_event(event)
        transcript = self._chat_screen.query_one("Transcript")
        self._chat_screen.call_later(transcript.call_later, self._undrawn.close)
        # The first frame is drawn, and the first search shall find everything read.
        self.call_after_refresh(self.run_worker, partial(warm, (self.preferences.locale,)), thread=True)

    def on_mount(self) -> None:
        """Show the chat."""
        self.push_screen(self._chat_screen)
        self.watch(self._chat_screen, "title", self.set_window_title)
        if not self.is_headless:
            self.set_interval(EVERY, Hangup(self.chat, parting=self._keep_picture).look)

    def exit(self, *result: Any, **how: Any) -> None:
        """Leave; the chat keeps what it wants to keep while its widgets are still there."""
        if self._chat_screen.is_mounted:
            self._chat_screen.leaving()
            self._keep_picture()
        super().exit(*result, **how)

    def _keep_picture(self) -> None:
        """Keep this screen for the next start if the gateway stands behind it, else none."""
        screen = self._chat_screen
        if self.pictures is None:
            return
        chat = screen.picture if self.screen is screen else None
        if chat is None:
            self.pictures.forget()
        else:
            session_id, region = chat
            self.pictures.keep(self, session_id, region, pinned=self.preferences.fitter.profile.pinned)

    async def on_unmount(self) -> None:
        """Leave the gateway."""
        await self.chat.close()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line passes before it is drawn, whoever has drawn it."""
        return self._last_look.over(super().get_line_filters())

    def post_display_hook(self) -> None:
        """A frame has been written."""
        self._motion.look()

    def _let_move(self, moving: bool) -> None:
        moving = moving and not self.preferences.reduced_motion
        self.animation_level = self._lively if moving else "none"
        self._chat_screen.let_move(moving)

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

    def set_window_title(self, title: str | None) -> None:
        """Set the title of the terminal's window; nothing in it can be a control sequence."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(f"\x1b]2;{self._drawable.line(clean_line(title or '', 120))}\x07")

    def _handle_exception(self, error: Exception) -> None:
        """Textual's hook for what nobody caught: log it, and leave with one clean sentence."""
        super()._handle_exception(self._crash_log.report(error))
