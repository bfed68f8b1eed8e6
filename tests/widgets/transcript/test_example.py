"""The example of the documentation runs, and does what it says."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_text

if TYPE_CHECKING:
    from textual.app import App

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "transcript.py"


async def test_the_example_shows_a_conversation_and_takes_a_tapback_on_a_message_and_on_a_part() -> None:
    made = cast("App[None]", runpy.run_path(str(EXAMPLE))["Conversation"]())
    async with made.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert "Is the harbour open today?" in screen_text(made)
        await pilot.press("2", "tab", "tab", "4")
        await settle(pilot)
        text = screen_text(made)
        assert "▐👍▌" in text
        assert "😂" in text
        await pilot.press("4", "y")
        await settle(pilot)
        assert "😂" not in screen_text(made)
        assert made.clipboard == "- bring a coat"
