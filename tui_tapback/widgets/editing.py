"""Text with a caret, edited by grapheme clusters: the model behind the composer and the search line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tui_tapback.domain.values import value
from tui_tapback.terminal.graphemes import next_boundary, previous_boundary, snap


@value
class EditState:
    """``text`` with a caret at offset ``caret``; the selection reaches from ``anchor`` to the caret.

    Offsets count code points and always stand between grapheme clusters. Every method gives a new state.
    """

    text: str = ""
    caret: int = 0
    anchor: int = 0

    @classmethod
    def at_end(cls, text: str) -> EditState:
        """``text`` with the caret behind it."""
        return cls(text, len(text), len(text))

    @property
    def selection(self) -> tuple[int, int]:
        """Start and end of what is selected; equal when nothing is."""
        return (self.anchor, self.caret) if self.anchor <= self.caret else (self.caret, self.anchor)

    @property
    def selected(self) -> str:
        """The selected text."""
        start, end = self.selection
        return self.text[start:end]

    def insert(self, piece: str) -> EditState:
        """Put ``piece`` in the place of the selection; the caret stands behind it."""
        start, end = self.selection
        return self.replace(start, end, piece)

    def replace(self, start: int, end: int, piece: str) -> EditState:
        """Put ``piece`` in the place of ``text[start:end]``.

        A piece may join what stands beside it to one cluster (a tone after a hand); the caret then
        stands behind the whole cluster.
        """
        text = self.text[:start] + piece + self.text[end:]
        caret = start + len(piece)
        behind = snap(text, caret)
        return self.of(text, caret if behind == caret else next_boundary(text, behind))

    @staticmethod
    def of(text: str, caret: int) -> EditState:
        """``text`` with a caret and nothing selected."""
        return EditState(text, caret, caret)

    def move(self, caret: int, *, select: bool = False) -> EditState:
        """The caret at ``caret`` (clamped, never inside a cluster); ``select`` keeps the anchor."""
        caret = snap(self.text, max(0, min(caret, len(self.text))))
        return replace(self, caret=caret, anchor=self.anchor if select else caret)

    def left(self, *, select: bool = False) -> EditState:
        """One cluster to the left; without ``select`` a selection collapses to its start."""
        if not select and self.anchor != self.caret:
            return self.move(self.selection[0])
        return self.move(previous_boundary(self.text, self.caret), select=select)

    def right(self, *, select: bool = False) -> EditState:
        """One cluster to the right; without ``select`` a selection collapses to its end."""
        if not select and self.anchor != self.caret:
            return self.move(self.selection[1])
        return self.move(next_boundary(self.text, self.caret), select=select)

    def word_left(self, *, select: bool = False) -> EditState:
        """To the start of the word at or before the caret."""
        at = self.caret
        while at > 0 and not _in_word(self.text[at - 1]):
            at -= 1
        while at > 0 and _in_word(self.text[at - 1]):
            at -= 1
        return self.move(at, select=select)

    def word_right(self, *, select: bool = False) -> EditState:
        """To the end of the word at or after the caret."""
        at, end = self.caret, len(self.text)
        while at < end and not _in_word(self.text[at]):
            at += 1
        while at < end and _in_word(self.text[at]):
            at += 1
        return self.move(_up(self.text, at), select=select)

    def line_start(self, *, select: bool = False) -> EditState:
        """To the start of the line."""
        return self.move(self.text.rfind("\n", 0, self.caret) + 1, select=select)

    def line_end(self, *, select: bool = False) -> EditState:
        """To the end of the line."""
        end = self.text.find("\n", self.caret)
        return self.move(len(self.text) if end < 0 else end, select=select)

    def select_all(self) -> EditState:
        """Everything selected, the caret at the end."""
        return EditState(self.text, len(self.text), 0)

    def delete_left(self) -> EditState:
        """Remove the selection or else the cluster before the caret."""
        return self._cut(self.left(select=True))

    def delete_right(self) -> EditState:
        """Remove the selection or else the cluster behind the caret."""
        return self._cut(self.right(select=True))

    def delete_word_left(self) -> EditState:
        """Remove the selection or else back to the start of the word."""
        return self._cut(self.word_left(select=True))

    def delete_word_right(self) -> EditState:
        """Remove the selection or else up to the end of the word."""
        return self._cut(self.word_right(select=True))

    def delete_to_line_start(self) -> EditState:
        """Remove the selection or else what stands before the caret in its line (at its start: the break)."""
        reached = self.line_start(select=True)
        return self._cut(reached if reached.caret != self.caret else self.left(select=True))

    def delete_to_line_end(self) -> EditState:
        """Remove the selection or else what stands behind the caret in its line (at its end: the break)."""
        reached = self.line_end(select=True)
        return self._cut(reached if reached.caret != self.caret else self.right(select=True))

    def _cut(self, reached: EditState) -> EditState:
        return (self if self.anchor != self.caret else reached).insert("")


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _up(text: str, offset: int) -> int:
    """``offset``, or the end of the cluster it would stand inside of."""
    before = snap(text, offset)
    return offset if before == offset else next_boundary(text, before)


Step = Callable[[EditState], EditState]


def _selecting(move: Callable[..., EditState]) -> Step:
    return lambda state: move(state, select=True)


STEPS: Final[dict[str, Step]] = {
    "left": EditState.left,
    "right": EditState.right,
    "word_left": EditState.word_left,
    "word_right": EditState.word_right,
    "line_start": EditState.line_start,
    "line_end": EditState.line_end,
    "select_left": _selecting(EditState.left),
    "select_right": _selecting(EditState.right),
    "select_word_left": _selecting(EditState.word_left),
    "select_word_right": _selecting(EditState.word_right),
    "select_line_start": _selecting(EditState.line_start),
    "select_line_end": _selecting(EditState.line_end),
    "select_all": EditState.select_all,
    "delete_left": EditState.delete_left,
    "delete_right": EditState.delete_right,
    "delete_word_left": EditState.delete_word_left,
    "delete_word_right": EditState.delete_word_right,
    "delete_to_line_start": EditState.delete_to_line_start,
    "delete_to_line_end": EditState.delete_to_line_end,
}
"""Everything that only changes the text, the caret or the selection, by name."""


class UndoStack:
    """What was there before, newest last; typing in a row is undone as one step."""

    def __init__(self, depth: int = 200, room: int = 4_000_000) -> None:
        """Keeps at most ``depth`` steps and, but for the last one, ``room`` characters."""
        self._depth = depth
        self._room = room
        self._past: list[EditState] = []
        self._future: list[EditState] = []
        self._typing = False

    def record(self, before: EditState, after: EditState, *, typing: bool = False) -> None:
        """Remember that ``before`` became ``after``; ``typing`` joins it to typing just before."""
        if before.text == after.text:
            return
        self._future.clear()
        if not (typing and self._typing and self._past):
            self._past.append(before)
            del self._past[: -self._depth]
            while len(self._past) > 1 and sum(len(state.text) for state in self._past) > self._room:
                del self._past[0]
        self._typing = typing and not after.text[after.caret - 1 : after.caret].isspace()

    def pause(self) -> None:
        """What is typed next is a step of its own (the caret was moved)."""
        self._typing = False

    def undo(self, present: EditState) -> EditState:
        """The state before the last step, or ``present`` if there is none."""
        return self._swap(self._past, self._future, present)

    def redo(self, present: EditState) -> EditState:
        """The state that the last undo left, or ``present`` if there is none."""
        return self._swap(self._future, self._past, present)

    def clear(self) -> None:
        """Forget everything."""
        self._past.clear()
        self._future.clear()
        self._typing = False

    def _swap(self, source: list[EditState], target: list[EditState], present: EditState) -> EditState:
        self._typing = False
        if not source:
            return present
        target.append(present)
        return source.pop()
