"""The one task that talks for the conversations while a link is up: attach, catch up, deliver in order."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import Any, Final

import msgspec

from tui_tapback.domain.errors import InvalidInput, LinkDown, MalformedFrame, NotFound, RpcError, TapbackError
from tui_tapback.wire.errors import Code
from tui_tapback.wire.methods import (
    EventsSince,
    EventsSinceParams,
    MostRecent,
    NoParams,
    Ok,
    SessionParams,
)
from tui_tapback.words import _, plural

from .book import Book
from .conversation import Conversation
from .dialects import Dialect
from .gate import Gate
from .intents import Intent, Progress, PromptIntent, ReactionIntent
from .link import Link
from .outcomes import give_up, roll_back
from .state import Notice

MOST_ROWS: Final = 1000
"""Rows that are asked for at once."""
ATTEMPTS: Final = 5
"""How often a call that may succeed later is made before the person is told."""
_PASSING: Final = frozenset({Code.BUSY, Code.RATE_LIMITED, Code.SESSION_NOT_LIVE})
_LONGEST_WAIT: Final = 60.0
"""Seconds that a gateway can make us wait, whatever it asks for."""


class _Pace(msgspec.Struct):
    retry_after: float


class Delivery:
    """Works for one link. Nothing else calls in the background, so that the order is the order here."""

    def __init__(
        self,
        link: Link,
        dialect: Dialect,
        book: Book,
        *,
        foreign: bool,
        gate: Gate,
        again: float,
        changed: Callable[[], None],
        notify: Callable[[Notice], None],
    ) -> None:
        self._link = link
        self._dialect = dialect
        self._book = book
        self._foreign = foreign
        self._gate = gate
        self._greeted = False
        self._again = again
        self._changed = changed
        self._notify = notify
        self._work = asyncio.Event()
        self._calls: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None

    def wake(self) -> None:
        """There may be something to do."""
        self._work.set()

    async def run(self) -> None:
        """Deliver until cancelled or until the link breaks (LinkDown)."""
        self._work.set()
        try:
            while True:
                await self._work.wait()
                self._work.clear()
                if self._failure is not None:
                    raise self._failure
                await self._round()
        finally:
            calls = tuple(self._calls)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)

    async def _round(self) -> None:
        await self._leave_dropped()
        for held in self._book:
            conversation = held
            try:
                conversation = await self._resolved(held)
                ready = await self._prepare(conversation)
            except (RpcError, MalformedFrame) as error:
                self._not_opened(conversation, error)
                continue
            if ready:
                for intent in conversation.overlay.due(conversation.mirror):
                    intent.progress = Progress.SENT
                    self._spawn(self._deliver(conversation, intent))
            self._changed()
        if not self._greeted:
            self._greeted = True
            self._spawn(self._gate.read(self._link))

    def _spawn(self, call: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(call)
        self._calls.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._calls.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = error
        self.wake()

    # --- being in step ---------------------------------------------------------------------------------

    async def _resolved(self, conversation: Conversation) -> Conversation:
        """The session that was used last, where that is the one to continue."""
        if not conversation.unresolved:
            return conversation
        found = await self._link.call("session.most_recent", NoParams(), MostRecent)
        return self._book.resolve(conversation, found.session_id)

    async def _prepare(self, conversation: Conversation) -> bool:
        """Bring a conversation in step with the gateway; True when intents may go out."""
        if conversation.stored_id is None:
            if not conversation.overlay.wants_session:
                return False
            conversation.created(await self._dialect.create(self._link))
            return True
        if not conversation.attached:
            await self._attach(conversation, conversation.stored_id)
        if conversation.window.rejoin:
            await self._read_newest(conversation, conversation.stored_id)
        elif conversation.behind:
            await self._catch_up(conversation, conversation.runtime_id or conversation.stored_id)
        elif conversation.stale and not self._calls:
            await self._reread(conversation, conversation.stored_id)
        return conversation.attached

    async def _attach(self, conversation: Conversation, stored_id: str) -> None:
        """Open the session on this link; only what was missed is fetched where the gateway can tell it."""
        settled = conversation.overlay.unnumbered()
        conversation.hold()
        last = conversation.sequence.last
        if not self._foreign and conversation.loaded and last is not None:
            conversation.identify(await self._dialect.resume(self._link, stored_id, rows=0))
            if await self._replay(conversation, stored_id, last, settled):
                return
        await self._read_newest(conversation, stored_id)

    async def _catch_up(self, conversation: Conversation, session_id: str) -> None:
        settled = conversation.overlay.unnumbered()
        last = conversation.sequence.last or 0
        if not await self._replay(conversation, session_id, last, settled):
            await self._read_newest(conversation, conversation.stored_id or session_id)

    async def _read_newest(self, conversation: Conversation, stored_id: str) -> None:
        """Read the end of the chat, as much of it as is held already."""
        settled = conversation.overlay.unnumbered()
        conversation.hold()
        conversation.stale = False
        rows = self._rows(conversation)
        conversation.load(await self._dialect.resume(self._link, stored_id, rows=rows), settled=settled)
        bad = self._link.peer.counters.bad_items
        if bad and self._book.tell_once("bad rows"):
            text = plural(
                "One message of this chat could not be read and are left out.",
                "{count} messages of this chat could not be read and are left out.",
                bad,
            )
            self._notify(Notice(text.format(count=bad), "warning"))

    async def _replay(
        self, conversation: Conversation, session_id: str, last: int, settled: frozenset[str]
    ) -> bool:
        missed = await self._link.call(
            "session.events.since", EventsSinceParams(session_id, last), EventsSince
        )
        return conversation.replay(missed, settled=settled)

    async def _reread(self, conversation: Conversation, stored_id: str) -> None:
        """Read the rows of a gateway that does not tell everything; what happened meanwhile wins.

        By opening the session once more: the history of a Hermes session that was summed up lacks the rows
        that people still see, and the session may have another id since.
        """
        if conversation.mirror.running:
            return
        before = conversation.events
        conversation.stale = False
        snapshot = await self._dialect.resume(self._link, stored_id, rows=self._rows(conversation))
        if conversation.events == before:
            conversation.load(snapshot)
        else:
            conversation.stale = True
            self.wake()

    def _rows(self, conversation: Conversation) -> int | None:
        least = self._book.rows
        return None if least is None else min(max(least, conversation.window.held), MOST_ROWS)

    async def _leave_dropped(self) -> None:
        while self._book.dropped:
            conversation = self._book.dropped.pop()
            # On Hermes this call would end the session for everybody.
            if conversation.attached and not self._foreign and conversation.runtime_id is not None:
                try:
                    await self._link.call("session.close", SessionParams(conversation.runtime_id), Ok)
                except (RpcError, MalformedFrame):
                    continue  # it was deleted meanwhile: there is nothing to leave

    def _not_opened(self, conversation: Conversation, error: RpcError | MalformedFrame) -> None:
        conversation.attached = False
        gone = isinstance(error, RpcError) and error.code == Code.SESSION_NOT_FOUND
        conversation.failures += 0 if _is_haste(error) else 1
        if gone or conversation.failures >= ATTEMPTS:
            reason = _("The chat could not be opened: {error}").format(error=error)
            self._notify(Notice(reason, "error"))
            give_up(conversation, reason)
            if conversation is self._book.current:
                self._book.open(None)
            self.wake()
        else:
            asyncio.get_running_loop().call_later(_wait(error, self._again), self.wake)
        self._changed()

    # --- delivering ------------------------------------------------------------------------------------

    async def _deliver(self, conversation: Conversation, intent: Intent) -> None:
        try:
            match intent:
                case PromptIntent():
                    await self._dialect.submit(self._link, conversation, intent)
                case ReactionIntent():
                    await self._dialect.react(self._link, conversation, intent)
        except LinkDown:
            # The conversation was told as a whole that the link is gone; this call may have begun after that.
            if intent.progress is Progress.SENT:
                intent.progress = Progress.WAITING
                intent.uncertain = True
        except RpcError as error:
            await self._refused(conversation, intent, error)
        except (MalformedFrame, InvalidInput, NotFound) as error:
            self._turned_down(conversation, intent, error)
        finally:
            self._changed()

    async def _refused(self, conversation: Conversation, intent: Intent, error: RpcError) -> None:
        intent.attempts += 0 if _is_haste(error) else 1
        if error.code in _PASSING and intent.attempts < ATTEMPTS:
            if error.code == Code.SESSION_NOT_LIVE:
                conversation.attached = False
            else:
                await asyncio.sleep(_wait(error, self._again))
            if intent.progress is Progress.SENT:
                intent.progress = Progress.WAITING
            return
        self._turned_down(conversation, intent, error)

    def _turned_down(self, conversation: Conversation, intent: Intent, error: TapbackError) -> None:
        if roll_back(conversation, intent, error.sentence()):
            text = (
                _("The message was not accepted. {reason}")
                if isinstance(intent, PromptIntent)
                else _("The reaction was not accepted. {reason}")
            ).format(reason=error.sentence())
            self._notify(Notice(text, "error", intent.key))


def _is_haste(error: RpcError | MalformedFrame) -> bool:
    """Whether only the pace was refused: however often that happens, it says nothing against the call."""
    return isinstance(error, RpcError) and error.code == Code.RATE_LIMITED


def _wait(error: RpcError | MalformedFrame, again: float) -> float:
    """Seconds until the next attempt: our own pause, or the longer one that the gateway asks for."""
    try:
        asked = msgspec.convert(error.data if isinstance(error, RpcError) else None, _Pace).retry_after
    except msgspec.ValidationError:
        return again
    return max(again, min(asked, _LONGEST_WAIT)) if math.isfinite(asked) else again
