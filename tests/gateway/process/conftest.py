"""Real gateway processes, each in a home of its own, ended after the test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tui_tapback.testing.gateway import GatewayProcess

Spawn = Callable[..., GatewayProcess]


@pytest.fixture
def home() -> Iterator[Path]:
    """A home whose socket path is short."""
    folder = Path(tempfile.mkdtemp(prefix="tapback-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
async def gateway(home: Path) -> AsyncIterator[Spawn]:
    """Makes gateways (not yet started) that answer with the offline companion."""
    made: list[GatewayProcess] = []

    def make(*arguments: str, environ: dict[str, str] | None = None) -> GatewayProcess:
        process = GatewayProcess(home, *arguments, environ={"OPENAI_MODEL": "companion"} | (environ or {}))
        made.append(process)
        return process

    yield make
    for process in made:
        await process.close()
