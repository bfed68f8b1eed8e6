"""Draws a bubble's frame around its lines; badges and signs live in the border and never make it grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from rich.cells import cell_len
from rich.style import Style

from tui_tapback.domain.values import value
from tui_tapback.terminal.graphemes import crop

from ..badges import BadgeStack
from ..markdown import Line, Run

MIN_WIDTH: Final = 12
ROUND: Final = "╭─╮│╰╯"
HEAVY: Final = "┏━┓┃┗┛"
HEAVY_ASCII: Final = "#=####"
"""Where lines become plus and minus, heavy ones would look like all others."""
SMILE: Final = "☺"
NO_BADGES: Final = BadgeStack((), (), 0)


@value
class BubbleLook:
    """How it looks. ``label`` stands in the bottom border; ``smile`` offers the pill at the free corner."""

    border: Style
    hint: Style
    heavy: bool = False
    label: Run | None = None
    smile: bool = False
    ascii_only: bool = False


@value
class Frame:
    """The frame of a bubble of ``width`` cells: first and last row, and what stands beside each line.

    ``badges_at`` and ``smile_at`` are cells of the first row.
    """

    width: int
    first: list[Run]
    last: list[Run]
    left: Run
    right: Run
    badges_at: int
    smile_at: int | None

    def row(self, line: Line) -> list[Run]:
        """A line of the body between the borders, exactly ``width`` cells."""
        space = self.width - 4 - line.width
        if space <= 0:
            return [self.left, *line.runs, self.right]
        character, style = line.fill or (" ", Style.null())
        return [self.left, *line.runs, (character * space, style), self.right]


def bubble_width(body: Sequence[Line], label: Run | None, limit: int) -> int:
    """Outer cells for a body: at least 12, at most ``limit``."""
    wanted = max((line.width for line in body), default=0) + 4
    if label is not None:
        wanted = max(wanted, cell_len(label[0]) + 2)
    return max(MIN_WIDTH, min(wanted, limit))


def draw_frame(
    body: Sequence[Line], side: Literal["left", "right"], look: BubbleLook, stack: BadgeStack, limit: int
) -> Frame:
    """Draw a bubble on one side of the chat; its badges are at the corner away from that side.

    ``body`` lines are at most ``limit`` - 4 cells wide.
    """
    width = bubble_width(body, look.label, limit)
    heavy = HEAVY_ASCII if look.ascii_only else HEAVY
    top_left, across, top_right, down, bottom_left, bottom_right = heavy if look.heavy else ROUND
    badges = list(stack.runs)
    smile: list[Run] = [(SMILE, look.hint)] if look.smile else []
    line = across * (width - 1 - (stack.width or 1) - len(smile))
    if side == "right":
        start: list[Run] = badges or [(top_left, look.border)]
        first = [*start, (line, look.border), *smile, (top_right, look.border)]
        badges_at, smile_at = 0, width - 2
    else:
        end: list[Run] = badges or [(top_right, look.border)]
        first = [(top_left, look.border), *smile, (line, look.border), *end]
        badges_at, smile_at = width - stack.width, 1
    last = _bottom(width, look, bottom_left, across, bottom_right)
    left, right = (down + " ", look.border), (" " + down, look.border)
    return Frame(width, first, last, left, right, badges_at, smile_at if smile else None)


def _bottom(width: int, look: BubbleLook, left: str, across: str, right: str) -> list[Run]:
    if look.label is None:
        return [(left + across * (width - 2) + right, look.border)]
    text = crop(look.label[0], width - 2)
    line = across * (width - 2 - cell_len(text))
    return [(left + line, look.border), (text, look.label[1]), (right, look.border)]
