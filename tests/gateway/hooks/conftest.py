"""A folder for hooks."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path.resolve() / "config"
    place.mkdir()
    return place
