"""What the gateway has confirmed of one session: rows by id and the live turn, in the order of the events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tui_tapback.domain import events as ev
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, ReactionSet
from tui_tapback.wire.attached import said_and_attached
from tui_tapback.wire.methods import Inflight
from tui_tapback.wire.rows import WireRow

from . import children
from .live import LiveTurn
from .orphans import Orphans
from .reading import Reader, drawn, local_key, once
from .transcript import Transcript


class Mirror:
    """Pure state: events and snapshots in, messages out. Nothing here knows what the person wishes.

    ``foreign`` is True for a gateway that neither tells of the user's own reactions nor of stored rows
    (Hermes): there the user's entry comes from answers and histories only, the agent's from events.
    ``awaiting``: a message was accepted and its turn has not begun. ``queued`` are texts that a foreign
    gateway keeps behind a running turn. ``away``: the rows held end before the newest ones, so that what is
    said now is not shown; only what happens to the rows held is.
    """

    def __init__(self, *, clock: Callable[[], float], ids: Callable[[], str], foreign: bool = False) -> None:
        self.foreign = foreign
        self.transcript = Transcript()
        self.running = False
        self.awaiting = False
        self.away = False
        self.queued: frozenset[str] = frozenset()
        self.title = ""
        self.model = ""
        self.agent_reacts: bool | None = None
        self._orphans = Orphans()
        self._reader = Reader(self.transcript, self._orphans)
        self._turn = LiveTurn(self.transcript, self._orphans, clock=clock, ids=ids)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The transcript; the same tuple until something changes."""
        return self.transcript.messages

    @property
    def turns(self) -> int:
        """How many turns were seen to begin."""
        return self._turn.count

    def start_of(self, turn: int) -> str | None:
        """The key of the first bubble of a turn; the message that began it stands before that."""
        return self._turn.start_of(turn)

    @property
    def idle(self) -> bool:
        """Whether a new message would start a turn of its own."""
        return not self.running and not self.awaiting

    # --- histories -------------------------------------------------------------------------------------

    def load(self, rows: Iterable[WireRow], *, running: bool, inflight: Inflight | None = None) -> None:
        """Take a complete history as the truth: what it lacks is gone, a row without reactions has none."""
        rows = list(rows)
        if self.foreign:
            rows, self.queued = _without_waiting(rows)
        self._turn.bind_pieces(rows)
        loaded = self._reader.whole(rows)
        if self.foreign:
            # A Hermes turn that could not begin (no model is set up there) leaves a question and no row.
            loaded = self.transcript.with_failures(loaded)
        self._orphans.clear()
        self.away = self.awaiting = False
        self.running = running
        self.transcript.replace_all(loaded, keep=self._turn.kept() if running else ())
        if not running:
            self._turn.forget()
        elif inflight is not None:
            self._turn.resume(inflight)

    def show(self, rows: Sequence[WireRow], *, away: bool) -> None:
        """Hold these rows and no others: another part of the chat."""
        self.away = away
        self._turn.forget()
        self.transcript.replace_all(self._reader.part(rows))

    def extend(self, rows: Sequence[WireRow], *, older: bool) -> int:
        """Hold these too, in front of all or behind; returns how many came."""
        return self.transcript.join(self._reader.part(rows), older=older)

    # --- events ----------------------------------------------------------------------------------------

    def apply(self, event: ev.SessionEvent) -> None:
        """Apply one event of this session, in the order of the stream."""
        if self.away and self._unseen(event):
            return
        match event:
            case ev.TurnStarted(row_id):
                self._turn_started(row_id)
            case ev.TextArrived(text):
                self.running = True
                self._turn.text(text)
            case ev.ReasoningArrived(text):
                self._turn.reasoning(text)
            case ev.ToolStarted():
                self._turn.tool_started(event)
            case ev.ToolFinished():
                self._turn.tool_finished(event)
                if self.foreign and event.reacted is not None:
                    # The second source for a reaction whose own event went to another connection.
                    self._reactions(*event.reacted)
            case ev.SubagentChanged():
                children.changed(self.transcript, event)
            case ev.RowStored():
                self._row_stored(event)
            case ev.TurnEnded():
                self._turn_ended(event)
            case ev.ReactionsChanged(row_id, reactions, complaint):
                self._reactions(row_id, reactions, complaint)
            case ev.RowsRemoved(row_ids):
                self.transcript.remove(row_ids)
            case ev.SessionInfo():
                self._info(event)
            case ev.Notice(refusal=True) if not self.answering:
                # A Hermes turn that is refused, or stopped while its agent is made, has no other end.
                self.running = self.awaiting = False
            case ev.Notice() | ev.SessionsChanged() | ev.SettingChanged() | ev.AffectionShown():
                pass  # not about the transcript
            case ev.QuestionWithdrawn() | ev.TodosChanged() | ev.AsideFinished() | ev.Unknown():
                pass  # nor are these
            case ev.HistoryChanged() | ev.PendingChanged() | ev.UsageReported() | ev.StatusTold():
                pass  # rows that went are told by RowsRemoved

    def _unseen(self, event: ev.SessionEvent) -> bool:
        """Whether an event tells of rows beyond those that are held; who reads there wants no news."""
        match event:
            case ev.TurnStarted():
                self.running, self.awaiting = True, False
            case ev.TurnEnded():
                self.running = self.awaiting = False
            case ev.RowStored():
                return self.transcript.key_of(event.message.row_id) is None
            case ev.TextArrived() | ev.ReasoningArrived() | ev.ToolStarted():
                pass
            case ev.ToolFinished():
                return event.reacted is None
            case _:
                return False
        return True

    @property
    def answering(self) -> bool:
        """Whether a turn was seen to begin and not to end."""
        return self._turn.active

    def _info(self, event: ev.SessionInfo) -> None:
        if event.running is False and self.answering:
            # Its end could not be read; what comes next is another answer.
            self._turn.close()
            self._turn.end(())
            self.transcript.stop_tools()
        if event.running is not None:
            self.running = event.running
            self.awaiting = False
        self.model = self.model if event.model is None else event.model
        self.title = self.title if event.title is None else event.title
        self.agent_reacts = self.agent_reacts if event.agent_reacts is None else event.agent_reacts

    def _turn_started(self, row_id: int | None) -> None:
        if not self._turn.active:
            self._turn.begin()
        self.running, self.awaiting = True, False
        if row_id is not None:
            self._turn.expect_row(row_id)

    def _turn_ended(self, event: ev.TurnEnded) -> None:
        found = self._turn.finish(event, known_rows=not self.foreign)
        if found is not None:
            self.bind(*found)
        if event.user_row_id is not None and self._turn.user_key is not None:
            self.bind(event.user_row_id, self._turn.user_key)
        self.transcript.stop_tools()
        self._turn.end(event.row_ids)
        self.running = self.awaiting = False

    def _row_stored(self, event: ev.RowStored) -> None:
        message, row_id = event.message, event.message.row_id
        if row_id is None:
            return
        if message.role is Role.ASSISTANT and self._turn.owns(row_id):
            self._turn.stored(row_id)
        key = self.transcript.key_of(row_id) or (local_key(event.client_ref) if event.client_ref else None)
        message = replace(message, key=key) if key is not None else message
        self._store(message, tells_reactions=event.tells_reactions)

    def _store(self, message: Message, *, tells_reactions: bool) -> None:
        present = self.transcript.get(message.key)
        if not drawn(message):
            self.transcript.drop(message.key)
            return
        if message.row_id is not None:
            self.transcript.bind(message.row_id, message.key)
            orphan = self._orphans.take(message.row_id)
            if not tells_reactions:
                message = message.with_reactions(present.reactions if present is not None else orphan)
        (self.transcript.put if message.role is Role.USER else self._turn.add)(message)

    def _reactions(self, row_id: int, reactions: ReactionSet, complaint: str | None = None) -> None:
        message = self.transcript.get(self.transcript.key_of(row_id))
        if message is None:
            self._orphans.keep(row_id, reactions, self.turns)
            return
        if self.foreign:
            reactions = _mixed(user=message.reactions, agent=reactions, order=reactions)
        message = message.with_reactions(reactions)
        if complaint is not None and complaint != message.reaction_note:
            message = replace(message, reaction_note=complaint)
        self.transcript.put(message)

    # --- what our own calls teach ----------------------------------------------------------------------

    def bind(self, row_id: int, key: str) -> None:
        """Bubble ``key`` is row ``row_id``, from now on and whatever else is known of that row."""
        self.transcript.bind(row_id, key)
        message = self.transcript.get(key)
        if message is not None and (orphan := self._orphans.take(row_id)):
            self.transcript.put(message.with_reactions(orphan))

    def told(self, words: str) -> None:
        """Words went into the running turn of a foreign gateway, which tells of their row to nobody."""
        if self.running and not self.away:
            self._turn.told(words)

    def rewind(self, row_id: int, *, sent_in_turn: int) -> None:
        """A foreign gateway took this row and all behind it back, of which it tells nobody.

        What belongs to a turn that began since then (``sent_in_turn``: the count of turns before) stays.
        """
        self.transcript.cut(self.transcript.key_of(row_id), self.start_of(sent_in_turn + 1))

    def adopt(self, message: Message, *, sent_in_turn: int) -> None:
        """A message was acknowledged with its row by a gateway that sends no row events.

        ``sent_in_turn`` is the count of turns when it was sent: the answer may have begun meanwhile.
        """
        if message.row_id is not None:
            self.bind(message.row_id, message.key)
        if self.transcript.get(message.key) is not None:
            return
        began = self.turns > sent_in_turn
        # The whole turn may have passed before the acknowledgement: then the row id says where it belongs.
        self.transcript.put(message, before=self.start_of(sent_in_turn + 1), by_row=True)
        if began and self._turn.active:
            self._turn.user_key = message.key

    def expect_turn(self, *, since: int) -> None:
        """A message was accepted; its turn will begin unless it has already (``since``: turns when sent)."""
        if self.turns == since and not self.running:
            self.awaiting = True

    def user_answer(self, row_id: int, reactions: ReactionSet) -> None:
        """The answer to a reaction call of a foreign gateway: only the user's entry is taken from it."""
        message = self.transcript.get(self.transcript.key_of(row_id))
        if message is not None:
            mixed = _mixed(user=reactions, agent=message.reactions, order=reactions)
            self.transcript.put(message.with_reactions(mixed))


def _without_waiting(rows: Sequence[WireRow]) -> tuple[list[WireRow], frozenset[str]]:
    """The rows of a Hermes history whose turn has come, and what the others say.

    A row that waits gets another id when its turn comes, and what was done to it is lost.
    """
    waiting = [row for row in rows if (row.display_metadata or {}).get("_queued_prompt")]
    said = frozenset(said_and_attached(row.text or "")[0] for row in waiting)
    return once([row for row in rows if row not in waiting]), said


def _mixed(*, user: ReactionSet, agent: ReactionSet, order: ReactionSet) -> ReactionSet:
    """The user's entries of one set and the agent's of another, in the order of ``order`` where it tells."""
    items = [r for r in user if r.author is Author.USER] + [r for r in agent if r.author is Author.AGENT]
    places = {reaction.slot: number for number, reaction in enumerate(order)}
    items.sort(key=lambda r: (places.get(r.slot, -1), r.at))
    return ReactionSet(tuple(items))
