"""How one message is to be drawn at this moment: selected, hovered, unfolded, with which badges popping."""

from __future__ import annotations

from typing import Final

from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.values import value

Slot = tuple[Author, str | None]


@value
class Look:
    """What is drawn differently though the message is the same. Only ``unfolded`` changes its height.

    ``lit``: selected; ``ranged``: within a selected range; ``part``: which of its parts is selected;
    ``popping``: slots whose badge is new; ``marks``: reactions to a tool row, which lie in its answer.
    """

    lit: bool = False
    ranged: bool = False
    hovered: bool = False
    unfolded: bool = False
    part: int | None = None
    popping: frozenset[Slot] = frozenset()
    marks: tuple[Reaction, ...] = ()


PLAIN_LOOK: Final = Look()
