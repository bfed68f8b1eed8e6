"""Plain mode on a real gateway."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tui_tapback.client.transport import unix_connector
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.plain import PlainBench, running_plain


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    async with RunningServer(tmp_path) as running:
        yield running


@pytest.fixture
async def plain(server: RunningServer, tmp_path: Path) -> AsyncIterator[PlainBench]:
    async with running_plain(unix_connector(server.path), tmp_path) as bench:
        yield bench
