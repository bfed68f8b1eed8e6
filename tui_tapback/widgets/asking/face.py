"""The face of a card: what is asked, the answers, and how long there is, drawn line by line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.text import clean_line
from tui_tapback.terminal import graphemes
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import filtered
from tui_tapback.words import _, plural

from .sheet import Asking, CardKeys, CardState, minutes

GUARD: Final = 0.5
"""Seconds after the card has come, and after it was gone to, in which nothing counts."""


class CardFace(Widget, can_focus=True):
    """Draws the question and where the person is on it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"question-card--{n}" for n in ("title", "option", "at", "dim")}
    DEFAULT_CSS = """
    CardFace { height: auto; display: none; background: $warning 12%; color: $foreground; }
    CardFace.-asking { display: block; }
    CardFace:focus { background: $warning 22%; }
    CardFace > .question-card--title { color: $text-warning; text-style: bold; }
    CardFace > .question-card--option { color: $foreground; }
    CardFace > .question-card--at { text-style: reverse bold; }
    CardFace > .question-card--dim { color: $text-muted; }
    """

    def __init__(
        self,
        fitter: Fitter,
        *,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
        guard: float = GUARD,
    ) -> None:
        super().__init__()
        self._fitter = fitter
        self._clock = clock
        self._ticks = ticks
        self._guard = guard
        self._since = 0.0
        self._top = 0
        self._dead = frozenset[str]()
        self.asking: Asking | None = None
        self.keys = CardKeys()
        self._state = CardState()

    # -- drawing ---------------------------------------------------------------------------------------------

    def _body(self, asking: Asking, width: int) -> list[str]:
        text = self._fitter.fit_text(asking.body)
        return [row for line in text.split("\n") for row in graphemes.wrap(line, max(2, width - 4))]

    @property
    def lettered(self) -> bool:
        """Whether letters answer; else what is typed is text, or the number of an answer."""
        return self.asking is not None and any(option.key.isalpha() for option in self.asking.options)

    def _room(self) -> int:
        return max(1, self.screen.size.height // 3 - 3)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Title, some lines of the body, the answers, and what the keys are."""
        if self.asking is None:
            return 0
        return 3 + min(len(self._body(self.asking, width)), self._room())

    def scroll_body(self, rows: int) -> None:
        """Show other lines of the body, as far as there are some."""
        if self.asking is not None:
            last = len(self._body(self.asking, self.size.width)) - (self.size.height - 3)
            self._top = max(0, min(self._top + rows, last))
            self.refresh()

    def spots(self, asking: Asking) -> Iterator[tuple[int, range]]:
        """The cells of each option in its line."""
        x = 2
        for place in range(len(asking.options)):
            width = cell_len(self._label(asking, place))
            yield place, range(x, x + width)
            x += width + 1

    def _label(self, asking: Asking, place: int) -> str:
        option = asking.options[place]
        mark = ("[x] " if place in self._state.chosen else "[ ] ") if asking.many else ""
        return f" {mark}{option.shown or option.key} {self._fitter.fit_text(clean_line(option.label, 60))} "

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of ``crop``, drawn without the styles cache."""
        asking, width = self.asking, self.size.width
        lines = self._lines(asking, width) if asking is not None else []
        blank = Strip.blank(width, self.rich_style)
        found = (lines[y] if y < len(lines) else blank for y in range(crop.y, crop.bottom))
        return filtered(self, (line.crop(crop.x, crop.right) for line in found))

    def _lines(self, asking: Asking, width: int) -> list[Strip]:
        base, title, dim = self.rich_style, self._part("title"), self._part("dim")
        body = self._body(asking, width)
        room = max(1, self.size.height - 3)
        left = "" if asking.until is None else f"  {minutes(asking.until - self._clock())}"
        behind = _("  +{count} more").format(count=asking.behind) if asking.behind else ""
        head = graphemes.crop(
            f" ? {self._fitter.fit_text(asking.title)}", max(2, width - len(left) - len(behind) - 1)
        )
        lines = [self._strip([(head, title), (behind, dim), (left, title)], width)]
        lines += [self._strip([("  " + row, base)], width) for row in body[self._top : self._top + room]]
        hidden = len(body) - self._top - room
        lines.append(self._answers(asking, width))
        keys = self._keys(asking)
        if hidden > 0:
            text = plural(" · {count} more line below", " · {count} more lines below", hidden)
            keys += text.format(count=hidden) + (f", {self.keys.below}" if self.keys.below else "")
        lines.append(self._strip([("  " + keys, dim)], width))
        return lines

    def _keys(self, asking: Asking) -> str:
        if not self.has_focus:
            told = _("{key} or a click goes here") if self.keys.goes_here else _("A click goes here")
            return told.format(key=self.keys.goes_here)
        if not asking.options:
            what = _("Enter gives it")
        else:
            what = _("Space marks · Enter answers") if asking.many else _("the letter or Enter answers")
        told = _("{what} · Esc {esc}").format(what=what, esc=_(asking.esc))
        return told + (_(" · {key} back").format(key=self.keys.back) if self.keys.back else "")

    def _answers(self, asking: Asking, width: int) -> Strip:
        if not asking.options:
            typed = self._state.shown(asking)
            typed = self._fitter.fit_text(typed)
            while cell_len(typed) > width - 6:
                typed = typed[1:]
            caret = [(" ", self.rich_style + Style(reverse=True))] if self.has_focus else []
            return self._strip([("  › ", self._part("title")), (typed, self.rich_style), *caret], width)
        option, at = self._part("option"), self._part("at")
        runs = [("  ", self.rich_style)]
        for place in range(len(asking.options)):
            style = at if self.has_focus and place == self._state.at else option
            runs += [(self._label(asking, place), style), (" ", self.rich_style)]
        return self._strip(runs, width)

    def _strip(self, runs: list[tuple[str, Style]], width: int) -> Strip:
        segments = [Segment(text, style) for text, style in runs if text]
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _part(self, name: str) -> Style:
        return self.get_component_rich_style(f"question-card--{name}")
