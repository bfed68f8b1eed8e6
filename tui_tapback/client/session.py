"""The façade of the headless client: one object that a screen or a command holds."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import AsyncIterator, Callable

from .ports import Connector
from .reconnect import ReconnectPolicy
from .state import ClientState, Counters, Notice, SessionSummary


def _new_id() -> str:
    return uuid.uuid4().hex


class ChatClient:
    """A conversation with a gateway that survives the loss of the link."""

    def __init__(
        self,
        connect: Connector,
        *,
        clock: Callable[[], float] = time.time,
        ids: Callable[[], str] = _new_id,
        policy: ReconnectPolicy | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        raise NotImplementedError

    counters: Counters

    @property
    def state(self) -> ClientState:
        raise NotImplementedError

    async def start(self, *, session_id: str | None = None, new: bool = False) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError

    def changes(self) -> AsyncIterator[ClientState]:
        raise NotImplementedError

    def notices(self) -> AsyncIterator[Notice]:
        raise NotImplementedError

    def send(self, text: str) -> str:
        raise NotImplementedError

    def set_reaction(self, key: str, emoji: str | None, part: str | None = None) -> None:
        raise NotImplementedError

    def retry(self, key: str) -> None:
        raise NotImplementedError

    def discard(self, key: str) -> str:
        raise NotImplementedError

    async def interrupt(self) -> None:
        raise NotImplementedError

    async def new_session(self) -> None:
        raise NotImplementedError

    async def open_session(self, session_id: str) -> None:
        raise NotImplementedError

    async def list_sessions(self) -> tuple[SessionSummary, ...]:
        raise NotImplementedError

    async def set_title(self, title: str) -> None:
        raise NotImplementedError

    async def pending_notes(self) -> tuple[str, ...]:
        raise NotImplementedError

    def reconnect_now(self) -> None:
        raise NotImplementedError
