"""One connection in use: calls and answers, events handed on, and the heartbeat that notices a dead line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tui_tapback.domain.errors import LinkDown, MalformedFrame, RpcError
from tui_tapback.wire.base import Params, Result
from tui_tapback.wire.events import EventParams
from tui_tapback.wire.methods import NoParams
from tui_tapback.wire.peer import Answered, Asked, EventCame, Nothing, Peer, Refused, Reply
from tui_tapback.words import _

from .ports import Transport
from .reconnect import ReconnectPolicy

R = TypeVar("R", bound=Result)


class Link:
    """Lives as long as its transport. ``run`` reads until the link breaks, and then every open call fails."""

    def __init__(
        self,
        transport: Transport,
        policy: ReconnectPolicy,
        on_event: Callable[[EventParams], None],
        *,
        on_question: Callable[[Asked], bool],
        on_declined: Callable[[str], None],
        wall_clock: Callable[[], float],
    ) -> None:
        self.peer = Peer()
        self._transport = transport
        self._policy = policy
        self._on_event = on_event
        self._on_question = on_question
        self._on_declined = on_declined
        self._wall_clock = wall_clock
        self._waiting: dict[int, asyncio.Future[Result]] = {}
        self._down: LinkDown | None = None
        self._heard = asyncio.get_running_loop().time()

    async def call(self, method: str, params: Params, result: type[R], *, within: float | None = None) -> R:
        """Call and wait for the answer, ``within`` seconds where a call may take longer than the usual.

        Raises RpcError (refused), MalformedFrame (nonsense), LinkDown (broken, or no answer in time: then the
        link is closed, since nobody knows whether the call arrived).
        """
        if self._down is not None:
            raise LinkDown(str(self._down))
        patience = within or self._policy.call
        number, text = self.peer.call(method, params)
        future = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            async with asyncio.timeout(patience):
                await self._transport.send(text)
                answer = await future
        except TimeoutError:
            self._break(
                LinkDown(
                    _("The gateway did not answer {method} within {patience:g} seconds.").format(
                        method=method, patience=patience
                    )
                )
            )
            await self._transport.close()
            raise LinkDown(str(self._down)) from None
        finally:
            self._waiting.pop(number, None)
            self.peer.forget(number)
            if future.done() and not future.cancelled():
                future.exception()  # where sending failed first, nobody else looks at it
        if not isinstance(answer, result):
            raise MalformedFrame(
                _("The answer to {method} is of another kind.").format(method=method), field=method
            )
        return answer

    async def run(self) -> None:
        """Read until the link breaks; always ends by raising LinkDown (or by being cancelled)."""
        heartbeat = asyncio.create_task(self._heartbeat())
        try:
            while True:
                text = await self._transport.receive()
                self._heard = asyncio.get_running_loop().time()
                await self._take(text)
        except LinkDown as error:
            self._break(error)
            raise LinkDown(str(self._down)) from error
        finally:
            heartbeat.cancel()
            self._break(LinkDown(_("The link was closed.")))
            await self._transport.close()

    async def close(self) -> None:
        """End the link."""
        self._break(LinkDown(_("The link was closed.")))
        await self._transport.close()

    def _break(self, error: LinkDown) -> None:
        if self._down is None:
            self._down = error
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(LinkDown(str(self._down)))

    async def _take(self, text: str) -> None:
        match self.peer.receive(text):
            case Answered(number, result):
                self._resolve(number, result)
            case Refused(number, error):
                self._resolve(number, error)
            case EventCame(params):
                self._on_event(params)
            case Asked() as asked:
                if not self._on_question(asked):
                    await self._transport.send(self.peer.decline(asked.id))
            case Reply(reply, method):
                await self._transport.send(reply)
                self._on_declined(method)
            case Nothing():
                pass  # counted by the peer

    def _resolve(self, number: int, outcome: Result | RpcError | MalformedFrame) -> None:
        future = self._waiting.get(number)
        if future is None or future.done():
            return
        if isinstance(outcome, Result):
            future.set_result(outcome)
        else:
            future.set_exception(outcome)

    async def _heartbeat(self) -> None:
        """Ping regularly; a line on which nothing comes back for too long is dead, whatever the socket says.

        When the wall clock has leapt, the machine has slept and the socket is probably half open: then the
        gateway gets only one ping interval to show a sign of life.
        """
        policy = self._policy
        loop = asyncio.get_running_loop()
        step = policy.ping / 3
        last_ping = loop.time()
        wall = self._wall_clock()
        deadline: float | None = None
        pings: set[asyncio.Task[None]] = set()
        while True:
            await asyncio.sleep(step)
            now, new_wall = loop.time(), self._wall_clock()
            leapt = new_wall - wall > step + policy.ping
            wall = new_wall
            if deadline is not None and self._heard > deadline - policy.ping:
                deadline = None
            if leapt:
                deadline = now + policy.ping
            if now - self._heard > policy.silence or (deadline is not None and now > deadline):
                self._break(LinkDown(_("The gateway has gone silent.")))
                await self._transport.close()
                return
            if leapt or now - last_ping >= policy.ping:
                last_ping = now
                task = asyncio.create_task(self._ping())
                pings.add(task)
                task.add_done_callback(pings.discard)

    async def _ping(self) -> None:
        try:
            await self.call("gateway.ping", NoParams(), Result)
        except (LinkDown, RpcError, MalformedFrame):
            return  # a broken link shows in ``run``; any answer at all is a sign of life
