"""The bench on which the service is tested."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest_asyncio

from tui_tapback.testing.service import ServiceBench


@pytest_asyncio.fixture
async def bench(tmp_path: Path) -> AsyncGenerator[ServiceBench]:
    built = ServiceBench(tmp_path / "state.db")
    yield built
    await built.service.close()
