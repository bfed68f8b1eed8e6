"""A note that pops up can be read to its end, and stands there once."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from tui_tapback.demo.script import conversation
from tui_tapback.testing.app import shows, until
from tui_tapback.testing.pilot import settle
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


async def test_what_is_told_of_an_undo_goes_with_the_next_step(opened: Opened) -> None:
    def notes() -> list[str]:
        return re.findall(r"(Taken back|Put back|Back to)", screen_text(pilot.app))

    chat = conversation()
    async with opened(chat, (100, 30)) as pilot:
        await pilot.press("escape")
        await settle(pilot)
        for key in "1uU":
            pilot.app.post_message(events.Key(key, key))
        await shows(pilot, "u takes it back")
        await until(pilot, lambda: len(notes()) == 1)
        pilot.app.notify("Another note", timeout=99)
        await shows(pilot, "Another note")
        await pilot.press("u")
        await shows(pilot, "U does it again")
        await until(pilot, lambda: len(notes()) == 1)
        await pilot.press("3")
        await until(pilot, lambda: not notes())
        assert "Another note" in screen_text(pilot.app)


@pytest.mark.parametrize("key", ["f1", "f2", "f3", "ctrl+o"])
async def test_a_note_stands_on_the_screen_on_top_alone(opened: Opened, key: str) -> None:
    async with opened(conversation(), (100, 30)) as pilot:
        below = pilot.app.screen
        pilot.app.notify("Once is enough", timeout=99)
        await shows(pilot, "Once is enough")
        await pilot.press(key)
        await until(pilot, lambda: pilot.app.screen is not below)
        await until(pilot, lambda: screen_text(pilot.app).count("Once is enough") == 1)
        assert not any(toast.display for toast in below.query("Toast"))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is below)
        await until(pilot, lambda: screen_text(pilot.app).count("Once is enough") == 1)
