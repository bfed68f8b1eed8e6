"""Which messages are drawn in a special way: selected, in a range, hovered, unfolded, with a new badge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from tui_tapback.domain.messages import Role
from tui_tapback.domain.parts import TOOLS_MOST
from tui_tapback.domain.reactions import Reaction
from tui_tapback.domain.values import record

from .look import PLAIN_LOOK, Look, Slot
from .roll import Roll

UNFOLDED_MOST = 1_000


@record
class Looks:
    """``lit``, ``hovered``: keys; ``part``: of the lit message; ``tool``: the tool row selected as a part;
    ``ranged``: keys of a selected range; ``popping``: by key the slots whose badges are new."""

    lit: str | None = None
    hovered: str | None = None
    part: int | None = None
    tool: str | None = None
    ranged: frozenset[str] = frozenset()
    popping: dict[str, frozenset[Slot]] = field(default_factory=dict[str, "frozenset[Slot]"])
    _unfolded: dict[str, None] = field(default_factory=dict[str, None])

    def is_unfolded(self, key: str) -> bool:
        """Whether what is usually folded of a message is shown."""
        return key in self._unfolded

    def unfold(self, keys: Iterable[str], *, unfolded: bool) -> None:
        """Show, or fold again, what is usually folded."""
        for key in keys:
            self._unfolded.pop(key, None)
            if unfolded:
                self._unfolded[key] = None
        while len(self._unfolded) > UNFOLDED_MOST:
            del self._unfolded[next(iter(self._unfolded))]

    def of(self, index: int, roll: Roll) -> Look:
        """How a message is to be drawn."""
        message = roll.entries[index].message
        key = message.key
        marks = _marks(index, roll) if message.role is Role.TOOL else ()
        lit = key == self.lit
        special = key in self._unfolded or key in self.ranged or key in self.popping
        if not (special or lit or marks or key in (self.hovered, self.tool)):
            return PLAIN_LOOK
        return Look(
            lit=lit or key == self.tool,
            ranged=key in self.ranged,
            hovered=key == self.hovered,
            unfolded=key in self._unfolded,
            part=self.part if lit else None,
            popping=self.popping.get(key, frozenset()),
            marks=marks,
        )


def tools_of(index: int, roll: Roll) -> list[int]:
    """The tool rows right before an answer."""
    first = index
    while first > max(0, index - TOOLS_MOST) and roll.entries[first - 1].message.role is Role.TOOL:
        first -= 1
    return list(range(first, index))


def _marks(index: int, roll: Roll) -> tuple[Reaction, ...]:
    """Reactions to a tool call: they lie in the answer that follows."""
    tool = roll.entries[index].message.tool
    if tool is None:
        return ()
    for after in range(index + 1, min(index + TOOLS_MOST, len(roll))):
        message = roll.entries[after].message
        if message.role is not Role.TOOL:
            if not message.reactions.items:
                return ()
            return tuple(r for r in message.reactions if r.part == f"tool.{tool.call_id}")
    return ()
