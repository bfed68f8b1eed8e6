"""A recorded walk in tmux through all that one can do with tapbacks, on the real program and gateway.

The screens of the walk are written to ``walk.txt`` in the test's folder, each under the words of its step.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tui_tapback.testing.home import Home
from tui_tapback.testing.tmux import Tmux

pytestmark = [pytest.mark.terminal, pytest.mark.slow]
VERBS = '[verbs]\nexplain = "❓"\npin = "📌"\n'


class Walk(Tmux):
    """The program in tmux; ``step`` waits for a screen and records it."""

    def __init__(self, home: Home, record: Path) -> None:
        self._record = record
        env = {**home.env, "OPENAI_MODEL": "companion", "LANG": "C.UTF-8"}
        super().__init__([sys.executable, "-m", "tui_tapback.cli.main"], env, record.parent)

    def step(self, words: str, *keys: str, typed: str = "") -> str:
        """Press or type, wait until ``words`` (a pattern) stand on the screen, and record it."""
        if typed:
            self.type(typed)
        self.press(*keys)
        return self.until(lambda text: re.search(words, text), words)

    def leave(self, words: str) -> None:
        """Press Esc and wait until ``words`` are gone: a key right behind an Esc would be one with Alt."""
        self.press("Escape")
        self.until(lambda text: words not in text, f"without {words}")

    def until(self, holds: Callable[[str], object], what: str) -> str:
        """Wait for a screen, and record it."""
        text = super().until(holds, what)
        with self._record.open("a", encoding="utf-8") as record:
            record.write(f"=== {what}\n{text}\n")
        return text


@pytest.fixture
def walk(home: Home, tmp_path: Path) -> Iterator[Walk]:
    settings = home.folder / "tapback" / "settings.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(VERBS, "utf-8")
    walk = Walk(home, tmp_path / "walk.txt")
    yield walk
    walk.close()


def test_a_session_that_uses_them_all(walk: Walk, tmp_path: Path) -> None:
    walk.step("online")
    walk.step("hello there", typed="hello there")
    walk.until(lambda text: "that I saw it" in text and "Esc stop" not in text, "the answer")
    # React, see what the agent will see, keep it back and tell it after all.
    walk.step("m actions", "Escape")
    walk.step("▐👍▌", "2")
    walk.step(r"\[x\] \[The user reacted 👍", "w")
    walk.step(r"\[ \] \[The user", "Space")
    walk.step(r"\[x\] \[The user", "Space")
    walk.step("What the agent will see(?s:.*)reacted 😂", "4")
    walk.until(lambda text: "You laughed at" in text, "who reacted")
    # Undo, redo, repeat, echo.
    walk.leave("What the agent will see")
    walk.step("Back to 👍", "u")
    walk.step("Back to 😂", "U")
    walk.step("😂.*hello there|▐👋▐😂▌|▐😂▐👋▌", "k", ".")
    walk.step("▐👋▐👋▌", "=")
    # A range is one step.
    walk.step("2 tapbacks. U does it again", "S-Down", "3", "u")
    # A menu for who knows no keys, and the pill out of it.
    walk.step("Message ─", "k", "j", "m")
    walk.until(lambda text: "Who reacted and when" in text, "the actions with their keys")
    walk.leave("Message ─")
    # A verb asks once and sends on a yes only.
    walk.step("Ask to explain this", "G", "6")
    time.sleep(0.5)  # the line takes no key before: a person reads it first
    walk.step("Please explain this", "Enter")
    walk.until(lambda text: "connect a model." in text and "Esc stop" not in text, "the second answer")
    # A lens, by name, and back.
    walk.step("Show only", "f")
    walk.step("only all tapbacks", "Enter")
    walk.until(lambda text: "Esc show all" in text, "the lens in the status line")
    walk.leave("Esc show all")
    # Own quick reactions, figures, pins, a card.
    walk.press("i")
    walk.step("All sessions", typed="/reactions")
    walk.step("🎉", "Enter", "t", "a", "d", "a", "Enter")
    walk.leave("Quick reactions")
    walk.step("You gave [0-9]+, the agent gave", typed="/stats")
    walk.leave("You gave")
    walk.step("Nothing is pinned yet", typed="/pins")
    walk.leave("Pinned messages")
    walk.step("The card", typed="/share svg")
    assert any("<svg" in file.read_text("utf-8") for file in tmp_path.glob("tapback-*.svg"))
    walk.step("Tapbacks are muted", typed="/mute")
    # Typed ones, with a literal beside them.
    walk.step("🦄", typed="+:unicorn: ")
    walk.step(":tada:", typed="a literal \\:tada: stays")
    recorded = (tmp_path / "walk.txt").read_text("utf-8")
    assert recorded.count("=== ") >= 20
    assert "Traceback" not in recorded
