"""The screen as the program means it: a terminal that gives every text the cells that Rich counts for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len

from tui_tapback.terminal import marks
from tui_tapback.terminal.graphemes import clusters

TAPPED = frozenset("│┃╭╮╰╯┏┓┗┛┌┐└┘")
"""Borders whose column shows whether what stands left of them took the cells that were meant."""
_TOKEN = re.compile(
    r"\x1b\[(?P<csi>[0-9;:<=>?]*[ -/]*[@-~])|\x1b[\]P_^][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[78=>]"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f]|\x1bM)|(?P<text>[^\x00-\x1f\x1b]+)"
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-9;:<=>?]*[ -/]*|[\]P_^][^\x07\x1b]*\x1b?)?\Z")


class NotUnderstood(Exception):
    """The program wrote something that moves the cursor and that this screen does not know."""


@dataclass(frozen=True, slots=True)
class Tap:
    """A border that is about to be drawn: the place that is meant, counted from 1, and what is left of it."""

    row: int
    column: int
    border: str
    before: str


class IdealScreen:
    """Knows what Textual and the probe of tui_tapback write, and nothing else.

    ``pinned``: a driver writes a blank after each narrow character with U+FE0F.
    """

    def __init__(self, columns: int, lines: int, *, pinned: bool = False) -> None:
        marks.install()  # as the program measures
        self._pinned = pinned
        self.columns, self.lines = columns, lines
        self.cells: list[list[str]] = []
        self._rest = ""
        self._row = self._column = 0
        self._margins = 0, lines - 1  # the rows that move when the cursor leaves them
        self._concealed = False
        self._clear()

    @property
    def text(self) -> str:
        """The screen, a line for each row."""
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def feed(self, output: str) -> Iterator[str | Tap]:
        """``output`` in pieces, with a ``Tap`` before each border; what is cut at the end waits."""
        output = self._rest + output
        cut = _UNFINISHED.search(output)
        output, self._rest = (output[: cut.start()], output[cut.start() :]) if cut else (output, "")
        position = 0
        while position < len(output):
            token = _TOKEN.match(output, position)
            if token is None:
                raise NotUnderstood(repr(output[position : position + 20]))
            position = token.end()
            if (text := token["text"]) is not None:
                yield from self._write(text)
                continue
            if (sequence := token["csi"]) is not None:
                self._obey(sequence)
            elif token["control"] == "\r":
                self._column = 0
            elif token["control"] == "\n":
                self._down()
            elif token["control"] == "\x1bM":
                self._up()
            elif token["control"] not in (None, "\x07"):
                raise NotUnderstood(repr(token[0]))
            yield token[0]

    def _write(self, text: str) -> Iterator[str | Tap]:
        start, blanks, narrow = self._column, 0, False
        for cluster in clusters(text):
            if narrow and cluster == " ":  # the driver's: the program knows nothing of it
                narrow = False
                blanks += 1
                yield cluster
                continue
            narrow = self._pinned and cluster[1:2] == "\ufe0f" and cell_len(cluster[0]) == 1
            if cluster in TAPPED and not self._concealed:
                before = "".join(self.cells[self._row][: self._column])
                yield Tap(self._row + 1, self._column + 1, cluster, before)
            yield cluster
            self._put(cluster, cell_len(cluster))
        self._column = start + cell_len(text) - blanks

    def _put(self, cluster: str, width: int) -> None:
        row = self.cells[self._row]
        for offset in range(width):
            if self._column + offset < self.columns:
                row[self._column + offset] = "" if offset else cluster
        self._column += width

    def _down(self) -> None:
        first, last = self._margins
        if self._row == last:
            self.cells[first : last + 1] = [*self.cells[first + 1 : last + 1], [" "] * self.columns]
        else:
            self._row = min(self._row + 1, self.lines - 1)

    def _up(self) -> None:
        first, last = self._margins
        if self._row == first:
            self.cells[first : last + 1] = [[" "] * self.columns, *self.cells[first:last]]
        else:
            self._row = max(self._row - 1, 0)

    def _obey(self, sequence: str) -> None:
        numbers = [int(each) if each.isdigit() else 0 for each in sequence[:-1].split(";")]
        match sequence[-1]:
            case "H" | "f":
                self._row = max(1, numbers[0]) - 1
                self._column = max(1, numbers[1] if len(numbers) > 1 else 1) - 1
            case "G":
                self._column = max(1, numbers[0]) - 1
            case "J" | "K" | "h" | "l" if sequence[0] in "?<=>":
                if sequence in ("?1049h", "?1049l"):
                    self._clear()
            case "J":
                self._clear()
            case "K":
                first = self._column if numbers[0] == 0 else 0
                self.cells[self._row][first:] = [" "] * (self.columns - first)
            case "m" if sequence[0] not in "<=>?":
                self._concealed = 8 in numbers and 38 not in numbers and 48 not in numbers
            case "r" if sequence[0] not in "<=>?":
                last = numbers[1] if len(numbers) > 1 else 0
                self._margins = max(1, numbers[0]) - 1, (last or self.lines) - 1
                self._row = self._column = 0
            case "m" | "n" | "p" | "u" | "c" | "q" | "t" | "z":
                pass  # questions and modes: nothing moves
            case _:
                raise NotUnderstood(f"CSI {sequence}")

    def _clear(self) -> None:
        self.cells = [[" "] * self.columns for _ in range(self.lines)]
