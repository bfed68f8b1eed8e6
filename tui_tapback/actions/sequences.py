"""Keys one after the other: holds the first of two until the second comes, for one place at a time."""

from __future__ import annotations

from typing import Final

from tui_tapback.domain.values import value
from tui_tapback.words import _

from .action import Action
from .contexts import Context
from .keymap import Decision, Keymap, decide
from .showing import show_key

PATIENCE: Final = 2.0
"""Seconds that the second key is waited for."""


@value
class Begun:
    """The first of two keys was pressed; ``next`` are the second ones and what each pair does."""

    key: str
    next: tuple[tuple[str, Action], ...]

    @property
    def told(self) -> str:
        """``Ctrl+X …  Ctrl+C Quit · B Sessions``."""
        ways = " · ".join(f"{show_key(key)} {_(item.title)}" for key, item in self.next)
        return f"{show_key(self.key)} …  {ways}"


class Sequences:
    """Turns pressed keys into decisions by ``keymap``; ``standard`` is what the widgets know."""

    def __init__(self, keymap: Keymap, standard: Keymap) -> None:
        self.keymap = keymap
        self._standard = standard
        self._begun: tuple[Context, str] | None = None

    @property
    def waiting(self) -> bool:
        """Whether a second key is waited for."""
        return self._begun is not None

    def forget(self) -> None:
        """The second key does not come."""
        self._begun = None

    def press(self, context: Context, key: str) -> Decision | Begun:
        """What a key means there. A pair that means nothing is dropped; with Esc none means anything."""
        begun, self._begun = self._begun, None
        if begun is not None and begun[0] is context:
            chord = (begun[1], key)
            return decide(self.keymap, self._standard, context, chord)
        if following := self.keymap.begun(context, key):
            self._begun = (context, key)
            return Begun(key, following)
        return decide(self.keymap, self._standard, context, (key,))
