"""The façade of the headless client: one object that a screen or a command holds."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import AsyncIterator, Callable

from tui_tapback.wire.base import SessionParams
from tui_tapback.wire.methods import Interrupted
from tui_tapback.words import _, mark

from .attaching import Attaching
from .book import Book
from .commands import Commands
from .desk import Desk
from .engine import Engine
from .hand import Hand
from .intents import ANYTHING, Expected
from .keeping import Keeper
from .library import Library
from .models import Models
from .outbox import Outbox
from .outcomes import give_up
from .paging import History
from .ports import Connector
from .publisher import Feed, Newest
from .questions import Questions
from .reconnect import ReconnectPolicy
from .screen_state import screen_state
from .sharing import Sharing
from .state import ClientState, Counters, Notice, Phase, SessionSummary
from .telling import Telling
from .turns import Turns
from .work import Work

MOMENT = 1.0
"""Seconds that a message or reaction may take before a screen needs to say that it waits."""
_CLOSED = mark("The program was closed before this was delivered.")


def _new_id() -> str:
    return uuid.uuid4().hex


class ChatClient:
    """A conversation with a gateway that survives the loss of the link.

    Intents (``send``, ``set_reaction``, ``retry``, ``discard``) show at once; delivery is in the
    background. The coroutines ask the gateway: LinkDown means that there is none, RpcError a refusal.
    With an ``outbox`` what is not delivered survives the end of the program, however it came.
    With ``rows`` a chat is opened with as many of its newest, and ``history`` brings more; without it, whole.
    Everything runs on one event loop, from ``start`` on. What is needed less often has a room of its own:
    ``history`` (a long chat in parts), ``turns`` (undo, edit, branch, compress, steer), ``reactions`` (what
    the model will be told), ``sessions`` (list, search, archive, delete), ``questions`` (what the gateway
    asks), ``commands`` (its slash commands) and ``sharing`` (the settings that all clients share).
    ``state.abilities`` says beforehand what this gateway can.
    """

    def __init__(
        self,
        connect: Connector,
        *,
        clock: Callable[[], float] = time.time,
        ids: Callable[[], str] = _new_id,
        policy: ReconnectPolicy | None = None,
        jitter: Callable[[], float] = random.random,
        outbox: Outbox | None = None,
        rows: int | None = None,
    ) -> None:
        self.counters = Counters()
        self._clock = clock
        policy = policy or ReconnectPolicy()
        self._farewell = policy.farewell
        self._loop: asyncio.AbstractEventLoop | None = None
        self._later: asyncio.TimerHandle | None = None
        self._book = Book(clock=clock, ids=ids, counters=self.counters)
        self._book.rows = rows
        self._newest = Newest(lambda: screen_state(self._book, self._engine, self._clock() - MOMENT))
        self._feed: Feed[Notice] = Feed()
        self._hand = Hand(self._book, clock=clock, ids=ids)
        self._engine = Engine(
            connect,
            self._book,
            self.counters,
            policy,
            clock=clock,
            jitter=jitter,
            changed=self._changed,
            notify=self._feed.push,
        )
        self._keeper = (
            None if outbox is None else Keeper(outbox, self._book, self._feed.push, pause=policy.keep)
        )
        desk = Desk(self._book, self._engine, self._changed, self._feed.push)
        self.history = History(desk)
        self.turns = Turns(desk, self._hand)
        self.reactions = Telling(desk)
        self.sessions = Library(desk)
        self.questions = Questions(desk)
        self.commands = Commands(desk)
        self.work = Work(desk, clock)
        self.models = Models(desk)
        self.attaching = Attaching(desk)
        self.sharing = Sharing(desk)

    @property
    def state(self) -> ClientState:
        """The present state; the same object until something changes."""
        return self._newest.value

    def changes(self) -> AsyncIterator[ClientState]:
        """The present state first, then the newest after each change, coalesced; ends after ``close``."""
        return self._newest.watch()

    def notices(self) -> AsyncIterator[Notice]:
        """What the person should be told once; ends after ``close``."""
        return self._feed.watch()

    # --- life ------------------------------------------------------------------------------------------

    async def start(self, *, session_id: str | None = None, new: bool = False) -> None:
        """Begin to connect; returns at once. Opens ``session_id``, else (unless ``new``) the last one.

        A chat that was begun without a gateway, in the run before, counts as the last one.
        """
        if self._keeper is not None:
            self._keeper.restore()
            self._book.departs = self._keeper.leaving
        if session_id is not None:
            self._book.open(session_id)
        elif not (new or self._book.open_unbegun()):
            self._book.current.continue_last()
        self._loop = asyncio.get_running_loop()
        self._engine.start()
        self._changed()

    async def close(self) -> None:
        """End the link and every watcher.

        What can go out at this moment still does; the rest is kept in the outbox. Without one it fails with a
        reason, one notice each.
        """
        await self._deliver_last()
        self._loop = None
        if self._later is not None:
            self._later.cancel()
        await self._engine.close()
        if self._keeper is not None:
            self._keeper.close()
        for conversation in self._book.everything if self._keeper is None else ():
            for intent in give_up(conversation, _(_CLOSED)):
                self._feed.push(Notice(_(_CLOSED), "warning", intent.key))
        self._newest.end()
        self._feed.end()

    def reconnect_now(self) -> None:
        """Try at once where a wait is on, also after a refusal."""
        self._engine.retry_now()

    # --- intents ---------------------------------------------------------------------------------------

    def send(self, text: str) -> str:
        """Say something; returns the bubble's key. Raises EmptyMessage, MessageTooLong, LinkDown (closed)."""
        self._engine.require_open()
        key = self._hand.send(text, limit=self._engine.limit, with_files=True)
        self._book.current.window.to_end()
        self._changed(wake=True)
        return key

    def edit_waiting(self, key: str, text: str) -> None:
        """Say a message otherwise that has not left.

        Raises Busy (it has), RowNotFound, EmptyMessage, MessageTooLong.
        """
        self._engine.require_open()
        self._hand.edit(key, text, limit=self._engine.limit)
        self._changed(wake=True)

    def set_reaction(
        self,
        key: str,
        emoji: str | None,
        part: str | None = None,
        quote: str = "",
        *,
        expected: Expected = ANYTHING,
    ) -> None:
        """Want ``emoji`` (None: nothing) on a bubble, or on a ``part`` of it that begins with ``quote``.

        ``expected`` is what must still stand there when the gateway hears of it; else the newer choice stays
        and the person is told. Raises NotAnEmoji, RowNotFound, LinkDown (closed).
        """
        self._engine.require_open()
        offline = self._engine.connection.phase is not Phase.ONLINE
        self._hand.react(key, emoji, part, quote, offline=offline, expected=expected)
        self._changed(wake=True)

    def retry(self, key: str) -> None:
        """Try again: a refused message or reaction, or a turn that failed. Raises RowNotFound, LinkDown."""
        self._engine.require_open()
        self._hand.retry(key, limit=self._engine.limit)
        self._changed(wake=True)

    def discard(self, key: str) -> str:
        """Withdraw a waiting or refused message; returns its text. Raises Busy (it has left), RowNotFound."""
        text = self._hand.discard(key)
        self._changed()
        return text

    # --- questions -------------------------------------------------------------------------------------

    async def interrupt(self) -> None:
        """Stop the running turn."""
        session_id = self._book.current.runtime_id
        if session_id is not None:
            await self._engine.link().call("session.interrupt", SessionParams(session_id), Interrupted)

    async def new_session(self) -> None:
        """Show an empty chat; the session itself is made with its first message."""
        self._book.open(None)
        self._changed(wake=True)

    async def open_session(self, session_id: str) -> None:
        """Show another session; at once where it is known, loading where not."""
        self._book.open(session_id)
        self.history.refresh()
        self._changed(wake=True)

    async def list_sessions(self) -> tuple[SessionSummary, ...]:
        """Stored sessions, newest activity first."""
        return await self.sessions.list()

    async def set_title(self, title: str) -> None:
        """Name the session on screen."""
        await self.sessions.set_title(title)

    async def pending_notes(self) -> tuple[str, ...]:
        """What the model will be told of the reactions with the next message."""
        return await self.reactions.head()

    # --- inside ----------------------------------------------------------------------------------------

    async def _deliver_last(self) -> None:
        """A tapback just before the end of the program is not lost."""
        try:
            async with asyncio.timeout(self._farewell):
                async for state in self.changes():
                    if state.connection.phase is not Phase.ONLINE or not self._book.leaving:
                        return
        except TimeoutError:
            return  # the gateway does not answer; the person has waited long enough

    def _changed(self, *, wake: bool = False) -> None:
        for conversation in self._book.everything:
            while conversation.notices:
                notice = conversation.notices.pop(0)
                self._feed.push(Notice(notice.text, notice.level))
        if self._keeper is not None and self._loop is not None:
            self._keeper.changed()
        self._newest.changed()
        if self._later is None and self._loop is not None and self._book.waiting:
            self._later = self._loop.call_later(MOMENT, self._moment_passed)
        if wake:
            self._engine.wake()

    def _moment_passed(self) -> None:
        """What still waits may be overdue by now."""
        self._later = None
        self._changed()
