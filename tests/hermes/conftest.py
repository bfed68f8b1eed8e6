"""One real gateway for the whole lane; each test talks in a session of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import warm_up


@pytest.fixture(scope="session")
def shared_gateway() -> Iterator[HermesGateway]:
    with HermesGateway() as gateway:
        asyncio.run(warm_up(gateway))
        yield gateway


@pytest.fixture
def hermes(shared_gateway: HermesGateway) -> HermesGateway:
    return shared_gateway
