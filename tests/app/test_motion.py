"""What moves stands still over a slow link and where a person wants it, and moves again when it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_tapback.app.app import ChatApp
from tui_tapback.app.crash import CrashLog
from tui_tapback.app.motion import Motion
from tui_tapback.app.preferences import Preferences
from tui_tapback.config.settings import Settings
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.link import EVERY, QUESTION
from tui_tapback.terminal.profile import SAFE
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.widgets.transcript import Transcript


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_each_change_is_told_once() -> None:
    slow, said = [False], list[bool]()
    motion = Motion(lambda: slow[0], said.append)
    for state in (False, False, True, True, False, False):
        slow[0] = state
        motion.look()
    assert said == [False, True]


def acknowledge(app: ChatApp, clock: Clock, seconds: float) -> None:
    """Draw a frame which the terminal acknowledges after ``seconds``."""
    watch = app.watch_terminal
    assert QUESTION in watch.outgoing("\x1b[1;1Hframe")
    clock.now += seconds
    assert watch.cursor_at(1, 6)
    clock.now += EVERY
    app.post_display_hook()


@pytest.mark.parametrize("reduced", [False, True])
async def test_badges_pop_only_while_the_link_is_fast_and_nobody_wants_them_still(
    tmp_path: Path, reduced: bool
) -> None:
    clock = Clock()
    preferences = Preferences("tapback-dark", EmojiFitter(SAFE), reduced_motion=reduced)
    app = ChatApp(MemoryChat(), preferences, crash_log=CrashLog(tmp_path), ticks=clock)
    async with app.run_test() as pilot:
        await settle(pilot)
        transcript = app.screen.query_one(Transcript)
        assert transcript.motion is not reduced
        for _ in range(4):
            acknowledge(app, clock, 0.6)
        assert transcript.motion is False and app.animation_level == "none"
        for _ in range(5):
            acknowledge(app, clock, 0.01)
        assert transcript.motion is not reduced
        assert app.animation_level == ("none" if reduced else "full")


def test_settings_and_environment_ask_for_stillness() -> None:
    assert Preferences.of(Settings(reduced_motion=True), {}).reduced_motion
    assert Preferences.of(Settings(), {"TEXTUAL_ANIMATIONS": "none"}).reduced_motion
    assert not Preferences.of(Settings(), {}).reduced_motion
