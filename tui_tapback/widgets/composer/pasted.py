"""Folds what is pasted in large pieces into a marker, and unfolds it when it is sent; pure."""

from __future__ import annotations

from typing import Final

from tui_tapback.words import _, plural

LINES: Final = 12
CHARS: Final = 2000
"""A paste with more lines or characters than these is folded."""


class Pasted:
    """The folded pieces by their markers. A marker stands for its piece wherever it still stands whole."""

    def __init__(self) -> None:
        self._pieces: dict[str, str] = {}

    def fold(self, piece: str) -> str:
        """A marker for a large piece; a small one as it is."""
        lines = piece.count("\n") + 1
        if lines <= LINES and len(piece) <= CHARS:
            return piece
        size = (
            plural("{count} line", "{count} lines", lines).format(count=lines)
            if lines > 1
            else plural("{count:,} character", "{count:,} characters", len(piece)).format(count=len(piece))
        )
        marker = _("[Pasted {number} · {size}]").format(number=len(self._pieces) + 1, size=size)
        self._pieces[marker] = piece
        return marker

    def unfold(self, text: str) -> str:
        """``text`` with every piece in the place of its marker."""
        for marker, piece in self._pieces.items():
            text = text.replace(marker, piece)
        return text

    def marker_in(self, text: str, piece: str) -> str:
        """The marker of that very piece in ``text``, "" for none: pasted once more it is wanted unfolded."""
        found = (m for m, p in self._pieces.items() if p == piece and m in text)
        return next(found, "")
