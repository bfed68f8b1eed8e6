"""Runs the background of a client: the supervisor of the link, and one delivery while a link lives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from tui_tapback.domain.errors import LinkDown
from tui_tapback.wire.events import SETTING_CHANGED, EventParams
from tui_tapback.wire.peer import Asked
from tui_tapback.words import _

from .abilities import HERMES, TAPBACK, Ability
from .book import Book
from .declines import desktop_thing
from .delivery import Delivery
from .dialects import HermesDialect, TapbackDialect
from .gate import Gate
from .handshake import Welcome
from .link import Link
from .open_questions import read_question
from .ports import Connector, NamedConnector
from .reconnect import ReconnectPolicy
from .state import ConnectionState, Counters, Notice, Phase
from .supervisor import Supervisor


class Engine:
    """The supervisor's guest. ``changed`` is called whenever something to be seen may have moved."""

    def __init__(
        self,
        connect: Connector,
        book: Book,
        counters: Counters,
        policy: ReconnectPolicy,
        *,
        clock: Callable[[], float],
        jitter: Callable[[], float],
        changed: Callable[[], None],
        notify: Callable[[Notice], None],
    ) -> None:
        self.connection = ConnectionState(Phase.CONNECTING, _("Connecting to the gateway."))
        self.foreign = False
        self.limit = 0
        self.abilities: frozenset[Ability] = frozenset()
        self.gate = Gate(memory=policy.memory, counters=counters, changed=changed, notify=notify)
        self._book = book
        self.again = policy.again
        self._policy = policy
        self._changed = changed
        self._notify = notify
        self._epoch: str | None = None
        self._link: Link | None = None
        self._delivery: Delivery | None = None
        self._delivering: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        name = connect.gateway_name if isinstance(connect, NamedConnector) else ""
        self._supervisor = Supervisor(
            connect, self, policy, clock=clock, jitter=jitter, counters=counters, name=name
        )

    def start(self) -> None:
        """Begin to connect."""
        self._spawn(self._supervisor.run(), "supervisor")

    async def close(self) -> None:
        """End the link and everything that runs."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.connection = ConnectionState(Phase.CLOSED, _("The client is closed."))

    def retry_now(self) -> None:
        """Do not wait any longer for the next attempt."""
        self._supervisor.retry_now()

    def wake(self) -> None:
        """There may be something to deliver."""
        if self._delivery is not None:
            self._delivery.wake()

    def link(self) -> Link:
        """The present link. Raises LinkDown where there is none."""
        if self._link is None:
            raise LinkDown(
                _("There is no connection to the gateway at the moment."), hint=_("It is being looked for.")
            )
        return self._link

    def require_open(self) -> None:
        """Raises LinkDown after ``close``."""
        if self.connection.phase is Phase.CLOSED:
            raise LinkDown(_("The client is closed."))

    # --- what the supervisor tells ---------------------------------------------------------------------

    def online(self, link: Link, welcome: Welcome) -> None:
        """The link is ready."""
        self.foreign = welcome.gateway == "hermes"
        self.limit = welcome.max_message_chars
        self.abilities = HERMES if self.foreign else TAPBACK
        self._book.set_foreign(self.foreign)
        if welcome.epoch != self._epoch:
            for conversation in self._book.everything:
                conversation.restart()
        self._epoch = welcome.epoch
        self._link = link
        self._delivery = Delivery(
            link,
            HermesDialect() if self.foreign else TapbackDialect(),
            self._book,
            foreign=self.foreign,
            gate=self.gate,
            again=self._policy.again,
            changed=self._changed,
            notify=self._notify,
        )
        self._delivering = self._spawn(self._delivery.run(), "delivery")
        self._changed()

    def offline(self) -> None:
        """The link is gone."""
        self._link = self._delivery = None
        if self._delivering is not None:
            self._delivering.cancel()
        for conversation in self._book.everything:
            conversation.detach()
        self._changed()

    def event(self, params: EventParams) -> None:
        """An event came."""
        if params.type == SETTING_CHANGED:
            self.gate.hear(params)
        else:
            self._book.route(params)
        self.wake()
        self._changed()

    def question(self, asked: Asked) -> bool:
        """The gateway asks the person something; False where no session here is meant."""
        question = read_question(asked)
        conversation = self._book.find(question.session_id) if question is not None else None
        if question is None or conversation is None:
            return False
        conversation.facts.questions.ask(question)
        self._changed()
        return True

    def declined(self, method: str) -> None:
        """The gateway asked for what only a desktop program has: the person is told, once for each kind."""
        kind = desktop_thing(method)
        if self._book.tell_once(f"declined {kind}"):
            self._notify(Notice(kind, "info"))

    async def enable_reactions(self) -> None:
        """Switch tapbacks on at the gateway. Raises LinkDown, RpcError."""
        link = self.link()
        await self.gate.enable(link)
        if self.foreign and not self.gate.settling:
            self._spawn(self.gate.cure(link), "gate")

    def connection_changed(self, connection: ConnectionState) -> None:
        """The link stands otherwise."""
        self.connection = connection
        self._changed()

    # --- tasks -----------------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None or isinstance(error, LinkDown):
            return  # the supervisor sees the end of the link itself
        self._notify(Notice(_("The client failed: {name}.").format(name=type(error).__name__), "error"))
        self.connection = ConnectionState(Phase.OFFLINE, _("The client failed; restart the program."))
        self._changed()
        task.get_loop().call_exception_handler(
            {"message": f"The {task.get_name()} of the client failed", "exception": error, "task": task}
        )
