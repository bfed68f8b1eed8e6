"""The agent's tapbacks that nobody has seen: counted, walked through, and told after an absence."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from textual import on

from tui_tapback.actions.action import Action
from tui_tapback.app import notes
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.tapbacks import words
from tui_tapback.app.tapbacks.away import horizon
from tui_tapback.app.tapbacks.unread import Digest, Mark, UnreadTapbacks
from tui_tapback.client import tapback_memory as memory
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author
from tui_tapback.widgets.chip import Chip
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.statusbar import StatusLine
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _, mark, plural

from .tapping import TappingScreen

RETURNING: Final = 1.5
"""Seconds after coming back in which what arrives is what one has missed."""
TOLD: Final = 2
"""Tapbacks that are told one by one; more at once are told as a number."""
DIGEST: Final = "digest"


class UnreadPart(TappingScreen):
    """Follows the session on screen. What is on the screen while the terminal has the focus is seen."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._unread = UnreadTapbacks()
        self._unread_of: str | None = None
        self._looked_at: tuple[Message, ...] = ()
        self._away = False
        self._returning = False
        self._walk: deque[str] = deque()

    def on_mount(self) -> None:
        """Whoever leaves the terminal and comes back is told what came meanwhile."""
        self.watch(app_of(self), "app_focus", self._focus_changed, init=False)

    def on_unmount(self) -> None:
        """Remember how far one has read."""
        self._remember()
        self.preferences.memory.save()

    def _focus_changed(self, focus: bool) -> None:
        if focus:
            self._come_back()
            self.show_state(self.chat.state)
        else:
            self._away = True

    def show_state(self, state: ClientState) -> None:
        """Look for tapbacks that are news."""
        super().show_state(state)
        if state.session_id is None or state.loading:
            return
        if state.connection.phase is not Phase.ONLINE:
            self._away = True
            return
        if state.session_id != self._unread_of:
            if not state.messages:
                return  # not read yet, or there is nothing to follow
            self._remember()
            self._walk.clear()
            self._unread_of = state.session_id
            self._looked_at = ()
            self._unread = UnreadTapbacks(self.preferences.memory.now.seen.get(state.session_id))
            self._away, self._returning = False, True  # for this look only
            fresh = self._look(state)
            self._returning = False
        else:
            if self._away and app_of(self).app_focus:
                self._come_back()
            fresh = self._look(state)
        if fresh:
            self._show_status()
        self._see()

    def _look(self, state: ClientState) -> tuple[Mark, ...]:
        before, self._looked_at = self._looked_at, state.messages
        if _only_words(before, state.messages) and not self._returning:
            return ()
        fresh = self._unread.look(state.messages)
        for _key, _author, emoji in fresh:
            self.preferences.memory.change(memory.counted(Author.AGENT, emoji, self.clock()))
        if not self.preferences.memory.now.muted:
            self._tell_of(fresh)
        return fresh

    def _come_back(self) -> None:
        self._away, self._returning = False, True

        def returned() -> None:
            self._returning = False
            self._see()

        self.set_timer(RETURNING, returned)

    def _tell_of(self, fresh: tuple[Mark, ...]) -> None:
        """After an absence as a digest, else one by one where they are out of sight."""
        messages = self.chat.state.messages
        if self._returning:
            asked = self.query_one(Chip).asked == DIGEST
            if (digest := self._unread.digest(messages)) and (fresh or not asked):
                self._offer(digest)
            return
        visible = self.query_one(Transcript).visible_keys
        hidden = [mark for mark in fresh if mark[0] not in visible]
        if len(hidden) > TOLD:
            text = plural(
                "The agent tapped back {count} time out of sight; {key} goes there.",
                "The agent tapped back {count} times out of sight; {key} goes there.",
                len(hidden),
            )
            self.tell(text.format(count=len(hidden), key=self.keymap.way("next_unread")))
            return
        there = _("{key} goes there.").format(key=self.keymap.way("next_unread"))
        for key, _author, emoji in hidden:
            if (message := self.message(key)) is not None:
                self.tell(words.received(message, emoji) + " " + there)

    def _offer(self, digest: Digest) -> None:
        self._walk = deque(digest.keys)
        self.query_one(Chip).ask(DIGEST, digest.sentence, yes=mark("shows"))

    def _see(self) -> None:
        if app_of(self).app_focus and not self._returning and self.is_current:
            self._unread.saw(self.query_one(Transcript).visible_keys)

    def _count_down(self) -> None:
        self._see()
        super()._count_down()
        self.title = self.titled(notes.window_title(self.chat.state))

    def titled(self, title: str) -> str:
        """With their number in front, for who looks at another window; not while they are muted."""
        title = super().titled(title)
        count = 0 if self.preferences.memory.now.muted else len(self._unread)
        return f"({count}) {title}" if count else title

    def adorned(self, line: StatusLine) -> StatusLine:
        """With the number of unread tapbacks, or with the word that they are muted."""
        line = super().adorned(line)
        if self.preferences.memory.now.muted:
            return replace(line, facts=(_("tapbacks muted"), *line.facts))
        return replace(line, tapbacks=len(self._unread))

    def _remember(self) -> None:
        if self._unread_of is None:
            return
        moment = horizon(self._looked_at, self._unread.keys)
        rows = [message.row_id or 0 for message in self._looked_at]
        row = 0 if self._unread.keys else max(rows, default=0)
        kept = self.preferences.memory.now
        if moment > kept.seen.get(self._unread_of, 0.0) or row > kept.rows.get(self._unread_of, 0):
            self.preferences.memory.change(memory.looked(self._unread_of, moment, row))

    def _keep_habits(self) -> None:
        super()._keep_habits()
        self._remember()
        if trouble := self.preferences.memory.save():
            self.tell(trouble, "warning")
        self.preferences.memory.refresh()  # plain mode beside this may have pinned or muted

    def action_next_unread(self) -> None:
        """Go to the next unread tapback."""
        transcript = self.query_one(Transcript)
        key = self._unread.next(self.chat.state.messages, transcript.selected)
        if key is None:
            self.tell(_("There is no tapback that you have not seen."))
            return
        self._go_to(key)

    def _go_to(self, key: str) -> None:
        transcript = self.query_one(Transcript)
        self.set_focus(transcript)
        transcript.select(key)
        self._unread.saw([key])
        self._show_status()

    @on(Chip.Answered)
    def _digest_answered(self, event: Chip.Answered) -> None:
        if event.question != DIGEST:
            return
        event.stop()
        self._returning = False
        if not event.yes:
            self._walk.clear()
            return
        while self._walk:
            key = self._walk.popleft()
            if self.message(key) is not None:
                self._go_to(key)
                break
        if self._walk:
            more = plural("One more.", "{count} more.", len(self._walk)).format(count=len(self._walk))
            self.query_one(Chip).ask(DIGEST, more, yes=mark("next"))

    def title_now(self, item: Action) -> str:
        """What is muted is offered to be told again."""
        if item.id == "mute_tapbacks" and self.preferences.memory.now.muted:
            return _("Unmute tapbacks")
        return _(item.title)

    def action_mute_tapbacks(self) -> None:
        """Neither count nor tell tapbacks, or do so again; messages are not concerned."""
        self.preferences.memory.refresh()  # plain mode beside this may have done it
        muted = not self.preferences.memory.now.muted
        self.preferences.memory.change(memory.muted(muted))
        if muted:
            self.query_one(Chip).withdraw(DIGEST)
        self._show_status()
        self.tell(
            _("Tapbacks are muted: you are told of none from the agent. /mute again undoes it.")
            if muted
            else _("Tapbacks are counted and told again.")
        )


def _only_words(before: Sequence[Message], after: Sequence[Message]) -> bool:
    """Whether at most the last two messages differ, and not in their tapbacks: as while an answer grows.

    The others are compared by identity, in C: a long chat costs next to nothing with each word.
    """
    if not before or len(before) != len(after) or before[:-2] != after[:-2]:
        return False
    pairs = zip(before[-2:], after[-2:], strict=True)
    return all(a.key == b.key and a.reactions == b.reactions for a, b in pairs)
