"""The plain text of a drawn message and where each character of it stands: what is searched and copied."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from rich.cells import cell_len

from tui_tapback.domain.values import record, value
from tui_tapback.terminal.graphemes import clusters

from ..markdown import Line, link_of, original


@value
class Link:
    """Characters ``start`` to ``stop`` of the text that lead to ``href``."""

    start: int
    stop: int
    href: str


@record
class _Row:
    """One line: at ``cells[i]`` begins what stands at ``offsets[i]``; the last entries are its end."""

    offsets: list[int]
    cells: list[int]


_ADDRESS = re.compile(r"\b(?:https?://|mailto:)[^\s<>\"'`]+[^\s<>\"'`.,;:!?)\]}]")
_HARMLESS = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)


class Prose:
    """Offsets count the characters of ``text``, rows and cells those of the lines it was made from.

    ``text`` has what the author wrote: stand-ins of emoji are put back, lines that only the width parted are
    joined again, what is decoration is left out.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._rows: list[_Row] = []
        self._links: list[Link] = []
        pieces: list[str] = []
        at = 0
        for number, line in enumerate(lines):
            if number:
                joint = "\n" if line.joint is None else line.joint
                pieces.append(joint)
                at += len(joint)
            row = _Row([at], [0])
            pieces += self._read(line, row)
            at = row.offsets[-1]
            self._rows.append(row)
        self.text = "".join(pieces)
        self._starts = [row.offsets[0] for row in self._rows]

    def _read(self, line: Line, row: _Row) -> Iterator[str]:
        """What a line says; fills ``row``."""
        offset, cell = row.offsets[0], 0
        for run in line.runs:
            began = offset
            stood_for = original(run)
            if stood_for is not None:
                yield stood_for
                offset, cell = offset + len(stood_for), cell + cell_len(run[0])
                row.offsets.append(offset)
                row.cells.append(cell)
            else:
                yield run[0]
                for cluster in clusters(run[0]):
                    offset, cell = offset + len(cluster), cell + cell_len(cluster)
                    row.offsets.append(offset)
                    row.cells.append(cell)
            if href := link_of(run):
                self._link(began, offset, href)

    def _link(self, start: int, stop: int, href: str) -> None:
        last = self._links[-1] if self._links else None
        if last is not None and last.href == href and self._between(last.stop, start):
            self._links[-1] = Link(last.start, stop, href)
        else:
            self._links.append(Link(start, stop, href))

    @staticmethod
    def _between(stop: int, start: int) -> bool:
        return 0 <= start - stop <= 1

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """What leads somewhere, in order: links of the author's, and bare addresses. Only web and mail."""
        found = [link for link in self._links if _HARMLESS.match(link.href)]
        for match in _ADDRESS.finditer(self.text):
            if not any(link.start < match.end() and match.start() < link.stop for link in found):
                found.append(Link(match.start(), match.end(), match.group()))
        return tuple(sorted(found, key=lambda link: link.start))

    def link_at(self, offset: int) -> str | None:
        """Where the character at ``offset`` leads."""
        return next((link.href for link in self.links if link.start <= offset < link.stop), None)

    def offset(self, row: int, cell: int) -> int:
        """The character at a cell; beside a line its nearest end."""
        if row < 0 or not self._rows:
            return 0
        if row >= len(self._rows):
            return len(self.text)
        line = self._rows[row]
        return line.offsets[max(0, bisect_right(line.cells, cell) - 1)]

    def place(self, offset: int) -> tuple[int, int]:
        """Row and cell of a character."""
        row = max(0, bisect_right(self._starts, offset) - 1)
        if not self._rows:
            return 0, 0
        line = self._rows[row]
        return row, line.cells[max(0, bisect_right(line.offsets, offset) - 1)]

    def spans(self, start: int, stop: int) -> list[tuple[int, int, int]]:
        """The cells of characters ``start`` to ``stop``: ``(row, first cell, cell behind the last)``."""
        found: list[tuple[int, int, int]] = []
        if start >= stop or not self._rows:
            return found
        for row in range(max(0, bisect_right(self._starts, start) - 1), len(self._rows)):
            line = self._rows[row]
            if line.offsets[0] >= stop:
                break
            first = line.cells[max(0, bisect_right(line.offsets, max(start, line.offsets[0])) - 1)]
            last = line.cells[max(0, bisect_right(line.offsets, min(stop, line.offsets[-1])) - 1)]
            if first < last:
                found.append((row, first, last))
        return found

    def found(self, query: str) -> list[tuple[int, int]]:
        """Where ``query`` stands, whatever the case and wherever its lines break: start and end."""
        words = query.split()
        if not words:
            return []
        pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
        return [match.span() for match in pattern.finditer(self.text)]
