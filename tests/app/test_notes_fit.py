"""A note that pops up can be read to its end."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.demo.script import conversation
from tui_tapback.testing.app import until
from tui_tapback.testing.screen import screen_text

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
WORDS = "Undone: your tapback is back where it was; Ctrl+Z does it again. " * 3


def numbers(text: str) -> list[str]:
    return re.findall(r"\d{3}(?= Undone)", text)


@pytest.mark.parametrize("width", [40, 57, 80, 81, 120])
async def test_a_note_of_any_length_is_shown_to_its_end(opened: Opened, width: int) -> None:
    inside = int(width * 0.9) - 8  # a line of a note is about that long
    async with opened(conversation(), (width, 24)) as pilot:
        for length in (*range(inside, inside + 12), *range(2 * inside, 2 * inside + 14)):
            pilot.app.clear_notifications()
            pilot.app.notify(f"{length:03} {WORDS[: length - 5]}~", markup=False, timeout=99)
            await until(pilot, lambda wanted=[f"{length:03}"]: numbers(screen_text(pilot.app)) == wanted)
            assert "~" in screen_text(pilot.app), length
