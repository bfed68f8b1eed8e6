"""The sessions that this process holds: the one on screen, and those that still matter behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tui_tapback.wire.events import SESSIONS_CHANGED, EventParams

from .conversation import Conversation
from .intents import Progress, PromptIntent
from .state import Counters, Elsewhere

KEPT = 8
"""Sessions kept behind the one on screen; one with something undelivered is never dropped."""


class Book:
    """Conversations in order of use, the present one last. ``departs`` hears of each message sent.

    ``rows``: how many of the newest a session is opened with (None: all).
    """

    def __init__(self, *, clock: Callable[[], float], ids: Callable[[], str], counters: Counters) -> None:
        self._clock = clock
        self._ids = ids
        self._counters = counters
        self._foreign = False
        self._all: list[Conversation] = []
        self.rows: int | None = None
        self.dropped: list[Conversation] = []
        self._told: set[str] = set()
        self.departs: Callable[[PromptIntent], None] = lambda prompt: None
        self.current = self._add(None)

    def __iter__(self) -> Iterator[Conversation]:
        """The present one first, then the others that have something to do."""
        yield self.current
        for conversation in tuple(self._all):
            if conversation is not self.current and conversation.overlay.undelivered:
                yield conversation

    @property
    def everything(self) -> tuple[Conversation, ...]:
        """All of them."""
        return tuple(self._all)

    @property
    def waiting(self) -> int:
        """Messages and reactions that are not delivered."""
        return sum(len(conversation.overlay.undelivered) for conversation in self._all)

    @property
    def elsewhere(self) -> tuple[Elsewhere, ...]:
        """What waits for the person in the chats that are not on screen."""
        return tuple(
            Elsewhere(c.stored_id, c.mirror.title, len(c.facts.questions.all), c.facts.answered)
            for c in self._all
            if c is not self.current and c.stored_id and (c.facts.questions.all or c.facts.answered)
        )

    def overdue(self, before: float) -> int:
        """Those that were asked for before that time (Unix seconds)."""
        return sum(intent.at <= before for c in self._all for intent in c.overlay.undelivered)

    @property
    def leaving(self) -> bool:
        """Whether something is on its way or could leave now."""
        sent = any(intent.progress is Progress.SENT for c in self._all for intent in c.overlay)
        return sent or any(c.overlay.due(c.mirror) for c in self._all)

    def tell_once(self, what: str) -> bool:
        """Whether this is the first time that the person is told of it."""
        first = what not in self._told
        self._told.add(what)
        return first

    def set_foreign(self, foreign: bool) -> None:
        """Which kind of gateway it is."""
        self._foreign = foreign
        for conversation in self._all:
            conversation.mirror.foreign = foreign

    def open(self, stored_id: str | None) -> Conversation:
        """Bring a session to the front; None begins a new one."""
        known = next((c for c in self._all if stored_id is not None and c.stored_id == stored_id), None)
        self.current.facts.answered = 0  # it was on screen until now
        if known is not None:
            self._all.remove(known)
            self._all.append(known)
        self.current = known or self._add(stored_id)
        self._trim()
        return self.current

    def find(self, session_id: str) -> Conversation | None:
        """The conversation of a session id, stored or live, where it is held."""
        return next((c for c in self._all if c.is_mine(session_id)), None)

    def restore(self, stored_id: str | None) -> Conversation:
        """A session in which something waits from the last time, behind the one on screen."""
        known = next((c for c in self._all if stored_id is not None and c.stored_id == stored_id), None)
        if known is not None:
            return known
        conversation = self._add(stored_id)
        self._all.remove(conversation)
        self._all.insert(0, conversation)
        return conversation

    def open_unbegun(self) -> bool:
        """Bring a chat to the front that was written in and has not begun; False where there is none."""
        found = next((c for c in self._all if c.stored_id is None and c.overlay.wants_session), None)
        if found is not None and found is not self.current:
            self._all.remove(found)
            self._all.append(found)
            self.current = found
        return found is not None

    def resolve(self, conversation: Conversation, stored_id: str | None) -> Conversation:
        """The session to continue is known; where it is held already, that one takes its place."""
        known = next((c for c in self._all if stored_id is not None and c.stored_id == stored_id), None)
        if known is None or known is conversation:
            conversation.resolve(stored_id)
            return conversation
        for intent in conversation.overlay:
            known.overlay.add(intent)
        self._all.remove(conversation)
        if conversation is self.current:
            self.open(stored_id)
        return known

    def forget(self, session_id: str) -> None:
        """The session is gone; where it was on screen there is an empty chat."""
        known = self.find(session_id)
        if known is None:
            return
        self._all.remove(known)
        if known is self.current:
            self.open(None)

    def route(self, params: EventParams) -> bool:
        """Give an event to its session, and to no other; what concerns no session to the open one."""
        if params.type == SESSIONS_CHANGED:
            self.current.sessions_changed()
            return True
        if params.type == "request.cancel" and not params.session_id:
            for conversation in self._all:
                conversation.event(params)
            return True
        conversation = self.find(params.session_id)
        if conversation is not None:
            conversation.event(params)
        return conversation is not None

    def _add(self, stored_id: str | None) -> Conversation:
        conversation = Conversation(
            stored_id,
            clock=self._clock,
            ids=self._ids,
            counters=self._counters,
            leaving=self._departs,
            foreign=self._foreign,
        )
        self._all.append(conversation)
        return conversation

    def _departs(self, prompt: PromptIntent) -> None:
        self.departs(prompt)

    def _trim(self) -> None:
        idle = [c for c in self._all if c is not self.current and not len(c.overlay)]
        unused = [c for c in idle if c.stored_id is None]
        for conversation in unused + idle[: max(0, len(idle) - KEPT)]:
            if conversation in self._all:
                self._all.remove(conversation)
                self.dropped.append(conversation)
