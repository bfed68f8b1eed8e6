"""One session as this process knows it: its mirror, the intents over it, and the order of its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tui_tapback.domain import events as ev
from tui_tapback.domain.errors import MalformedFrame
from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.work import Attachment
from tui_tapback.wire.events import EventParams, decode_event, event_params
from tui_tapback.wire.methods import EventsSince, Snapshot
from tui_tapback.wire.work import read_todos
from tui_tapback.words import _

from .facts import SessionFacts
from .intents import PromptIntent, ReactionIntent
from .mirror import Mirror
from .overlay import Overlay
from .painter import Painter
from .prompts import Prompts
from .sequence import Sequence
from .state import Counters
from .window import Window


class Conversation:
    """State only; whoever holds a link feeds it. ``stored_id`` is None until a session was made for it.

    ``attached`` says that the present link receives its events. ``stale`` asks for the history to be read
    again, ``behind`` for the events since the last one to be asked for. ``window`` knows which part of the
    chat is held, ``facts`` what is known beside its messages. ``attachments`` go with the next message.
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
        self.window = Window(self.mirror)
        self.facts = SessionFacts()
        self.events = 0
        self.failures = 0
        self.unresolved = False
        self._continues = False
        self.notices: list[ev.Notice] = []
        self.attachments: tuple[Attachment, ...] = ()
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
        self.facts.work.restart()

    def hold(self) -> None:
        """Events are kept back until the snapshot that was just asked for is here."""
        self.sequence.hold()
        self._second.hold()

    def load(self, snapshot: Snapshot, *, settled: frozenset[str] = frozenset()) -> None:
        """Take a whole snapshot. ``settled`` are the op ids that were accepted before it was asked for."""
        self.identify(snapshot)
        self.mirror.load(snapshot.messages, running=snapshot.running, inflight=snapshot.inflight)
        self.window.loaded(snapshot)
        lost = self.facts.lost_tapbacks(sum(len(m.reactions) for m in self.mirror.messages))
        self.notices.extend([lost] if lost is not None else [])
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
        self.facts.questions.replace(snapshot.open_requests)
        parent = snapshot.parent_title
        self.facts.branch_of = None if parent is None else clean_line(parent, 200)
        if (todos := read_todos(snapshot.todo_state)) is not None:
            self.facts.work.apply(todos)
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
                self.window.changed()
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
        self.facts.apply(event)
        self.mirror.apply(event)

    def reaction_accepted(self, intent: ReactionIntent, reached: int | None) -> None:
        """The gateway did it. Without a number nobody knows which event tells of it, so that we ask."""
        self.overlay.accepted(intent, reached)
        self.behind = self.behind or reached is None
        self.settle()

    def settle(self) -> None:
        """Drop the intents that the mirror shows by now."""
        self.overlay.settle(self.mirror, self.sequence.last)

    def _drop_homeless(self) -> None:
        """Wishes on bubbles that a whole history does not have can never be delivered."""
        if not self.window.whole:
            return
        shown = {message.key for message in self.messages} if len(self.overlay) else frozenset[str]()
        for intent in tuple(self.overlay):
            if isinstance(intent, ReactionIntent) and intent.key not in shown:
                self.overlay.done(intent)
                self.notices.append(
                    ev.Notice(
                        _("A reaction was dropped: its message is not in this chat any more."), "warning"
                    )
                )

    def user_emoji(self, key: str, part: str | None = None) -> str | None:
        """The user's confirmed reaction on a bubble."""
        message = self.mirror.transcript.get(key)
        present = message.reactions.by(Author.USER, part) if message is not None else None
        return present.emoji if present is not None else None
