"""Walking through the parts of the selected message: its paragraphs, code blocks, and its tool calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.parts import Part, known_anchor, resolve, tool_part
from tui_tapback.domain.reactions import ReactionSet

from ..fitter import Fitter
from .attention import AttentionView
from .looks import tools_of
from .roll import Changes, Entry


def reactions_to(reactions: ReactionSet, anchor: str | None) -> ReactionSet:
    """The reactions to one part as if it were the whole message; with None those to the whole message."""
    if anchor is None:
        return reactions
    return ReactionSet.of(replace(each, part=None) for each in reactions if each.part == anchor)


class PartView(AttentionView):
    """A view in which a part of the selected message may be selected."""

    def __init__(self, fitter: Fitter, **options: Any) -> None:
        super().__init__(fitter, **options)
        self._part: Part | None = None

    @property
    def part(self) -> Part | None:
        """The selected part of the selected message, None for the message as a whole."""
        return self._part

    def aim(self, message: Message) -> Part | None:
        """What a reaction to ``message`` is meant for now: the selected part if it is one of its."""
        return self._part if message.key == self.selected else None

    def _walkable(self) -> list[tuple[Part, int | None]]:
        """The parts of the selected message, its tools first; each with the index of its tool's row."""
        roll = self.sheet.roll
        index = roll.index(self.selected)
        if index is None or self.sheet.painter is None:
            return []
        block = self.sheet.block(index)
        parts: list[tuple[Part, int | None]] = []
        if block.message.role is Role.ASSISTANT:
            parts = [(tool_part(roll.entries[at].message), at) for at in tools_of(index, roll)]
        if len(block.parts) > 1 or parts:
            parts += [(part, None) for part in block.parts]
        return parts

    def walk_parts(self, delta: int) -> bool:
        """Select the next part, or behind the last one the whole message again; False where there is none."""
        parts = self._walkable()
        if not parts:
            return False
        following = (self._place_among(parts) + 1 + delta) % (len(parts) + 1) - 1
        if following < 0:
            self.leave_part()
        else:
            self._select_part(*parts[following])
        return True

    def _place_among(self, parts: Sequence[tuple[Part, int | None]]) -> int:
        """Which of them is selected, -1 for none; by its place, for several may have the same words."""
        looks, entries = self.sheet.looks, self.sheet.roll.entries
        if looks.part is not None:
            return sum(tool is not None for _, tool in parts) + looks.part
        rows = enumerate(parts)
        return next(
            (at for at, (_, tool) in rows if tool is not None and entries[tool].message.key == looks.tool), -1
        )

    def _select_part(self, part: Part, tool: int | None) -> None:
        sheet = self.sheet
        index = sheet.roll.index(self.selected)
        if index is None:
            return
        message = sheet.roll.entries[index].message
        block = sheet.block(index)
        at = None if tool is not None else next(n for n, each in enumerate(block.parts) if each is part)
        self._part = replace(part, anchor=known_anchor(part, at, message.reactions, block.parts))
        sheet.looks.part = at
        sheet.looks.tool = sheet.roll.entries[tool].message.key if tool is not None else None
        if tool is not None:
            sheet.window.show_row(tool, 0)
        else:
            rows = block.rows_of(at or 0)
            sheet.window.show_row(
                index, max(rows.start, min(rows.stop, rows.start + sheet.window.rows // 2) - 1)
            )
            sheet.window.show_row(index, rows.start)
        self.repaint()

    def leave_part(self) -> bool:
        """Mean the whole message again; tells whether a part was selected."""
        was, self._part = self._part is not None, None
        self.sheet.looks.part = self.sheet.looks.tool = None
        if was:
            self.repaint()
        return was

    def took(self, old: Sequence[Entry], changes: Changes) -> None:
        """A part goes with the words that it was."""
        super().took(old, changes)
        looks = self.sheet.looks
        if self._part is None or looks.part is None:
            return
        index = self.sheet.roll.index(self.selected)
        if index is None or self.sheet.painter is None:
            self.leave_part()
            return
        looks.part = resolve(self._part.anchor, self.sheet.block(index).parts)
        if looks.part is None:
            self.leave_part()
