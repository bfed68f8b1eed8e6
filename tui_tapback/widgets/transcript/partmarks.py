"""Draws what concerns parts of a message beside its lines: reactions to them, and which one is selected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual.strip import Strip

from tui_tapback.domain.parts import resolve
from tui_tapback.domain.reactions import Author, Reaction

from ..badges import face
from ..fitter import Fitter
from ..markdown import Run
from .look import Look
from .overlay import overlay

if TYPE_CHECKING:
    from .painter import Block, Surface

MARK_CELLS: Final = 2
MARKS_MOST: Final = 2


def light_part(block: Block, look: Look, surface: Surface, fitter: Fitter) -> None:
    """Lay the marks of reactions to parts beside their first rows, and a bar beside the selected part."""
    reactions = [reaction for reaction in block.message.reactions if reaction.part is not None]
    if block.bubble is None or (look.part is None and not reactions):
        return
    left, top, width, height = block.bubble
    mine = block.message.role.author is Author.USER
    if look.part is not None:
        bar = surface.patch([("▌" if mine else "▐", surface.palette.selected)])
        x = left + width - 1 if mine else left
        for row in block.rows_of(look.part):
            block.strips[row] = overlay(block.strips[row], x, bar)
    rows: dict[int, list[Reaction]] = {}
    for reaction in reactions:
        anchor = reaction.part or ""
        if anchor.startswith("tool."):
            continue  # it stands at the tool's own row
        part = resolve(anchor, block.parts)
        row = top + 1 if part is None else top + 1 + block.parts[part].row
        rows.setdefault(min(row, top + height - 2), []).append(reaction)
    for row, some in rows.items():
        if mine:
            room = left - 1
            x = left - min(room, _width(some, surface)) if room >= MARK_CELLS else left
        else:
            room = surface.width - 1 - left - width
            x = left + width if room >= MARK_CELLS else left + width - MARK_CELLS
        fitting = some[-1:] if room < _width(some, surface) else some
        block.strips[row] = draw_marks(block.strips[row], x, fitting, surface, fitter)


def _width(reactions: Sequence[Reaction], surface: Surface) -> int:
    each = MARK_CELLS + (2 if surface.palette.badges.bracketed else 0)
    return each * min(len(reactions), MARKS_MOST)


def draw_marks(
    strip: Strip, x: int, reactions: Sequence[Reaction], surface: Surface, fitter: Fitter
) -> Strip:
    """The strip with small marks from cell ``x`` on: two cells each, bracketed where colours tell nothing."""
    styles = surface.palette.badges
    runs: list[Run] = []
    for reaction in reactions[-MARKS_MOST:]:
        text = face(reaction.emoji, fitter)
        if styles.bracketed and x + sum(cell_len(run[0]) for run in runs) + 4 <= surface.width:
            opening, closing = "[]" if reaction.author is Author.USER else "()"
            text = opening + text + closing
        runs.append((text, styles.of(reaction)))
    return overlay(strip, x, surface.patch(runs))
