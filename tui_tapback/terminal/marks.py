"""Gives vowel signs of Hindi and its kind the cell in Rich's measure that most terminals give them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

import rich.cells
from rich._unicode_data import load
from rich.cells import CellTable

_SCRIPTS: Final = (("\u0900", "\u1cff"), ("\ua800", "\uabff"), ("\U00010a00", "\U0001613f"))
_LOADER: Final = "load_cell_table"


def install() -> None:
    """Make Rich, and with it Textual, count one cell for each spacing vowel sign (class ``Mc``).

    tmux, xterm, VTE and all that ask the C library give them one; Rich counts none, and what stood behind it
    on the line would be lost there. Terminals that join such words need fewer cells, and ``anchoring`` leaves
    the others blank. Process-wide, before anything is measured; a second call changes nothing.
    """
    if rich.cells.cell_len("\u093f"):
        return

    @lru_cache(None)
    def with_signs(unicode_version: str = "auto") -> CellTable:
        table = load(unicode_version)
        return table._replace(widths=tuple(_spaced(table.widths)))

    setattr(rich.cells, _LOADER, with_signs)
    rich.cells.get_character_cell_size.cache_clear()
    rich.cells.cached_cell_len.cache_clear()


def _spaced(widths: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """The same spans, cut where within one without cells there are signs that need one."""
    for start, end, width in widths:
        if width or not _doubted(start):
            yield start, end, width
            continue
        for needs_cell, run in groupby(range(start, end + 1), _is_spacing):
            points = list(run)
            yield points[0], points[-1], int(needs_cell)


def _is_spacing(point: int) -> bool:
    return unicodedata.category(chr(point)) == "Mc"


def _doubted(point: int) -> bool:
    return any(first <= chr(point) <= last for first, last in _SCRIPTS)
