"""A running server for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tui_tapback.testing.gateway import RunningServer


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[RunningServer]:
    async with RunningServer(tmp_path) as server:
        yield server
