"""English again after each test, whatever language it used."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tui_tapback.words import use


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    use("en")
