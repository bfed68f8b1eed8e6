"""Our client on a real Hermes gateway, with the patience that the first turn of its process needs."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import ClientState
from tui_tapback.client.transport import url_connector

from .client import quiet, running_client
from .hermes import HermesGateway

PATIENCE = 90.0
"""Seconds for the first turn of a process, in which the agent is built."""


@asynccontextmanager
async def attached(
    gateway: HermesGateway, session_id: str | None = None, prefix: str = "id"
) -> AsyncGenerator[ChatClient]:
    """A client of that gateway: on a session, else in a new chat."""
    connector = url_connector(gateway.url, gateway.token)
    new = session_id is None
    async with running_client(connector, session_id=session_id, new=new, prefix=prefix) as client:
        yield client


async def turn(client: ChatClient, text: str) -> ClientState:
    """Say something and wait until it is answered and everything is confirmed."""
    client.send(text)
    return await quiet(client, PATIENCE)


async def warm_up(gateway: HermesGateway) -> None:
    """One turn, so that the agent's modules are loaded."""
    async with attached(gateway) as client:
        await turn(client, "warm up")
