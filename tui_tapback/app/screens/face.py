"""The chat screen's face: its parts and how the state of the chat goes down into them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.geometry import Region
from textual.message import Message as TextualMessage
from textual.screen import Screen
from textual.widgets import Static

from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.sequences import Begun
from tui_tapback.app import notes
from tui_tapback.app.belongings import Belongings
from tui_tapback.app.picture import chat_strips, confirmed, unread_yet
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.reading.extent import Extent
from tui_tapback.app.sync import NoticeArrived, StateChanged, SyncWorker
from tui_tapback.app.wiring import build_card, build_composer, build_picker, build_transcript, card_keys
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.messages import Message
from tui_tapback.terminal.last_frame import Frame
from tui_tapback.widgets.asking import QuestionCard
from tui_tapback.widgets.chip import Chip
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.host import layouts_of
from tui_tapback.widgets.picker import EmojiPicker
from tui_tapback.widgets.statusbar import StatusBar, StatusLine
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.widgets.working import AttachedFiles, TodoBlock

from .telling import TellingScreen


class ChatFace(TellingScreen):
    """Transcript, banner, composer, status line and the floating picker, and how values go down."""

    DEFAULT_CSS = """
    ChatFace { layers: base overlay; background: $background; }
    ChatFace #banner { height: auto; max-height: 5; padding: 0 1; display: none; }
    ChatFace #writing { height: auto; padding: 0 1; display: none; color: $text-accent; }
    ChatFace #banner.-warning { display: block; background: $warning 14%; color: $text-warning; }
    ChatFace #banner.-error { display: block; background: $error 14%; color: $text-error; }
    """

    AUTO_FOCUS: ClassVar[str | None] = "Composer"
    """Else the transcript would come first, and all of its styles be made anew, twice."""

    class Ready(TextualMessage):
        """The composer has the focus for the first time: keys have somewhere to go."""

    def __init__(
        self,
        chat: ChatSession,
        preferences: Preferences,
        *,
        session_id: str | None = None,
        new: bool = False,
        clock: Callable[[], float] = time.time,
        belongings: Belongings | None = None,
    ) -> None:
        super().__init__()
        self.belongings = belongings or Belongings()
        self._extent = Extent()
        self._extent_of: str | None = None
        self.chat = chat
        self.preferences = preferences
        self._start = (session_id, new)
        self._keys_of = notes.Mode.TYPING
        self._begun: Begun | None = None
        self.clock = clock
        self._told_ready = False
        self._banner = ""
        self.replayed: Frame | None = None

    def compose(self) -> ComposeResult:
        """The picker comes last: it floats on the overlay layer."""
        transcript = build_transcript(self.preferences)
        if self.replayed is not None:
            transcript.meanwhile = chat_strips(self.replayed)
        yield transcript
        yield TodoBlock(self.preferences.fitter)
        yield Static(id="banner", markup=False)
        yield Chip(self.preferences.fitter)
        yield Static(id="writing", markup=False)
        yield build_card(self.preferences, self.clock)
        yield AttachedFiles(self.preferences.fitter)
        yield build_composer(self.preferences)
        yield StatusBar(self.preferences.fitter, ascii_only=not self.preferences.fitter.profile.utf8)
        yield build_picker(self.preferences)

    def on_mount(self) -> None:
        """Show what there is, follow the chat, and begin it."""
        self.show_state(self.chat.state)
        self.query_one(Composer).focus()
        self.run_worker(SyncWorker(self.chat, self).run(), name="sync", group="sync")
        session_id, new = self._start
        self.later(self.chat.start(session_id=session_id, new=new))

        layouts_of(self).subscribe(self, self._lift_toasts)
        # Seconds to the next attempt run down by themselves.
        self.set_interval(0.5, self._count_down)
        self.set_interval(5.0, self._keep_habits)

    @property
    def picture(self) -> tuple[str, Region] | None:
        """The session and where its messages are, if what is shown may be shown again at the next start."""
        state, transcript = self.chat.state, self.query_one(Transcript)
        covered = transcript.takes_letters or self.query_one(EmojiPicker).is_open
        if covered or not confirmed(state) or state.session_id is None:
            return None
        return state.session_id, transcript.region

    def leaving(self) -> None:
        """Hook: the program ends, or another connection takes the screen; the widgets are still there."""

    def on_unmount(self) -> None:
        """Keep what was learnt."""
        self.preferences.habits.save()

    def prefer(self, preferences: Preferences) -> None:
        """Other settings count from now on; what reads them when it is needed needs no word about it."""
        self.preferences = preferences
        self.query_one(Transcript).pill_labels = notes.pill_labels(preferences.keymap)
        self.query_one(QuestionCard).keys = card_keys(preferences.keymap)
        self._show_status()
        self.show_state(self.chat.state)
        self.query_one(EmojiPicker).set_tone(preferences.habits.tone)
        self.query_one(Transcript).signed = preferences.badge_marks == "always"

    def let_move(self, moving: bool) -> None:
        """Whether new badges may pop."""
        for transcript in self.query(Transcript):
            transcript.motion = moving

    def _lift_toasts(self, _: Screen[object]) -> None:
        """Toasts lie over the end of the transcript, never over the banner or what is typed."""
        below = self.size.height - self.query_one(Transcript).region.bottom
        for rack in self.query("ToastRack"):
            if rack.styles.margin.bottom != below:
                rack.styles.margin = (0, 0, below, 0)

    def _keep_habits(self) -> None:
        if trouble := self.preferences.habits.save():
            self.tell(trouble, "warning")

    def on_descendant_focus(self) -> None:
        """Other keys work now: say which."""
        if not self._told_ready:
            self._told_ready = True
            self.post_message(self.Ready())
        self._show_status()

    def _show_status(self) -> None:
        self._keys_of = self._mode()
        yes = "activate" if self.query_one(Transcript).has_focus else "send"
        self.query_one(Chip).tell_keys(self.keymap.first(yes), self.keymap.first("escape"))
        self._count_down()

    def _count_down(self) -> None:
        draft = self.query_one(Composer).text
        line = self.adorned(
            notes.status_line(self.chat.state, self.clock(), self._keys_of, draft=draft, keymap=self.keymap)
        )
        if self._begun is not None:
            line = replace(line, title="", model="", facts=(), hints=notes.second_keys(self._begun))
        self.query_one(StatusBar).show(line)

    @property
    def keymap(self) -> Keymap:
        """The keys in use."""
        return self.preferences.keymap

    def show_begun(self, begun: Begun | None) -> None:
        """The first of two keys was pressed: say which may follow. None: no longer."""
        if begun != self._begun:
            self._begun = begun
            self._count_down()

    def adorned(self, line: StatusLine) -> StatusLine:
        """Hook: what else belongs into the status line."""
        return line

    def titled(self, title: str) -> str:
        """Hook: what else belongs into the title of the window."""
        return title

    def messages_shown(self, state: ClientState) -> Sequence[Message]:
        """Hook: the messages that the transcript shows."""
        return state.messages

    def leave_something(self) -> bool:
        """Hook: close what is open on the screen and has no focus of its own; whether there was anything."""
        return False

    def _mode(self) -> notes.Mode:
        transcript = self.query_one(Transcript)
        if self.query_one(EmojiPicker).is_open:
            return notes.Mode.PICKING
        if transcript.pill_open:
            return notes.Mode.CHOOSING
        if transcript.has_focus and transcript.searching:
            return notes.Mode.SEEKING
        if transcript.has_focus and transcript.marking:
            return notes.Mode.MARKING
        return notes.Mode.READING if transcript.has_focus else notes.Mode.TYPING

    @on(StateChanged)
    def _state_changed(self, event: StateChanged) -> None:
        event.stop()
        self.show_state(event.state)

    def show_state(self, state: ClientState) -> None:
        """Give every widget its part of ``state``."""
        transcript = self.query_one(Transcript)
        transcript.empty_hint = notes.empty_hint(state, self.keymap)
        if self.replayed is not None and not unread_yet(state):
            self.replayed, transcript.meanwhile = None, ()
            if state.connection.phase is Phase.ONLINE and state.session_id is None:
                self.later(self._open_newest())
        older, newer = self._beyond(state)
        shown = self.messages_shown(state)
        transcript.show_session(state.session_id or "", shown, older=older, newer=newer)
        banner, told = self.query_one("#banner", Static), notes.banner(state, self.keymap)
        banner.set_class(told is not None and told.level == "warning", "-warning")
        banner.set_class(told is not None and told.level == "error", "-error")
        words = told.text if told else ""
        if words != self._banner:  # to set the same once more would lay out the whole screen anew
            self._banner = words
            banner.update(Text(words))
        self._show_status()
        self.title = self.titled(notes.window_title(state))

    async def _open_newest(self) -> None:
        """The session that was seen last time is gone: open the one that was used last."""
        for newest in (await self.chat.list_sessions())[:1]:
            await self.chat.open_session(newest.id)

    def _beyond(self, state: ClientState) -> tuple[int, int]:
        """How many messages lie before and behind those that are held."""
        if state.session_id != self._extent_of:
            self._extent, self._extent_of = Extent(), state.session_id
        return self._extent.follow(
            state.messages, has_older=state.has_older, has_newer=state.has_newer, total=state.total
        )

    @on(NoticeArrived)
    def _notice_arrived(self, event: NoticeArrived) -> None:
        event.stop()
        self.tell(event.notice.text, event.notice.level)
