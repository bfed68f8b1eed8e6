"""One session as this process knows it: its mirror, the intents over it, and the order of its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tui_tapback.domain import events as ev
from tui_tapback.domain.errors import MalformedFrame
from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author
from tui_tapback.wire.events import EventParams, decode_event, event_params
from tui_tapback.wire.library import Page
from tui_tapback.wire.methods import EventsSince, Snapshot

from .intents import PromptIntent, ReactionIntent
from .mirror import Mirror
from .open_questions import OpenQuestions
from .overlay import Overlay
from .painter import Painter
from .prompts import Prompts
from .sequence import Sequence
from .state import Counters


class Conversation:
    """State only; whoever holds a link feeds it. ``stored_id`` is None until a session was made for it.

    ``attached`` says that the present link receives its events. ``stale`` asks for the history to be read
    again, ``behind`` for the events since the last one to be asked for, ``rejoin`` for the newest rows.
    ``has_older`` and ``has_newer`` say whether the chat goes on beyond the rows held, ``total`` how many
    messages it has (None: it is held whole). ``affections`` counts how often the user was warm to the agent.
    """

    def __init__(
        self,
        stored_id: str | None,
        *,
        clock: Callable[[], float],
        ids: Callable[[], str],
        counters: Counters,
        leaving: Callable[[PromptIntent], None],
        foreign: bool = False,
    ) -> None:
        self.stored_id = stored_id
        self.runtime_id: str | None = None
        self.mirror = Mirror(clock=clock, ids=ids, foreign=foreign)
        self.overlay = Overlay()
        self.prompts = Prompts(self.mirror, self.overlay, leaving)
        self._painter = Painter()
        self.attached = False
        self.loaded = stored_id is None
        self.stale = False
        self.behind = False
        self.rejoin = False
        self.has_older = False
        self.total: int | None = None
        self.questions = OpenQuestions()
        self.usage: ev.UsageReported | None = None
        self.affections = 0
        self.pending_changes = 0
        self._tapbacks: int | None = None
        self.events = 0
        self.failures = 0
        self.unresolved = False
        self._continues = False
        self.notices: list[ev.Notice] = []
        self.sequence = Sequence()
        self._second = Sequence()
        self._counters = counters

    @property
    def messages(self) -> tuple[Message, ...]:
        """What to show."""
        return self._painter.paint(self.mirror, self.overlay)

    def message(self, key: str) -> Message | None:
        """The bubble of that key, as it is shown."""
        return next((m for m in self.messages if m.key == key), None)

    def is_mine(self, session_id: str) -> bool:
        """Whether an event of that session id belongs here (Hermes uses both of its ids)."""
        return session_id in (self.runtime_id, self.stored_id)

    def continue_last(self) -> None:
        """This is the session that was used last; the gateway knows which."""
        self._continues = True
        self.unresolved = True
        self.loaded = False

    def sessions_changed(self) -> None:
        """Somebody began or named a session: who came to continue the last one, and found none, joins it."""
        if self._continues and self.stored_id is None and not len(self.overlay):
            self.unresolved = True

    def resolve(self, stored_id: str | None) -> None:
        """The session to continue was asked for; None: there is none yet."""
        self.unresolved = False
        self.stored_id = stored_id
        self.loaded = stored_id is None

    # --- the window ------------------------------------------------------------------------------------

    @property
    def has_newer(self) -> bool:
        """Whether the rows held end before the newest ones."""
        return self.mirror.away

    @property
    def held(self) -> int:
        """How many bubbles are held."""
        return len(self.mirror.messages)

    def prepend(self, page: Page, limit: int) -> int:
        """Take what lies before; beyond ``limit`` the newest are let go, unless a turn runs there."""
        came = self.mirror.extend(page.messages, older=True)
        self.has_older = page.has_older
        self.total = page.total
        if not self.mirror.running and self.mirror.transcript.trim(limit, older=False):
            self.mirror.away = True
        self.settle()
        return came

    def append(self, page: Page, limit: int) -> int:
        """Take what lies behind; with the last page the live conversation is joined again."""
        came = self.mirror.extend(page.messages, older=False)
        self.total = page.total
        if self.mirror.transcript.trim(limit, older=True):
            self.has_older = True
        self.rejoin = not page.has_newer
        self.settle()
        return came

    def move_to(self, page: Page) -> None:
        """Hold another part of the chat."""
        self.mirror.show(page.messages, away=page.has_newer)
        self.has_older = page.has_older
        self.total = page.total
        self.rejoin = not page.has_newer
        self.settle()

    def to_end(self) -> None:
        """Go back to the newest rows, if they are not held."""
        self.rejoin = self.rejoin or self.has_newer

    def expect_history_to_differ(self) -> None:
        """Rows went or changed; a gateway that tells so needs no second look."""
        self.stale = self.stale or self.mirror.foreign

    def compressed(self, tapbacks: int) -> None:
        """A foreign gateway summed up: it stores the rows that it keeps anew, without their reactions."""
        self._tapbacks = tapbacks
        self.stale = True

    # --- the link comes and goes -----------------------------------------------------------------------

    def detach(self) -> None:
        """The link is gone; nothing arrives until the session is attached again."""
        self.attached = False
        self.overlay.lost()

    def restart(self) -> None:
        """The gateway counts its events anew (it was restarted)."""
        self.sequence = Sequence()
        self._second = Sequence()
        self.overlay.renumbered()

    def hold(self) -> None:
        """Events are kept back until the snapshot that was just asked for is here."""
        self.sequence.hold()
        self._second.hold()

    def load(self, snapshot: Snapshot, *, settled: frozenset[str] = frozenset()) -> None:
        """Take a whole snapshot. ``settled`` are the op ids that were accepted before it was asked for."""
        self.identify(snapshot)
        self.mirror.load(snapshot.messages, running=snapshot.running, inflight=snapshot.inflight)
        self._tell_lost_tapbacks()
        self.has_older = snapshot.has_older
        self.total = snapshot.total
        self.rejoin = False
        self.overlay.find_bubbles(self.mirror)
        self._facts(snapshot)
        self.loaded = True
        self.prompts.find_lost(running=snapshot.running)
        self._drop_homeless()
        self._apply_all(self.sequence.release(snapshot.seq), after_snapshot=snapshot.seq is None)
        self._apply_all(self._second.release(None), after_snapshot=True)
        self._caught_up(settled)

    def created(self, snapshot: Snapshot) -> None:
        """The session was made for this conversation; its events are counted from here."""
        self.identify(snapshot)
        if snapshot.seq is not None:
            self.sequence.release(snapshot.seq)

    def identify(self, snapshot: Snapshot) -> None:
        """Learn the ids of the session; the link receives its events from now on."""
        self.failures = 0
        self.runtime_id = snapshot.session_id
        self.stored_id = snapshot.stored_id
        self.attached = True
        self.questions.replace(snapshot.open_requests)
        self._facts(snapshot)

    def _facts(self, snapshot: Snapshot) -> None:
        info = EventParams("session.info", payload=dict(snapshot.info))
        self._apply(info, running=False)

    def replay(self, since: EventsSince, *, settled: frozenset[str] = frozenset()) -> bool:
        """Take missed events; False: some are lost for good, a snapshot is needed.

        ``settled`` are the op ids that were accepted before the question was asked.
        """
        if since.truncated:
            return False
        for raw in since.events:
            try:
                self._apply_all(self._offer(event_params(raw)))
            except MalformedFrame:
                self._counters.malformed_frames += 1
        self._apply_all(self.sequence.settle(since.latest_seq))
        self._caught_up(settled)
        return True

    def _caught_up(self, settled: frozenset[str]) -> None:
        self.overlay.caught_up(settled)
        # What was accepted while the question was under way may not be in the answer.
        self.behind = self.sequence.gap or bool(self.overlay.unnumbered())
        self.settle()

    # --- events ----------------------------------------------------------------------------------------

    def event(self, params: EventParams) -> None:
        """Take one event of this session."""
        self._apply_all(self._offer(params))
        self.events += 1
        if self.sequence.gap and not self.behind:
            self.behind = True
            self._counters.gaps += 1
        self.settle()

    def _offer(self, params: EventParams) -> list[EventParams]:
        one_id = self.runtime_id == self.stored_id
        stream = self.sequence if one_id or params.session_id == self.runtime_id else self._second
        before = stream.duplicates
        ready = stream.offer(params)
        self._counters.duplicate_events += stream.duplicates - before
        return ready

    def _apply_all(self, ready: Iterable[EventParams], *, after_snapshot: bool = False) -> None:
        for params in ready:
            if after_snapshot and params.type in ("message.delta", "reasoning.delta"):
                # Nobody knows whether the snapshot holds this piece; the end of the turn brings it all.
                continue
            self._apply(params)

    def _apply(self, params: EventParams, *, running: bool = True) -> None:
        try:
            event = decode_event(params)
        except MalformedFrame:
            self._counters.malformed_frames += 1
            return
        match event:
            case ev.Unknown(name):
                seen = self._counters.unknown_events
                seen[name] = seen.get(name, 0) + 1
                return
            case ev.Notice():
                self.notices.append(event)
            case ev.TurnStarted():
                self.prompts.drained()
            case ev.HistoryChanged():
                self.rejoin = not self.has_newer
            case ev.PendingChanged():
                self.pending_changes += 1
            case ev.UsageReported():
                self.usage = event
            case ev.AffectionShown():
                self.affections += 1
            case ev.QuestionWithdrawn(number):
                self.questions.withdraw(number)
            case ev.TurnEnded():
                self.stale = self.stale or self.mirror.foreign
            case ev.RowsRemoved(row_ids):
                for row_id in row_ids:
                    if (key := self.mirror.transcript.key_of(row_id)) is not None:
                        self.overlay.forget_message(key)
            case ev.SessionInfo(running=False) if running and self.mirror.answering:
                self.stale = True
            case ev.SessionInfo() if not running:
                event = ev.SessionInfo(None, event.model, event.title, event.agent_reacts)
            case _:
                pass
        self.mirror.apply(event)

    def reaction_accepted(self, intent: ReactionIntent, reached: int | None) -> None:
        """The gateway did it. Without a number nobody knows which event tells of it, so that we ask."""
        self.overlay.accepted(intent, reached)
        self.behind = self.behind or reached is None
        self.settle()

    def settle(self) -> None:
        """Drop the intents that the mirror shows by now."""
        self.overlay.settle(self.mirror, self.sequence.last)

    def _tell_lost_tapbacks(self) -> None:
        before, self._tapbacks = self._tapbacks, None
        lost = (before or 0) - sum(len(m.reactions) for m in self.mirror.messages)
        if lost > 0:
            what = "tapback is" if lost == 1 else "tapbacks are"
            text = f"{lost} {what} gone: this gateway drops them when it sums a chat up."
            self.notices.append(ev.Notice(text, "warning"))

    def _drop_homeless(self) -> None:
        """Wishes on bubbles that a whole history does not have can never be delivered."""
        if self.has_older or self.has_newer:
            return
        shown = {message.key for message in self.messages} if len(self.overlay) else frozenset[str]()
        for intent in tuple(self.overlay):
            if isinstance(intent, ReactionIntent) and intent.key not in shown:
                self.overlay.done(intent)
                self.notices.append(
                    ev.Notice("A reaction was dropped: its message is not in this chat any more.", "warning")
                )

    def user_emoji(self, key: str, part: str | None = None) -> str | None:
        """The user's confirmed reaction on a bubble."""
        message = self.mirror.transcript.get(key)
        present = message.reactions.by(Author.USER, part) if message is not None else None
        return present.emoji if present is not None else None
