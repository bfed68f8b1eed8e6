"""A line above the composer that offers one thing: yes by Enter or a click, no by Esc; never more."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.text import clean_line
from tui_tapback.terminal import graphemes
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import filtered
from tui_tapback.words import _, mark

YES: Final = mark("yes")
NO: Final = mark("no")
GUARD: Final = 0.4
"""Seconds in which a chip takes no key and shows none: one meant for something else must not answer it."""


class Chip(Widget):
    """``ask`` shows a question with a name; ``Answered`` tells which one was answered, and how."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"chip--question", "chip--key"}
    DEFAULT_CSS = """
    Chip { height: 1; display: none; background: $panel; color: $foreground; }
    Chip.-asking { display: block; }
    Chip > .chip--question { color: $foreground; text-style: bold; }
    Chip > .chip--key { color: $accent; }
    """

    class Answered(Message):
        """The person has answered the question of that name."""

        def __init__(self, question: str, yes: bool) -> None:
            super().__init__()
            self.question = question
            self.yes = yes

    def __init__(self, fitter: Fitter, *, guard: float = GUARD) -> None:
        super().__init__()
        self._fitter = fitter
        self._guard = guard
        self._question = ""
        self._yes = YES
        self.keys = ("Enter", "Esc")
        self._asked = ""
        self._number = 0
        self.armed = False

    @property
    def asked(self) -> str:
        """The name of the question that is open, empty for none."""
        return self._asked

    def ask(self, name: str, question: str, *, yes: str = YES) -> None:
        """Show a question in the place of another; ``yes`` says what that does."""
        self._asked, self._question, self._yes = name, clean_line(question, 200), yes
        self._number += 1
        number = self._number
        self.armed = self._guard <= 0
        self.add_class("-asking")
        self._fit()

        def arm() -> None:
            if number == self._number:
                self.armed = True
                self.refresh()

        if not self.armed:
            self.set_timer(self._guard, arm)

    def withdraw(self, name: str = "") -> None:
        """Ask no more: the question of that name, or whatever it is."""
        if self._asked and name in ("", self._asked):
            self._asked, self.armed = "", False
            self._number += 1
            self.remove_class("-asking")

    def answer(self, yes: bool) -> None:
        """The person has answered."""
        name = self._asked
        self.withdraw()
        if name:
            self.post_message(self.Answered(name, yes))

    def on_click(self, event: events.Click) -> None:
        """On the word for no it is no, everywhere else yes."""
        event.stop()
        if event.chain == 1:
            at_keys = event.y == self.size.height - 1
            self.answer(not (at_keys and event.x >= self.size.width - cell_len(self._no) - 2))

    @property
    def _no(self) -> str:
        return f"{self.keys[1]} {_(NO)}"

    def tell_keys(self, yes: str, no: str) -> None:
        """What the keys are called that answer at the moment."""
        if (yes, no) != self.keys:
            self.keys = (yes, no)
            self._fit()

    def _rows(self) -> list[list[tuple[str, Style]]]:
        """Question and keys in one row, or in two where they do not fit into one."""
        base, width = self.rich_style, self.size.width
        key = self.get_component_rich_style("chip--key")
        style = self.get_component_rich_style("chip--question")
        keys = f"{self.keys[0]} {_(self._yes)}  {self._no} "
        if not self.armed:
            keys = " " * cell_len(keys)  # they stand there as soon as they count
        question = graphemes.crop(self._fitter.fit_text(self._question), max(1, width - 2), ellipsis="…")
        gap = width - cell_len(question) - cell_len(keys) - 1
        if gap > 0:
            return [[(" ", base), (question, style), (" " * gap, base), (keys, key)]]
        return [[(" ", base), (question, style)], [(" " * max(0, width - cell_len(keys)), base), (keys, key)]]

    def on_resize(self) -> None:
        """As many rows as are needed."""
        self._fit()

    def _fit(self) -> None:
        if self.size.width:
            self.styles.height = len(self._rows())
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Its one or two rows."""
        base, width = self.rich_style, self.size.width
        drawn = [
            Strip([Segment(words, style) for words, style in row]).adjust_cell_length(width, base)
            for row in self._rows()
        ]
        drawn += [Strip.blank(width, base)] * max(0, crop.bottom - len(drawn))
        return filtered(self, [line.crop(crop.x, crop.right) for line in drawn[crop.y : crop.bottom]])
