"""The program in tmux with a record that a person can read: chapters, steps, what was pressed, what came."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .home import Home
from .tmux import DEADLINE, Tmux

COMMAND = (sys.executable, "-m", "tui_tapback.cli.main")
FOCUS_OUT, FOCUS_IN = "\x1b[O", "\x1b[I"


class Walk(Tmux):
    """``step`` presses, waits for a screen and records it; nothing is waited for by the clock."""

    def __init__(self, home: Home, record: Path) -> None:
        self._record = record
        self._env = {**home.env, "OPENAI_MODEL": "companion", "LANG": "C.UTF-8"}
        self._steps = 0
        self._raw = record.with_suffix(".raw")
        record.write_text("A walk through all that one can do with tapbacks.\n", "utf-8")
        super().__init__([*COMMAND], self._env, record.parent)
        self._tmux("pipe-pane", "-o", f"cat >> '{self._raw}'")

    def chapter(self, title: str) -> None:
        """What the next steps show."""
        self._write(f"\n\n{title}\n{'=' * len(title)}")

    def step(self, told: str, *keys: str, shows: str, typed: str = "", gone: str = "") -> str:
        """Type a line, press keys, and wait until the pattern ``shows`` stands on the screen and ``gone``
        does not. ``told`` says for the record what a person does here and why."""
        if typed:
            self.type(typed)
        self.press(*keys)
        return self._recorded(told, self._hand(typed, *keys), shows, gone)

    def brisk(self, told: str, *keys: str, shows: str, gone: str = "") -> str:
        """As ``step``, for a screen that does not come to rest, since an answer grows on it."""
        self._tmux("send-keys", *keys)
        return self._recorded(told, self._hand("", *keys), shows, gone)

    def other(self, told: str, *arguments: str, shows: str) -> str:
        """Run ``tui-tapback`` once more beside the chat, and wait until ``shows`` stands in the chat."""
        done = subprocess.run(
            [*COMMAND, *arguments], env=self._env, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        command = " ".join(("tui-tapback", *arguments))
        return self._recorded(told, f"in another terminal: {command}\n  | {done.stdout.strip()}", shows, "")

    def flies(self, told: str, emoji: str, count: int, again: Callable[[], object], hand: str) -> None:
        """Do ``again`` until ``count`` more of ``emoji`` have been drawn than before: what flies is gone
        within a second, so that the drawing is looked at and not the screen. A slow link lets nothing fly
        until it is fast again, hence again."""
        drawn = self._drawn(emoji)
        for _ in range(10):
            again()
            try:
                super().until(lambda _: self._drawn(emoji) >= drawn + count, told)
            except AssertionError:
                continue
            self._recorded(told, hand, "", "")
            return
        raise AssertionError(f"nothing flew within {10 * DEADLINE:g} s: {told}")

    def escape(self, told: str, gone: str) -> None:
        """Press Esc and wait until ``gone`` is: a key right behind an Esc would be one with Alt."""
        self.step(told, "Escape", shows="", gone=gone)

    def focus(self, sequence: str) -> None:
        """Tell the program that its terminal was left or is looked at again."""
        self._tmux("send-keys", "-l", sequence)

    def _drawn(self, emoji: str) -> int:
        return self._raw.read_text("utf-8", "replace").count(emoji) if self._raw.exists() else 0

    def _recorded(self, told: str, hand: str, shows: str, gone: str) -> str:
        def holds(text: str) -> bool:
            return re.search(shows, text) is not None and not (gone and re.search(gone, text))

        text = self.until(holds, f"{told}: {shows or 'anything'}{f', without {gone}' if gone else ''}")
        self._steps += 1
        lines = "\n".join(f"  │ {line}" for line in text.rstrip("\n").split("\n"))
        self._write(f"\n{self._steps}. {told}\n   {hand}\n{lines}")
        return text

    @staticmethod
    def _hand(typed: str, *keys: str) -> str:
        words = [f"type “{typed}” and Enter"] if typed else []
        if keys:
            words.append("press " + " ".join(keys))
        return ", ".join(words) or "look"

    def _write(self, text: str) -> None:
        with self._record.open("a", encoding="utf-8") as record:
            record.write(text + "\n")
