"""The card: keys, mouse and drawing; it never takes the focus by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.text import clean_line
from tui_tapback.terminal import graphemes
from tui_tapback.widgets.editing import EditState
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import filtered
from tui_tapback.widgets.incoming import clean_paste

from .sheet import Asking, CardState, minutes

GUARD: Final = 0.5
"""Seconds after the card has come, and after it was gone to, in which nothing counts."""
_EDITS: Final = {
    "backspace": EditState.delete_left,
    "delete": EditState.delete_right,
    "left": EditState.left,
    "right": EditState.right,
    "home": EditState.line_start,
    "end": EditState.line_end,
}


class QuestionCard(Widget, can_focus=True):
    """``ask`` shows a question or, with None, nothing. ``clock`` gives Unix time, ``ticks`` seconds."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"question-card--{n}" for n in ("title", "option", "at", "dim")}
    DEFAULT_CSS = """
    QuestionCard { height: auto; display: none; background: $warning 12%; color: $foreground; }
    QuestionCard.-asking { display: block; }
    QuestionCard:focus { background: $warning 22%; }
    QuestionCard > .question-card--title { color: $text-warning; text-style: bold; }
    QuestionCard > .question-card--option { color: $foreground; }
    QuestionCard > .question-card--at { text-style: reverse bold; }
    QuestionCard > .question-card--dim { color: $text-muted; }
    """

    class Answered(Message):
        """The person has answered. ``value`` may be a secret: it is shown and logged nowhere."""

        def __init__(self, asking: Asking, value: str) -> None:
            super().__init__()
            self.asking = asking
            self.value = value

        def __rich_repr__(self) -> Iterator[str]:
            yield self.asking.id

    class Declined(Message):
        """Esc: the person does not want to answer."""

        def __init__(self, asking: Asking) -> None:
            super().__init__()
            self.asking = asking

    class Left(Message):
        """The person goes back to where they were; the question stays open."""

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
        self._state = CardState()

    def ask(self, asking: Asking | None) -> None:
        """Show this question; the same one again keeps what was done with it."""
        before, self.asking = self.asking, asking
        if asking is None or before is None or before.id != asking.id:
            self._state, self._top = CardState(), 0
            self._since = self._ticks()
        self.set_class(asking is not None, "-asking")
        if before != asking:
            self.refresh(layout=True)

    def tick(self) -> None:
        """A second has passed."""
        if self.asking is not None and self.asking.until is not None:
            self.refresh()

    def on_focus(self) -> None:
        """A key that was meant for what had the focus before must not answer."""
        self._since = self._ticks()

    @property
    def _counts(self) -> bool:
        return self.asking is not None and self._ticks() - self._since >= self._guard

    # -- keys ------------------------------------------------------------------------------------------------

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Printable keys are answers here, whatever else they are bound to."""
        return character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        """Letters and arrows answer; typed text is text."""
        asking = self.asking
        if asking is None:
            return
        if event.key in ("alt+a", "tab", "shift+tab"):
            event.stop()
            event.prevent_default()
            self.post_message(self.Left())
            return
        if event.key in ("pageup", "pagedown"):
            event.stop()
            self._scroll(-3 if event.key == "pageup" else 3)
            return
        if not (event.is_printable or event.key in ("enter", "escape", "up", "down", "ctrl+u", *_EDITS)):
            return
        event.stop()
        event.prevent_default()
        if not self._counts:
            return
        if event.key == "escape":
            self.post_message(self.Declined(asking))
        elif event.key == "enter":
            self._answer(self._state.answer(asking))
        elif asking.options:
            self._choose(event, asking)
        elif event.key == "ctrl+u":
            self._type(EditState())
        elif event.key in _EDITS:
            self._type(_EDITS[event.key](self._state.typed))
        elif event.is_printable and event.character:
            self._type(self._state.typed.insert(event.character))

    def _choose(self, event: events.Key, asking: Asking) -> None:
        steps = {"up": -1, "left": -1, "down": 1, "right": 1}
        if event.key in steps:
            self._state = self._state.move(steps[event.key], asking)
            self.refresh()
            return
        if event.key == "space" and asking.many:
            self._state = self._state.toggle()
            self.refresh()
            return
        for place, option in enumerate(asking.options):
            if event.character and event.character.casefold() == option.key:
                self._pick(place, asking)
                return

    def _pick(self, place: int, asking: Asking) -> None:
        self._state = CardState(place, self._state.chosen, self._state.typed)
        if asking.many:
            self._state = self._state.toggle()
            self.refresh()
        else:
            self._answer(asking.options[place].value)

    def _answer(self, value: str | None) -> None:
        if self.asking is not None and value is not None:
            self._state = CardState()
            self.post_message(self.Answered(self.asking, value))

    def _type(self, typed: EditState) -> None:
        self._state = CardState(typed=typed)
        self.refresh()

    def on_paste(self, event: events.Paste) -> None:
        """Into the answer, if it is typed."""
        event.stop()
        if self._counts and self.asking is not None and not self.asking.options:
            self._type(self._state.typed.insert(clean_line(clean_paste(event.text), 10_000)))

    # -- mouse -----------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """The first click goes to the card, one on an option then answers."""
        event.stop()
        asking = self.asking
        if asking is None or not self._counts:
            return
        for place, span in self._spots(asking):
            if event.y == self.size.height - 2 and event.x in span:
                self._pick(place, asking)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Read on."""
        event.stop()
        self._scroll(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Read back."""
        event.stop()
        self._scroll(-1)

    # -- drawing ---------------------------------------------------------------------------------------------

    def _body(self, asking: Asking, width: int) -> list[str]:
        text = self._fitter.fit_text(asking.body)
        return [row for line in text.split("\n") for row in graphemes.wrap(line, max(2, width - 4))]

    def _room(self) -> int:
        return max(1, self.screen.size.height // 3 - 3)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Title, some lines of the body, the answers, and what the keys are."""
        if self.asking is None:
            return 0
        return 3 + min(len(self._body(self.asking, width)), self._room())

    def _scroll(self, rows: int) -> None:
        if self.asking is not None:
            last = len(self._body(self.asking, self.size.width)) - (self.size.height - 3)
            self._top = max(0, min(self._top + rows, last))
            self.refresh()

    def _spots(self, asking: Asking) -> Iterator[tuple[int, range]]:
        """The cells of each option in its line."""
        x = 2
        for place in range(len(asking.options)):
            width = cell_len(self._label(asking, place))
            yield place, range(x, x + width)
            x += width + 1

    def _label(self, asking: Asking, place: int) -> str:
        option = asking.options[place]
        mark = ("[x] " if place in self._state.chosen else "[ ] ") if asking.many else ""
        return f" {mark}{option.key} {self._fitter.fit_text(clean_line(option.label, 60))} "

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
        behind = f"  +{asking.behind} more" if asking.behind else ""
        head = graphemes.crop(
            f" ? {self._fitter.fit_text(asking.title)}", max(2, width - len(left) - len(behind) - 1)
        )
        lines = [self._strip([(head, title), (behind, dim), (left, title)], width)]
        lines += [self._strip([("  " + row, base)], width) for row in body[self._top : self._top + room]]
        hidden = len(body) - self._top - room
        lines.append(self._answers(asking, width))
        keys = self._keys(asking) + (f" · {hidden} more lines below, PgDn" if hidden > 0 else "")
        lines.append(self._strip([("  " + keys, dim)], width))
        return lines

    def _keys(self, asking: Asking) -> str:
        if not self.has_focus:
            return "Alt+A or a click goes here"
        if not asking.options:
            return f"Enter gives it · Esc {asking.esc} · Tab back"
        what = "Space marks · Enter answers" if asking.many else "the letter or Enter answers"
        return f"{what} · Esc {asking.esc} · Tab back"

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
