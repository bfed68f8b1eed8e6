"""A conversation in memory with the surface of ``ChatClient``, driven by a test or by the demo's script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Any

from tui_tapback.client.abilities import TAPBACK
from tui_tapback.client.intents import ANYTHING, Expected
from tui_tapback.client.state import ClientState, ConnectionState, Notice, Phase, SessionSummary
from tui_tapback.domain.errors import Busy, EmptyMessage, MessageTooLong, RowNotFound, TapbackError
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.emoji.normalise import normalise

from .rooms import MemoryCommands, MemoryHistory, MemoryLibrary, MemoryQuestions, MemorySharing, MemoryTurns
from .told import MemoryTold
from .work import MemoryAttaching, MemoryModels, MemoryWork

ONLINE = ConnectionState(phase=Phase.ONLINE, gateway="embedded")


def state_of(messages: Sequence[Message] = (), **changes: Any) -> ClientState:
    """An ordinary online state with ``messages``; ``changes`` are fields of ``ClientState``."""
    calm = ClientState(
        connection=ONLINE,
        session_id="s1",
        title="",
        model="companion",
        running=False,
        messages=tuple(messages),
        waiting=0,
        loading=False,
        agent_reacts=True,
        max_message_chars=100_000,
        abilities=TAPBACK,
    )
    return replace(calm, **changes)


class OtherSide:
    """The state of a conversation, and what the gateway and the agent do to it."""

    def __init__(self, state: ClientState, clock: Callable[[], float]) -> None:
        self._state = state
        self._clock = clock
        self._watchers: set[asyncio.Event] = set()
        self._notices: asyncio.Queue[Notice] = asyncio.Queue()
        self._count = len(state.messages)

    def put(self, **changes: Any) -> None:
        """Replace fields of the state and wake everybody who watches it."""
        self._state = replace(self._state, **changes)
        for woken in self._watchers:
            woken.set()

    def tell(self, text: str, level: Any = "info", key: str | None = None) -> None:
        """Give a notice."""
        self._notices.put_nowait(Notice(text=text, level=level, key=key))

    def arrive(self, text: str, role: Role = Role.ASSISTANT, **fields: Any) -> str:
        """A whole message comes in; returns its key."""
        message = replace(self._message(role, text, Status.STORED), **fields)
        self.put(messages=(*self._state.messages, message))
        return message.key

    def stream(self, delta: str) -> str:
        """A piece of the answer; begins the bubble where there is none. Returns the key of the bubble."""
        last = self._state.messages[-1] if self._state.messages else None
        if last is None or last.status is not Status.STREAMING:
            last = self._message(Role.ASSISTANT, "", Status.STREAMING)
            self.put(messages=(*self._state.messages, last), running=True)
        self._replace(replace(last, text=last.text + delta))
        return last.key

    def finish(self, status: Status = Status.STORED, error: str = "") -> None:
        """The turn ends; the streaming bubble gets ``status`` and ``error``."""
        ended = tuple(
            replace(m, status=status, error=error) if m.status is Status.STREAMING else m
            for m in self._state.messages
        )
        self.put(messages=ended, running=False)

    def react_as_agent(self, key: str, emoji: str | None) -> None:
        """The agent taps back."""
        self._react(self._find(key), Author.AGENT, emoji, None)

    def _find(self, key: str) -> Message:
        for message in self._state.messages:
            if message.key == key:
                return message
        raise RowNotFound("That message is not in this chat any more.")

    def _message(self, role: Role, text: str, status: Status) -> Message:
        self._count += 1
        row = None if status is not Status.STORED else self._count
        return Message(
            key=f"m{self._count}", role=role, text=text, at=self._clock(), row_id=row, status=status
        )

    def _react(
        self, message: Message, author: Author, emoji: str | None, part: str | None, quote: str = ""
    ) -> None:
        if emoji is None:
            changed = message.reactions.remove(author, part)
        else:
            changed = message.reactions.set(Reaction(emoji, author, self._clock(), part, quote=quote))
        self._replace(message.with_reactions(changed))

    def _replace(self, message: Message) -> None:
        self.put(messages=tuple(message if m.key == message.key else m for m in self._state.messages))


class MemoryChat(OtherSide):
    """Implements ``app.ports.ChatSession`` without a gateway.

    What a person does is applied at once and recorded in ``sent``, ``reacted`` and ``asked``; what the other
    side does is played by ``arrive``, ``stream``, ``finish``, ``react_as_agent``, ``put`` and ``tell``.
    A coroutine listed in ``failures`` by its name raises that error once.
    """

    def __init__(
        self,
        messages: Sequence[Message] = (),
        *,
        sessions: Sequence[SessionSummary] = (),
        clock: Callable[[], float] = lambda: 1_760_000_000.0,
        **changes: Any,
    ) -> None:
        super().__init__(state_of(messages, **changes), clock)
        self.sent: list[str] = []
        self.reacted: list[tuple[str, str | None]] = []
        self.asked: list[str] = []
        self.failures: dict[str, TapbackError] = {}
        self.reactions = MemoryTold(lambda: self._state)
        self.history = MemoryHistory(self)
        self.turns = MemoryTurns(self)
        self.questions = MemoryQuestions(self)
        self.commands = MemoryCommands(self)
        self.sharing = MemorySharing(self)
        self.work = MemoryWork(self)
        self.models = MemoryModels(self)
        self.attaching = MemoryAttaching(self)
        self.sessions = MemoryLibrary(self, sessions)
        self.gate = asyncio.Event()  # held closed by a test, the coroutines of the chat do not come back
        self.gate.set()

    @property
    def state(self) -> ClientState:
        """The current value."""
        return self._state

    async def start(self, *, session_id: str | None = None, new: bool = False) -> None:
        """Note that the chat was started and how."""
        await self.ask(f"start {session_id or ''} {'new' if new else ''}".strip())

    async def close(self) -> None:
        """Note that the chat was left."""
        self.asked.append("close")

    async def changes(self) -> AsyncIterator[ClientState]:
        """The present state, then the newest after each change."""
        woken = asyncio.Event()
        self._watchers.add(woken)
        try:
            while True:
                woken.clear()
                yield self._state
                await woken.wait()
        finally:
            self._watchers.discard(woken)

    async def notices(self) -> AsyncIterator[Notice]:
        """The notices given to ``tell``."""
        while True:
            yield await self._notices.get()

    def send(self, text: str) -> str:
        """Append a message of the user. Raises EmptyMessage, MessageTooLong."""
        if not text.strip():
            raise EmptyMessage("There is nothing to send yet.")
        limit = self._state.max_message_chars
        if limit and len(text) > limit:
            raise MessageTooLong(
                f"The message has {len(text):,} characters; this gateway takes {limit:,}.",
                hint="Shorten it or send it in parts.",
            )
        self.sent.append(text)
        online = self._state.connection.phase is Phase.ONLINE
        status = Status.STORED if online else Status.WAITING
        names = tuple(each.name for each in self._state.attachments)
        message = replace(self._message(Role.USER, text, status), attached=names)
        waiting = self._state.waiting + (not online)
        self.put(messages=(*self._state.messages, message), waiting=waiting, attachments=())
        return message.key

    def edit_waiting(self, key: str, text: str) -> None:
        """Say a waiting message otherwise. Raises Busy, RowNotFound."""
        message = self._find(key)
        if message.status not in (Status.WAITING, Status.FAILED):
            raise Busy("That message is already on its way.", hint="It can no longer be changed.")
        self._replace(replace(message, text=text))

    def set_reaction(
        self,
        key: str,
        emoji: str | None,
        part: str | None = None,
        quote: str = "",
        *,
        expected: Expected = ANYTHING,
    ) -> None:
        """React as the user, unless something else than ``expected`` stands there.

        Raises NotAnEmoji, RowNotFound.
        """
        message = self._find(key)
        chosen = None if emoji is None else normalise(emoji)
        present = message.reactions.by(Author.USER, part)
        if expected is not ANYTHING and expected != (present.emoji if present is not None else None):
            self._replace(replace(message, reaction_error="Meanwhile the reaction was changed elsewhere."))
            return
        self.reacted.append((key, chosen))
        self._react(message, Author.USER, chosen, part, quote)

    def retry(self, key: str) -> None:
        """Note the wish and clear the failure."""
        message = self._find(key)
        self.asked.append(f"retry {key}")
        self._replace(replace(message, status=Status.STORED, error="", reaction_error=""))

    def discard(self, key: str) -> str:
        """Take a message out and return its text."""
        message = self._find(key)
        self.put(messages=tuple(m for m in self._state.messages if m.key != key))
        return message.text

    async def interrupt(self) -> None:
        """Stop the running turn."""
        await self.ask("interrupt")
        self.finish(Status.INTERRUPTED)

    async def new_session(self) -> None:
        """Leave the messages behind."""
        await self.ask("new_session")
        self.put(messages=(), title="", session_id="new", running=False)

    async def open_session(self, session_id: str) -> None:
        """Show that another session is open (without messages)."""
        await self.ask(f"open_session {session_id}")
        known = self.sessions.stored.get(session_id)
        title = "" if known is None else known.title
        self.put(messages=(), title=title, session_id=session_id)

    async def list_sessions(self) -> tuple[SessionSummary, ...]:
        """The sessions given to the constructor."""
        return await self.sessions.list()

    async def set_title(self, title: str) -> None:
        """Name the session."""
        await self.ask(f"set_title {title}")
        self.put(title=title)

    def reconnect_now(self) -> None:
        """Note the wish."""
        self.asked.append("reconnect_now")

    async def ask(self, what: str) -> None:
        """Note a wish; wait as long as the gate is closed. Raises what was put into ``failures``."""
        self.asked.append(what)
        await self.gate.wait()
        failure = self.failures.pop(what.split(maxsplit=1)[0], None)
        if failure is not None:
            raise failure
