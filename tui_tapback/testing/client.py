"""A client for tests: short delays, counted ids, and waiting for a state instead of sleeping."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from tui_tapback.client.conversation import Conversation
from tui_tapback.client.ports import Connector
from tui_tapback.client.reconnect import ReconnectPolicy
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import ClientState, Counters, Phase
from tui_tapback.domain.messages import Message

DEADLINE = 10.0
QUICK = ReconnectPolicy(first=0.01, cap=0.05, stable=0.0, handshake=5.0, call=5.0, again=0.01)
"""Delays that a test can wait for."""


def counted(prefix: str = "id") -> Callable[[], str]:
    """Ids in order."""
    numbers = itertools.count(1)
    return lambda: f"{prefix}{next(numbers)}"


@asynccontextmanager
async def running_client(
    connect: Connector,
    *,
    policy: ReconnectPolicy = QUICK,
    session_id: str | None = None,
    new: bool = False,
    prefix: str = "id",
    clock: Callable[[], float] = lambda: 2000.0,
    rows: int | None = None,
) -> AsyncGenerator[ChatClient, None]:
    """A started client, closed at the end."""
    client = ChatClient(
        connect, policy=policy, clock=clock, ids=counted(prefix), jitter=lambda: 0.0, rows=rows
    )
    await client.start(session_id=session_id, new=new)
    try:
        yield client
    finally:
        await client.close()


async def until(
    client: ChatClient, holds: Callable[[ClientState], bool], within: float = DEADLINE
) -> ClientState:
    """The first state from now on of which ``holds`` is true. Fails with the last state seen."""
    state = client.state
    try:
        async with asyncio.timeout(within):
            async for state in client.changes():
                if holds(state):
                    return state
    except TimeoutError:
        raise AssertionError(f"waited in vain; the last state was {state}") from None
    raise AssertionError(f"the client was closed; the last state was {state}")


async def opened(client: ChatClient) -> ClientState:
    """Online, with the session read."""
    return await until(client, lambda s: s.connection.phase is Phase.ONLINE and not s.loading)


async def quiet(client: ChatClient, within: float = DEADLINE) -> ClientState:
    """Everything delivered and confirmed, nothing running."""

    def settled(state: ClientState) -> bool:
        confirmed = all(r.confirmed for m in state.messages for r in m.reactions)
        return (
            state.connection.phase is Phase.ONLINE
            and not (state.loading or state.running or state.waiting)
            and confirmed
        )

    return await until(client, settled, within)


async def wait_for(holds: Callable[[], bool]) -> None:
    """Until something outside of the client's state is true."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + DEADLINE
    while not holds():
        if loop.time() > deadline:
            raise AssertionError("waited in vain for a condition")
        await asyncio.sleep(0.002)


def silent_conversation(stored_id: str, counters: Counters, *, foreign: bool) -> Conversation:
    """A conversation that nobody delivers for."""
    return Conversation(
        stored_id,
        clock=lambda: 1.0,
        ids=counted(),
        counters=counters,
        leaving=lambda prompt: None,
        foreign=foreign,
    )


def texts(state: ClientState) -> list[str]:
    """The texts on screen, in order."""
    return [message.text for message in state.messages]


def message_with(state: ClientState, text: str) -> Message:
    """The only message with that text."""
    (found,) = [message for message in state.messages if message.text == text]
    return found


def emojis(message: Message) -> list[str]:
    """Its reactions as ``author emoji``, oldest first."""
    return [f"{reaction.author} {reaction.emoji}" for reaction in message.reactions]
