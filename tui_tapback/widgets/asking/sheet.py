"""What stands on a card, and what the person has done with it so far; pure."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Final

from tui_tapback.domain.values import value
from tui_tapback.widgets.editing import EditState
from tui_tapback.words import mark

MASK: Final = "•"


@value
class Option:
    """One answer: the key that gives it, its value for the app, and what it is called.

    ``shown`` is how the key is called where it is not called as itself.
    """

    key: str
    value: str
    label: str
    shown: str = ""


@value
class CardKeys:
    """What the keys of the card are called, empty for a way that has none."""

    goes_here: str = "Alt+A"
    back: str = "Tab"
    below: str = "PgDn"


@value
class Asking:
    """One question. ``body`` is what it is about, in lines; ``esc`` says what Esc does.

    Without ``options`` the answer is typed, with ``hidden`` unseen. ``many``: several options at once.
    ``until`` is the Unix time at which it is answered by nobody (None: unknown), ``behind`` how many wait.
    """

    id: str
    title: str
    body: str
    options: tuple[Option, ...] = ()
    hidden: bool = False
    many: bool = False
    esc: str = mark("deny")
    until: float | None = None
    behind: int = 0


@value
class CardState:
    """Where the person is on the card. The text is not part of any representation: it may be a secret."""

    at: int = 0
    chosen: frozenset[int] = frozenset()
    typed: EditState = field(default=EditState(), repr=False)

    def move(self, step: int, asking: Asking) -> CardState:
        """The next or previous option, round the ends."""
        return replace(self, at=(self.at + step) % max(1, len(asking.options)))

    def toggle(self) -> CardState:
        """Choose the option, or no longer."""
        return replace(self, chosen=self.chosen ^ {self.at})

    def answer(self, asking: Asking) -> str | None:
        """What Enter answers now; None for nothing yet."""
        if not asking.options:
            return self.typed.text or None
        if asking.many:
            values = [option.value for place, option in enumerate(asking.options) if place in self.chosen]
            return ", ".join(values or [asking.options[self.at].value])
        return asking.options[self.at].value

    def shown(self, asking: Asking) -> str:
        """The typed text as it may be seen."""
        return MASK * len(self.typed.text) if asking.hidden else self.typed.text


def minutes(seconds: float) -> str:
    """``4:59``; never negative."""
    left = max(0, int(seconds))
    return f"{left // 60}:{left % 60:02}"
