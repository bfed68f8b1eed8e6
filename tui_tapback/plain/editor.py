"""The line that is being typed: keys change it, and what is written for that never goes up a line; pure.

Nothing but printable characters, backspaces and line ends is ever written, so that it works in a terminal
that knows no control sequence, and a screen reader hears just what changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tui_tapback.domain.text import clean_text

from .keys import Key

HISTORY: Final = 500


class LineEditor:
    """``columns``: of the terminal at the moment. ``prompt`` stands before the text wherever it is written.

    ``press`` gives what to write; ``complete`` gives what ``text`` could become.
    """

    def __init__(self, columns: Callable[[], int], complete: Callable[[str], tuple[str, ...]]) -> None:
        self.text = ""
        self.cursor = 0
        self.prompt = ""
        self.hidden = False
        self._columns = columns
        self._complete = complete
        self._killed = ""
        self._past: list[str] = []
        self._at = 0
        self._whole = True
        """Whether all of the text stands on the screen."""

    def repeated(self) -> str:
        """The prompt and what was typed, up to the cursor where that is not at the end."""
        self._whole = self.cursor == len(self.text)
        return self.prompt + ("" if self.hidden else self.text[: self.cursor])

    def take(self) -> str:
        """The line is finished: returns it and begins a new one."""
        line = self.text
        if line.strip() and not self.hidden and line not in self._past[-1:]:
            self._past = [*self._past, line][-HISTORY:]
        self.clear()
        return line

    def clear(self, text: str = "") -> None:
        """Begin anew, with ``text`` in the line; nothing is written."""
        self.text, self.cursor = text, len(text)
        self._at = len(self._past)
        self._whole = True

    def press(self, key: Key) -> str:
        """Change the line; returns what to write for it."""
        match key.name:
            case "text" | "paste":
                return self._insert(_one_line(key.text))
            case "backspace":
                return self._to(self._left(), self.cursor)
            case "delete":
                return self._to(self.cursor, self._right())
            case "left":
                return self._become(self.text, self._left())
            case "right":
                return self._become(self.text, self._right())
            case "home":
                return self._become(self.text, 0)
            case "end":
                return self._become(self.text, len(self.text))
            case "word_left":
                return self._become(self.text, self._word_left())
            case "word_right":
                return self._become(self.text, self._word_right())
            case "kill_left" | "kill_right" | "kill_word" | "kill_word_right":
                return self._kill(key.name)
            case "yank":
                return self._insert(self._killed)
            case "up" | "down":
                return self._recall(-1 if key.name == "up" else 1)
            case "again":
                return "\n" + self.repeated()
            case "tab":
                return self._completed()
            case _:
                return ""

    # --- changes ---------------------------------------------------------------------------------------

    def _insert(self, text: str) -> str:
        new = self.text[: self.cursor] + text + self.text[self.cursor :]
        return self._become(new, self.cursor + len(text))

    def _to(self, begin: int, end: int) -> str:
        """Without what stands between the two places."""
        return self._become(self.text[:begin] + self.text[end:], begin)

    def _kill(self, name: str) -> str:
        begin, end = {
            "kill_left": (0, self.cursor),
            "kill_right": (self.cursor, len(self.text)),
            "kill_word": (self._word_left(), self.cursor),
            "kill_word_right": (self.cursor, self._word_right()),
        }[name]
        self._killed = self.text[begin:end] or self._killed
        return self._to(begin, end)

    def _recall(self, by: int) -> str:
        at = self._at + by
        if self.hidden or not 0 <= at <= len(self._past):
            return ""
        self._at = at
        text = self._past[at] if at < len(self._past) else ""
        return self._become(text, len(text))

    def _completed(self) -> str:
        found = () if self.hidden else self._complete(self.text[: self.cursor])
        if not found or self.cursor < len(self.text):
            return ""
        if len(found) == 1:
            return self._become(found[0] + " ", len(found[0]) + 1)
        begun = found[0][: min(_same(found[0], other) for other in found)]
        if len(begun) > len(self.text):
            return self._become(begun, len(begun))
        return "\n" + ", ".join(found) + "\n" + self.repeated()

    # --- places ----------------------------------------------------------------------------------------

    def _left(self) -> int:
        if self.text[: self.cursor].isascii():
            return max(0, self.cursor - 1)
        from wcwidth import iter_graphemes

        return self.cursor - len(list(iter_graphemes(self.text[: self.cursor]))[-1])

    def _right(self) -> int:
        rest = self.text[self.cursor :]
        if not rest or rest[:2].isascii():
            return min(len(self.text), self.cursor + 1)
        from wcwidth import iter_graphemes

        return self.cursor + len(next(iter(iter_graphemes(rest))))

    def _word_left(self) -> int:
        head = self.text[: self.cursor].rstrip()
        return head.rfind(" ") + 1

    def _word_right(self) -> int:
        place = self.cursor
        while place < len(self.text) and self.text[place] == " ":
            place += 1
        found = self.text.find(" ", place)
        return len(self.text) if found < 0 else found

    # --- writing ---------------------------------------------------------------------------------------

    def _become(self, text: str, cursor: int) -> str:
        before, at, whole = self.text, self.cursor, self._whole
        self.text, self.cursor = text, cursor
        if self.hidden:
            return ""
        if (before, at) == (text, cursor):
            return ""
        if whole and at == len(before) and text.startswith(before) and cursor == len(text):
            return text[len(before) :]
        if whole and self._plain(before) and self._plain(text):
            return _rewritten(before, at, text, cursor)
        # What a terminal makes of the width of this nobody knows: say it anew, one line further down.
        return "\n" + self.repeated()

    def _plain(self, text: str) -> bool:
        """Whether each character takes one cell, and all of them stand on one line."""
        narrow = text.isascii() or all("\u00c0" <= char <= "\u024f" or char.isascii() for char in text)
        return narrow and len(self.prompt) + len(text) < self._columns()


def _same(one: str, other: str) -> int:
    """How many characters the two begin with alike."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _rewritten(before: str, at: int, text: str, cursor: int) -> str:
    """From the one text with its cursor to the other, by backspaces and characters alone."""
    same = _same(before, text)
    if before == text:
        same = cursor
    steps = "\b" * (at - same) if same < at else before[at:same]
    if before == text:
        return steps
    tail = text[same:] + " " * (len(before) - len(text))
    return steps + tail + "\b" * (max(len(text), len(before)) - cursor)


def _one_line(text: str) -> str:
    return clean_text(text).replace("\n", " ").replace("\t", " ")
