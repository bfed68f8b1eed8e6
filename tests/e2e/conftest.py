"""A home for the real program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_tapback.testing.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    if not Path("/proc/self/environ").exists():
        pytest.skip("finding the gateway's process needs /proc")
    home = Home(tmp_path)
    yield home
    home.close()
