"""What the widgets ask of whoever turns emoji into cells; `terminal.cells.EmojiFitter` is the real one."""

from __future__ import annotations

from typing import Protocol


class Fitter(Protocol):
    """Emoji become text whose width Rich and the terminal agree on."""

    def fit_text(self, text: str, /) -> str:
        """Running text with every emoji in it made fit."""
        ...

    @property
    def fit(self) -> FitOne:
        """One emoji as exactly two cells."""
        ...


class FitOne(Protocol):
    """The call behind :attr:`Fitter.fit`; the real one is a cached bound function."""

    def __call__(self, emoji: str, /) -> str:
        """Exactly two cells for any string."""
        ...
