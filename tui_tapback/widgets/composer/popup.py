"""The little list of completions that floats over the composer's caret."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.graphemes import fill
from tui_tapback.widgets.composer.completion import Completion
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import filtered


class CompletionList(Widget):
    """Draws completions and knows which is highlighted; the composer moves the highlight and takes one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"completion-list--highlight", "completion-list--detail"}
    DEFAULT_CSS = """
    CompletionList {
        overlay: screen;
        position: absolute;
        display: none;
        background: $panel;
        color: $foreground;
    }
    CompletionList > .completion-list--highlight { background: $primary; color: $text; text-style: bold; }
    CompletionList > .completion-list--detail { color: $text-muted; }
    """

    class Taken(Message):
        """A line was clicked."""

        def __init__(self, completion: Completion) -> None:
            super().__init__()
            self.completion = completion

    def __init__(self, fitter: Fitter) -> None:
        super().__init__()
        self._fitter = fitter
        self._items: tuple[Completion, ...] = ()
        self._index = 0

    @property
    def highlighted(self) -> Completion | None:
        """The completion that Tab takes; None while the list is hidden."""
        return self._items[self._index] if self.display and self._items else None

    def offer(self, items: tuple[Completion, ...], word: Offset, field: Region, screen: Size) -> None:
        """Show ``items``, the first one highlighted, over ``field`` and in line with ``word``.

        Where there is no room above the field the list goes to the top of the screen, and is cut.
        """
        self._items, self._index = items, 0
        widest = max(cell_len(self._line(item)) for item in items) + 2
        width, height = min(widest, screen.width), min(len(items), max(1, field.y))
        x = max(0, min(word.x - 1, screen.width - width))
        self.styles.width, self.styles.height = width, height
        self.absolute_offset = Offset(x, max(0, field.y - height))
        self.display = True
        self.refresh(layout=True)

    def hide(self) -> None:
        """Take the list away."""
        if self.display:
            self.display = False
        self._items = ()

    def move(self, step: int) -> None:
        """Move the highlight, round the ends."""
        if self._items:
            self._index = (self._index + step) % len(self._items)
            self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of ``crop``, drawn without the styles cache."""
        return filtered(self, (self._strip(y).crop(crop.x, crop.right) for y in range(crop.y, crop.bottom)))

    def _strip(self, y: int) -> Strip:
        width = self.size.width
        base = self.rich_style
        if y >= len(self._items):
            return Strip.blank(width, base)
        item = self._items[y]
        highlighted = y == self._index
        style = self.get_component_rich_style("completion-list--highlight") if highlighted else base
        mark = "›" if highlighted else " "
        text = fill(mark + self._line(item, detail=False), width)
        segments = [Segment(text, style)]
        used = cell_len(text.rstrip())
        if item.detail and used + 3 < width:
            detail = self.get_component_rich_style("completion-list--detail")
            dim = style if highlighted else detail
            segments = [
                Segment(fill(text.rstrip(), used + 2), style),
                Segment(fill(clean_line(item.detail), width - used - 2, ellipsis="…"), dim),
            ]
        return Strip(segments, width)

    def _line(self, item: Completion, *, detail: bool = True) -> str:
        head = f"{self._fitter.fit(item.emoji)} " if item.emoji else ""
        line = head + self._fitter.fit_text(clean_line(item.label, 60))
        return f"{line}  {clean_line(item.detail)}" if detail and item.detail else line

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Not the composer's: the caret under the list stays where it is."""
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """A click takes the line under it."""
        event.stop()
        if 0 <= event.y < len(self._items):
            self.post_message(self.Taken(self._items[event.y]))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The highlight follows the mouse."""
        if 0 <= event.y < len(self._items) and event.y != self._index:
            self._index = event.y
            self.refresh()
