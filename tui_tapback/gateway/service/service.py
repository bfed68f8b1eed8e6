"""The gateway's use cases in one place, for the server and the agent; it delegates and holds no rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from msgspec import UNSET, UnsetType

from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.store.store import Store
from tui_tapback.wire.conversation import Submitted
from tui_tapback.wire.library import Deleted, SessionList
from tui_tapback.wire.methods import (
    ConfigValue,
    EventsSince,
    History,
    Interrupted,
    MostRecent,
    Snapshot,
    Title,
)
from tui_tapback.wire.rows import WirePart

from .approvals import Approvals
from .archive import Archive
from .branches import Branches
from .broadcast import Broadcast
from .changes import Changes
from .conversation import Conversation
from .core import Core
from .elsewhere import Elsewhere
from .errands import Errands
from .grouping import Grouping
from .identity import Clock, Ids, RandomIds
from .inputs import MAX_MESSAGE_CHARS
from .paging import Paging
from .ports import Agent, ConversationTools, EventSink, ReactionOutcome
from .questions import PATIENCE, Patience, Questions
from .reactions import Reactions
from .rewind import Truncation
from .rows import wire_rows
from .search import Search
from .sessions import Sessions
from .settings import Settings
from .snapshots import Snapshots
from .turns import Turns
from .usage import Usage
from .withholding import Withholding

AgentFactory = Callable[[ConversationTools], Agent]


class GatewayService:
    """The service. One per data file; all calls from one event loop.

    ``agent`` is an agent, or a function that makes one around the tools through which it may react and speak.
    ``archive``, ``paging`` and ``search`` are the use cases of stored sessions, ``changes`` are undo, branch
    and the like, ``elsewhere`` are messages that went out to other chats, ``meanwhile`` speaks into a running
    turn, ``grouping`` stores what several clients ask for in one transaction, ``withholding`` shows what the
    model will be told of reactions and keeps it back.
    Every method may raise StoreError beside what it names; nothing is half-stored then.
    """

    max_message_chars = MAX_MESSAGE_CHARS

    def __init__(
        self,
        store: Store,
        agent: Agent | AgentFactory,
        *,
        clock: Clock = time.time,
        ids: Ids | None = None,
        patience: Patience = PATIENCE,
        watchers: Sequence[EventSink] = (),
    ) -> None:
        """``patience``: how long questions to people wait for an answer. ``watchers`` hear every event of
        every session (the hooks do)."""
        ids = ids or RandomIds()
        core = Core(store, Broadcast(ids.epoch(), watchers), clock)
        self._store = store
        self._broadcast = core.broadcast
        self._settings = Settings(store, core.broadcast.announce)
        self._sessions = Sessions(core, ids)
        self.archive = Archive(core, self._sessions)
        self.paging = Paging(core, self._sessions)
        self.search = Search(core, self._sessions)
        self._snapshots = Snapshots(core, self._sessions, self.paging)
        errands = Errands(core)
        self._reactions = Reactions(core, self._sessions, self._settings, errands)
        approvals = Approvals(store)
        self.questions = Questions(core.broadcast, approvals, self._sessions.require, patience=patience)
        self.elsewhere = Elsewhere(core, self._sessions, self._reactions, errands)
        self._conversation = Conversation(
            core, self._sessions, self._reactions, self.questions, elsewhere=self.elsewhere
        )
        self._agent: Agent = agent(self._conversation) if callable(agent) else agent
        usage = Usage(core, self._settings, lambda: self.model)
        self._turns = Turns(core, self._agent, sessions=self._sessions, settings=self._settings, usage=usage)
        self.changes = Changes(
            self._turns,
            Branches(core, ids, self._sessions),
            usage,
            sessions=self._sessions,
            snapshots=self._snapshots,
            model=lambda: self.model,
        )
        self.meanwhile = self._turns.meanwhile
        self.grouping = Grouping(core)
        self.withholding = Withholding(core, self._sessions, self._turns)
        self._turns.settle_left_open()

    @property
    def model(self) -> str:
        """Name of whoever answers."""
        return self._agent.model

    @property
    def replay_epoch(self) -> str:
        """Names this run of the gateway; sequence numbers of another one mean nothing."""
        return self._broadcast.epoch

    @property
    def busy(self) -> bool:
        """Whether a turn is running in any session; a gateway without clients waits for its end."""
        return self._turns.busy

    # --- connections -----------------------------------------------------------------------------------

    def join(self, sink: EventSink) -> None:
        """Let a new connection hear what concerns no session in particular."""
        self._broadcast.join(sink)

    def attach(self, session_id: str, sink: EventSink) -> None:
        """Let a connection hear a session. Raises SessionNotFound."""
        self._sessions.require(session_id)
        self._broadcast.attach(session_id, sink)

    def detach(self, sink: EventSink, session_id: str | None = None) -> None:
        """Take a connection off one session, or off everything; turns go on."""
        self._broadcast.detach(sink, session_id)
        if session_id is None:
            self.questions.leave(sink)

    def events_since(self, session_id: str, last_seen: int) -> EventsSince:
        """Events after a number; an unknown session has none."""
        found = self._broadcast.since(session_id, last_seen)
        found.open_requests = self.questions.open(session_id)
        return found

    # --- sessions --------------------------------------------------------------------------------------

    def create_session(self, source: str | None = None, title: str | None = None) -> Snapshot:
        """Make a session. Raises InvalidInput for an unusable title."""
        session = self._sessions.create(source, title, self._agent.system_prompt(), self._agent.tools())
        return self._snapshots.take(session, None, self.model)

    def resume(self, session_id: str, *, omit_messages: bool = False, limit: int | None = None) -> Snapshot:
        """Open a session. Prompts that an earlier run of the gateway left waiting go on (which needs a
        running event loop). Raises SessionNotFound."""
        self._turns.wake(session_id)
        session, turn = self._sessions.require(session_id), self._turns.running(session_id)
        snapshot = self._snapshots.take(session, turn, self.model, omit_messages=omit_messages, limit=limit)
        if turn is None and self._turns.occupied(session_id):
            snapshot.status = "compacting"
        snapshot.open_requests = self.questions.open(session_id)
        return snapshot

    def history(self, session_id: str) -> History:
        """All rows that people see, in order, without the answer that is being written."""
        self._sessions.require(session_id)
        rows = wire_rows(self._store.messages.all(session_id))
        return History(rows, len(rows))

    def list_sessions(self, limit: int | None = None) -> SessionList:
        """Sessions, newest activity first."""
        return self.archive.list(limit)

    def most_recent(self) -> MostRecent:
        """The session to continue."""
        return self._sessions.most_recent()

    def title(self, session_id: str, title: str | None = None) -> Title:
        """Read or set the title. Raises SessionNotFound, InvalidInput."""
        if title is None:
            return Title(self._sessions.require(session_id).title)
        return Title(self._sessions.rename(session_id, title))

    def delete_session(self, session_id: str) -> Deleted:
        """Delete a session, with a way back; see ``Archive.delete``. Raises SessionNotFound, Busy."""
        return self.archive.delete(session_id, running=self._turns.occupied(session_id))

    # --- turns -----------------------------------------------------------------------------------------

    async def submit(
        self,
        session_id: str,
        text: str,
        client_ref: str | None = None,
        queued: bool | None = None,
        sink: EventSink | None = None,
        *,
        truncation: Truncation | None = None,
    ) -> Submitted:
        """Send a message of the user; see ``Turns.submit``. ``sink`` is attached to the session first.
        While a turn runs the message waits, whatever ``queued`` says."""
        del queued  # both values mean the same here
        if sink is not None:
            self.attach(session_id, sink)
        return self._turns.submit(session_id, text, client_ref, truncation)

    async def interrupt(self, session_id: str) -> Interrupted:
        """Stop the running turn; also fine when idle. Raises SessionNotFound."""
        await self._turns.interrupt(session_id)
        return Interrupted()

    # --- reactions -------------------------------------------------------------------------------------

    def set_reaction(
        self,
        session_id: str,
        row_id: int,
        emoji: str | None,
        author: Author = Author.USER,
        *,
        op_id: str | None = None,
        expected: str | UnsetType | None = UNSET,
        part: WirePart | str | None = None,
    ) -> ReactionOutcome:
        """Set or remove a reaction, absolutely; see ``Reactions.set`` for the meaning and the errors."""
        return self._reactions.set(
            session_id, row_id, emoji, author, op_id=op_id, expected=expected, part=part
        )

    def toggle_reaction(
        self,
        session_id: str,
        emoji: str | None,
        *,
        row_id: int | None = None,
        newest_role: str | None = None,
        author: Author = Author.USER,
    ) -> ReactionOutcome:
        """The call of a Hermes gateway; see ``Reactions.toggle``."""
        return self._reactions.toggle(
            session_id, emoji, row_id=row_id, newest_role=newest_role, author=author
        )

    async def react_as_agent(
        self, session_id: str, emoji: str | None, *, messages_back: int = 0
    ) -> ReactionOutcome:
        """The agent's reaction; see ``Reactions.set_as_agent``."""
        return await self._conversation.react_as_agent(session_id, emoji, messages_back=messages_back)

    async def say(self, session_id: str, text: str) -> int:
        """Add a bubble of the agent; see ``Conversation.say``."""
        return await self._conversation.say(session_id, text)

    def pending_notes(self, session_id: str) -> list[str]:
        """The lines that the next message would carry. Raises SessionNotFound."""
        return self.withholding.pending(session_id).head

    # --- settings, end ---------------------------------------------------------------------------------

    def config_get(self, key: str) -> ConfigValue:
        """Read a setting, or with "full" all of them. Raises InvalidInput."""
        return self._settings.get(key)

    def config_set(self, key: str, value: object) -> ConfigValue:
        """Change a setting. Raises InvalidInput, and leaves it as it was."""
        return self._settings.set(key, value)

    async def close(self) -> None:
        """End running turns in good order and close the store."""
        self.grouping.flush()
        await self._turns.close()
        self._store.close()
