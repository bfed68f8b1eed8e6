"""Settings that all clients of a gateway share: each follows what another one, or a bare request, changes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tui_tapback.client.gate import Gate
from tui_tapback.client.gateway_settings import GatewaySettings
from tui_tapback.client.link import Link
from tui_tapback.client.ports import Transport
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import Counters, Notice, Phase
from tui_tapback.client.transport import unix_connector
from tui_tapback.domain.errors import GatewayUnreachable, NotSupported, RpcError
from tui_tapback.testing.client import QUICK, running_client, until, wait_for
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.wire.events import EventParams

FRESH = GatewaySettings("both", True, 32_000)


@asynccontextmanager
async def following(running: RunningServer, prefix: str) -> AsyncGenerator[ChatClient]:
    """A client that has read the settings."""
    async with running_client(unix_connector(running.path), prefix=prefix) as client:
        await until(client, lambda state: state.shared.reactions is not None)
        yield client


async def test_a_client_sees_what_another_changes(running: RunningServer) -> None:
    async with following(running, "a") as here, following(running, "b") as there:
        assert here.state.shared == there.state.shared == FRESH
        assert await here.sharing.set("reactions", "user") == GatewaySettings("user", True, 32_000)
        assert (await until(there, lambda s: s.shared.reactions == "user")).shared == here.state.shared
        await there.sharing.set("context_tokens", 5_000)
        await until(here, lambda s: s.shared.context_tokens == 5_000)


async def test_switching_off_and_on_again_shows_the_offer_in_every_client(running: RunningServer) -> None:
    raw = await running.client()
    async with following(running, "a") as here, following(running, "b") as there:
        notices = there.notices()
        await raw.call("config.set", key="display.message_reactions", value=False)
        off = await until(here, lambda s: s.reactions_offered)
        assert off.shared == GatewaySettings("off", False, 32_000)
        await until(there, lambda s: s.reactions_offered)
        await here.reactions.enable()  # what the offer does
        assert here.state.shared == FRESH
        await until(there, lambda s: not s.reactions_offered)
        async with asyncio.timeout(10):
            said = [(await anext(notices)).text for _ in range(2)]
    assert "switched tapbacks off" in said[0]
    assert "switched tapbacks on" in said[1]


async def test_who_changes_it_is_not_told_of_himself(running: RunningServer) -> None:
    async with following(running, "a") as here, following(running, "b") as there:
        notices = here.notices()
        for value in ("off", "user", "both"):
            await here.sharing.set("reactions", value)
        await until(there, lambda s: s.shared.reactions == "both")
        await there.sharing.set("reactions", "user")
        async with asyncio.timeout(10):
            first = (await anext(notices)).text
    assert "the agent's tapbacks off" in first  # the first that another client did


async def test_a_value_that_is_none_changes_nothing_and_says_why(running: RunningServer) -> None:
    async with following(running, "a") as here:
        for key, value in (("reactions", "perhaps"), ("context_tokens", 7), ("context_tokens", True)):
            with pytest.raises(RpcError, match="must be"):
                await here.sharing.set(key, value)
        with pytest.raises(NotSupported, match="no setting theme"):
            await here.sharing.set("theme", "dark")
        assert here.state.shared == FRESH


class Door:
    """Leads to the gateway while it is open, and can cut what goes through."""

    def __init__(self, running: RunningServer) -> None:
        self._connect = unix_connector(running.path)
        self.open = True
        self.transport: Transport | None = None

    async def __call__(self) -> Transport:
        if not self.open:
            raise GatewayUnreachable("The door is shut.")
        self.transport = await self._connect()
        return self.transport


async def test_they_are_read_anew_on_a_new_link(running: RunningServer) -> None:
    raw, door = await running.client(), Door(running)
    async with running_client(door) as here:
        await until(here, lambda s: s.shared == FRESH)
        door.open = False
        assert door.transport is not None
        await door.transport.close()
        await until(here, lambda s: s.connection.phase is not Phase.ONLINE)
        await raw.call("config.set", key="reactions", value="user")
        await raw.call("config.set", key="context_tokens", value=0)
        door.open = True
        await until(here, lambda s: s.shared == GatewaySettings("user", True, 0))


class Wire:
    """A transport on which the test plays the gateway."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self._frames: asyncio.Queue[str] = asyncio.Queue()

    async def send(self, text: str) -> None:
        self.sent.append(json.loads(text))

    async def receive(self) -> str:
        return await self._frames.get()

    async def close(self) -> None:
        return None

    def tell(self, **frame: Any) -> None:
        self._frames.put_nowait(json.dumps({"jsonrpc": "2.0", **frame}))


@pytest.mark.parametrize("asked", ["read", "set"])
async def test_an_event_right_behind_an_answer_is_newer_than_it(asked: str) -> None:
    """Both are in before the call goes on: what it was answered must not undo what was told after it."""
    wire, gate = Wire(), Gate(memory=0.0, counters=Counters(), changed=_nothing, notify=lambda _: None)
    link = Link(
        wire,
        QUICK,
        gate.hear,
        on_question=lambda _: False,
        on_declined=lambda _: None,
        wall_clock=time.time,
    )
    reader = asyncio.create_task(link.run())
    call = asyncio.create_task(gate.read(link) if asked == "read" else gate.set(link, "reactions", "both"))
    await wait_for(lambda: bool(wire.sent))
    config = {"display": {"message_reactions": True}, "reactions": "both", "context_tokens": 0}
    result = {"config": config} if asked == "read" else {"key": "reactions", "value": "both"}
    wire.tell(id=wire.sent[0]["id"], result=result)
    payload = {"key": "reactions", "value": "off"}
    wire.tell(method="event", params={"type": "config.changed", "session_id": "", "payload": payload})
    await call
    assert (gate.settings.reactions, gate.offered) == ("off", True)
    assert gate.settings.context_tokens == (0 if asked == "read" else None)
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)


def _nothing() -> None:
    return None


def changed(key: str, value: object) -> EventParams:
    return EventParams("config.changed", payload={"key": key, "value": value})


async def test_what_makes_no_sense_changes_nothing() -> None:
    notices: list[Notice] = []
    counters = Counters()
    gate = Gate(memory=0.0, counters=counters, changed=lambda: None, notify=notices.append)
    for key, value in (("reactions", 7), ("context_tokens", True), ("nonsense", "x"), ("", "")):
        gate.hear(changed(key, value))
    gate.hear(changed("reactions", ["off"]))
    gate.hear(EventParams("config.changed", payload={"key": 3}))
    assert gate.settings == GatewaySettings()
    assert counters.bad_items == 2
    assert notices == []
