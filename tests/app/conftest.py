"""A chat of two messages, and the app over it at a given size."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.domain.messages import Message, Role
from tui_tapback.testing.app import chat_app
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]


@pytest.fixture
def chat() -> MemoryChat:
    at = 1_760_000_000.0
    return MemoryChat(
        [
            Message(key="m1", role=Role.USER, text="Where shall we eat?", at=at, row_id=1),
            Message(key="m2", role=Role.ASSISTANT, text="I booked a table for you.", at=at + 5, row_id=2),
        ]
    )


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    @asynccontextmanager
    async def open_app(
        chat: MemoryChat, size: tuple[int, int] = (80, 24), **options: Any
    ) -> AsyncGenerator[Pilot[Any]]:
        app = chat_app(chat, logs=tmp_path, **options)
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            yield pilot

    return open_app
