"""The pieces of an answer that is being written, put together."""

from __future__ import annotations

from tui_tapback.domain.text import clean_text

from .inputs import whole_characters


class Draft:
    """Text and reasoning of one row so far.

    A stream may cut a character outside the basic plane in two: the first half waits for the second.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._thoughts: list[str] = []
        self._half = ""
        self.visible = False

    def add(self, delta: str) -> str:
        """Take a piece; returns what of it can be shown now."""
        delta, self._half = self._half + delta, ""
        if delta and "\ud800" <= delta[-1] <= "\udbff":
            delta, self._half = delta[:-1], delta[-1]
        delta = whole_characters(delta)
        if delta:
            self._pieces.append(delta)
            self.visible = self.visible or not delta.isspace()
        return delta

    def think(self, delta: str) -> str:
        """Take a piece of reasoning; returns it fit for the wire."""
        delta = whole_characters(delta)
        self._thoughts.append(delta)
        return delta

    @property
    def raw(self) -> str:
        """The text as the model wrote it."""
        return whole_characters("".join(self._pieces) + self._half)

    @property
    def text(self) -> str:
        """The text for people; empty as long as nothing in it can be seen."""
        return clean_text("".join(self._pieces)) if self.visible else ""

    @property
    def reasoning(self) -> str:
        """The reasoning for people."""
        return clean_text("".join(self._thoughts))
