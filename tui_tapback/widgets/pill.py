"""The tapback pill as a value: its slots, its cursor, where it fits on the screen and how it is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rich.style import Style

from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.domain.values import value

from .badges import face
from .fitter import Fitter

HEIGHT = 3
PLUS = "+"
Run = tuple[str, Style]


@value
class PillStyles:
    """``surface`` is the pill's face, ``cursor`` the slot the keys are on, ``own`` what the user has set."""

    border: Style
    surface: Style
    cursor: Style
    own: Style
    hint: Style


@value
class Pill:
    """An open pill. ``key`` is the message it was opened for, and stays it.

    ``slots`` are the quick reactions and, where there is one, the suggestion; after them comes ``+``.
    ``cursor`` counts over both, ``labels`` are the keys of the slots where they are not their numbers.
    ``reactions`` are what the message bears at this moment.
    """

    key: str
    slots: tuple[str, ...]
    reactions: ReactionSet
    cursor: int = 0
    labels: tuple[str, ...] = ()

    @classmethod
    def opened(cls, key: str, quick: tuple[str, ...], suggestion: str | None, reactions: ReactionSet) -> Pill:
        """A pill with the cursor on what the user has already set, else on the first slot."""
        slots = quick if suggestion is None or suggestion in quick else (*quick, suggestion)
        pill = cls(key, slots, reactions)
        own = pill.own
        return replace(pill, cursor=slots.index(own.emoji)) if own and own.emoji in slots else pill

    @property
    def own(self) -> Reaction | None:
        """What the user has set on the whole message."""
        return self.reactions.by(Author.USER)

    @property
    def on_plus(self) -> bool:
        """Whether the cursor is on ``+``."""
        return self.cursor == len(self.slots)

    @property
    def emoji(self) -> str | None:
        """The emoji under the cursor, None on ``+``."""
        return None if self.on_plus else self.slots[self.cursor]

    def moved(self, delta: int) -> Pill:
        """The cursor ``delta`` slots further, round at the ends."""
        return replace(self, cursor=(self.cursor + delta) % (len(self.slots) + 1))

    def at(self, cursor: int) -> Pill:
        """The cursor on slot ``cursor``."""
        return replace(self, cursor=max(0, min(cursor, len(self.slots))))

    def following(self, reactions: ReactionSet) -> Pill:
        """The same pill over changed reactions."""
        return self if reactions is self.reactions else replace(self, reactions=reactions)

    def slot_width(self, room: int) -> int:
        """Cells of one slot so that the pill fits into ``room`` cells: 4, or 3 where it is tight."""
        return 4 if self.width(4) <= room else 3

    def width(self, slot: int) -> int:
        """Cells of the whole pill with slots of ``slot`` cells."""
        return slot * len(self.slots) + 3 + 2

    def draw(self, slot: int, fitter: Fitter, styles: PillStyles) -> list[list[Run]]:
        """Three rows: a dot above the user's own, the faces with brackets round the cursor, the numbers."""
        top = "╭"
        middle: list[Run] = [("│", styles.border)]
        bottom: list[Run] = [("╰", styles.border)]
        own = self.own.emoji if self.own else None
        for index, emoji in enumerate(self.slots):
            here = index == self.cursor
            mine = emoji == own
            style = styles.cursor if here else styles.own if mine else styles.surface
            opening, closing = ("[", "]") if here else (" ", " ")
            middle.append(((opening + face(emoji, fitter) + closing)[: None if slot == 4 else -1], style))
            dot = "●" if mine else "─"
            top += f"─{dot}{'─' * (slot - 2)}"
            # One run from number to number: each run costs the key that opens the pill.
            bottom[-1] = (bottom[-1][0] + "─", styles.border)
            bottom += [(self.label(index), styles.hint), ("─" * (slot - 2), styles.border)]
        middle.append(
            (f"[{PLUS}]" if self.on_plus else f" {PLUS} ", styles.cursor if self.on_plus else styles.surface)
        )
        middle.append(("│", styles.border))
        bottom[-1] = (bottom[-1][0] + "───╯", styles.border)
        return [[(f"{top}───╮", styles.border)], middle, bottom]

    def label(self, index: int) -> str:
        """What stands below a slot, one cell: its key."""
        label = self.labels[index] if index < len(self.labels) else str(index + 1)
        return label if len(label) == 1 else "─"

    def hit(self, x: int, y: int, slot: int) -> int | None:
        """The slot (or ``len(slots)`` for ``+``) at a cell of the pill, None on its border."""
        if y != 1 or not 0 < x < self.width(slot) - 1:
            return None
        return min((x - 1) // slot, len(self.slots))


def place(
    bubble: tuple[int, int, int, int], side: Literal["left", "right"], size: tuple[int, int], width: int
) -> tuple[int, int]:
    """Top left cell of a pill of ``width`` cells near ``bubble`` (x, y, width, height; y may be off screen).

    Above the bubble if there is room, else below it, else over it; always wholly inside ``size`` when the
    screen is large enough at all.
    """
    x, y, bubble_width, bubble_height = bubble
    columns, rows = size
    left = x if side == "left" else x + bubble_width - width
    left = max(0, min(left, columns - width))
    if y - HEIGHT >= 0:
        top = min(y - HEIGHT, rows - HEIGHT)
    elif y + bubble_height + HEIGHT <= rows:
        top = y + bubble_height
    else:
        top = min(max(0, y + 1), rows - HEIGHT)
    return left, max(0, top)
