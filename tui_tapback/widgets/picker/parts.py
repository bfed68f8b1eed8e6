"""The parts of the picker as widgets of their own: search, categories, grid, preview, tone selector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.values import value
from tui_tapback.emoji.grid import Grid, Section
from tui_tapback.widgets.editing import STEPS, EditState
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import app_of, filtered
from tui_tapback.widgets.incoming import TypedCharacters, clean_paste
from tui_tapback.widgets.picker.hits import TONE_LEFT, TONE_RIGHT
from tui_tapback.widgets.picker.keys import MOVES, PICKER_KEYS
from tui_tapback.widgets.picker.painting import PARTS, PITCH, Frame, PickerLook, PickerPainter, part_css
from tui_tapback.widgets.picker.source import NO_OCCASION, Occasion, PickerSource
from tui_tapback.widgets.picker.state import TONES, PickerState

_CARET = {"left", "right", "line_start", "line_end"}


@value
class PartFrame(Frame):
    """A part has no border and fills itself."""

    @property
    def inner(self) -> int:
        """All cells."""
        return self.width

    @property
    def grid_rows(self) -> int:
        """All rows."""
        return max(1, self.height)

    @property
    def details(self) -> int:
        """The preview has a second row if it is given one."""
        return 1 if self.height > 1 else -1


class PickerPart(Widget):
    """What the parts share: a source, a fitter, a state that is drawn line by line."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"picker-part--{name}" for name in PARTS}
    DEFAULT_CSS = f"""
    PickerPart {{ height: 1; color: $foreground; }}
    {part_css("PickerPart", "picker-part")}
    """

    def __init__(
        self,
        source: PickerSource,
        fitter: Fitter,
        *,
        tone: int = 0,
        ascii_only: bool = False,
        id: str | None = None,  # noqa: A002  (Textual's own name for it)
    ) -> None:
        super().__init__(id=id)
        self.source = source
        self.painter = PickerPainter(source, fitter, ascii_only=ascii_only)
        self.occasion = NO_OCCASION
        self.state = PickerState(Grid.of(self._sections("", tone), 12, 1), tone=tone)

    @property
    def frame(self) -> PartFrame:
        """The part as large as it is."""
        return PartFrame(self.size.width, self.size.height)

    def become(self, state: PickerState) -> bool:
        """Show another state; returns whether it is another."""
        changed = state != self.state
        if changed:
            self.state = state
            self.refresh()
        return changed

    def lines(self, look: PickerLook) -> Sequence[list[Segment]]:
        """The rows of the part; each kind of part has its own."""
        del look
        return ()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of ``crop``, each as wide as the part."""
        base, width = self.rich_style, self.size.width
        styles = (self.get_component_rich_style(f"picker-part--{part}") for part in PARTS)
        look = PickerLook(base, *styles, colourless=app_of(self).no_color)
        rows = self.lines(look)
        strips = [Strip(rows[y] if y < len(rows) else []) for y in range(crop.y, crop.bottom)]
        return filtered(
            self, (strip.adjust_cell_length(width, base).crop(crop.x, crop.right) for strip in strips)
        )

    def _sections(self, query: str, tone: int) -> tuple[Section, ...]:
        return self.source.sections(query, tone, self.occasion)


class EmojiSearch(PickerPart, can_focus=True):
    """A line to type into; says ``Changed`` with each change, ``Moved`` for keys that are the grid's."""

    class Changed(Message):
        """The query is another."""

        def __init__(self, query: str) -> None:
            super().__init__()
            self.query = query

    class Moved(Message):
        """A key that means nothing in the line: ``up down page_up … pick``, see ``PICKER_KEYS``."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    def __init__(self, source: PickerSource, fitter: Fitter, **options: Any) -> None:
        super().__init__(source, fitter, **options)
        self._typed = TypedCharacters()

    def lines(self, look: PickerLook) -> Sequence[list[Segment]]:
        """The query with its caret."""
        return [self.painter.search_line(self.state, self.frame, look)]

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Everything printable is search."""
        return character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        """Edit the query; tell of what is not for it."""
        command = PICKER_KEYS.get(event.key)
        if command in STEPS:
            self._edit(STEPS[command](self.state.query))
        elif command in _CARET and self.state.query.text:
            self.become(self.state.moved(command))
        elif command is not None:
            self.post_message(self.Moved(command))
        elif piece := self._typed.take(event.character):
            self._edit(self.state.query.insert(piece))
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is searched for."""
        event.stop()
        self._edit(self.state.query.insert(clean_paste(event.text)))

    def _edit(self, query: EditState) -> None:
        before = self.state.query.text
        if self.become(replace(self.state, query=query)) and query.text != before:
            self.post_message(self.Changed(query.text))


class EmojiGrid(PickerPart, can_focus=True):
    """The grid alone: ``show`` a query, walk with keys or mouse, wait for ``Highlighted`` and ``Picked``."""

    DEFAULT_CSS = "EmojiGrid { height: 1fr; }"

    class Highlighted(Message):
        """Another emoji is under the cursor or the mouse; ``place`` is like ``3 of 12``."""

        def __init__(self, emoji: str | None, place: str) -> None:
            super().__init__()
            self.emoji = emoji
            self.place = place

    class Picked(Message):
        """An emoji was taken by Enter or a click."""

        def __init__(self, emoji: str) -> None:
            super().__init__()
            self.emoji = emoji

    def show(self, query: str, occasion: Occasion = NO_OCCASION) -> None:
        """What answers ``query``; a blank one shows recents and all categories."""
        self.occasion = occasion
        state = replace(self.state, query=EditState.at_end(query), in_grid=True, hover=None)
        self._show(replace(state, grid=self.state.grid.with_sections(self._sections(query, state.tone))))

    def set_tone(self, tone: int) -> None:
        """Another default tone, 0 to 5."""
        self._show(self.state.toned(tone, self._sections))

    def to_section(self, number: int) -> None:
        """The cursor on the first emoji of a section."""
        self._show(replace(self.state, grid=self.state.grid.to_section(number), hover=None))

    def run(self, command: str) -> None:
        """Do what a key stands for: a move, ``next_category``, ``previous_category`` or ``pick``."""
        if command in MOVES:
            self._show(replace(self.state, in_grid=True).moved(command))
        elif command in ("next_category", "previous_category"):
            self._show(self.state.next_category(1 if command == "next_category" else -1))
        elif command == "pick" and self.state.grid.current is not None:
            self.post_message(self.Picked(self.state.grid.current))

    def lines(self, look: PickerLook) -> Sequence[list[Segment]]:
        """The rows in view."""
        return self.painter.grid_lines(self.state, self.frame, look, self.occasion)

    def on_resize(self, event: events.Resize) -> None:
        """As many columns as there is room for."""
        frame = PartFrame(event.size.width, event.size.height)
        self._show(self.state.resized(frame.columns, frame.grid_rows))

    def on_key(self, event: events.Key) -> None:
        """Arrows and the like."""
        command = PICKER_KEYS.get(event.key, "")
        if command in MOVES or command in ("next_category", "previous_category", "pick"):
            event.stop()
            event.prevent_default()
            self.run(command)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What is under the mouse is told of."""
        self._show(replace(self.state, hover=self._index(event)))

    def on_click(self, event: events.Click) -> None:
        """Take what was clicked."""
        index = self._index(event)
        if index is not None:
            self.post_message(self.Picked(self.state.grid.layout.emoji[index]))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the window."""
        event.stop()
        self._show(replace(self.state, grid=self.state.grid.scrolled(2), hover=None))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the window."""
        event.stop()
        self._show(replace(self.state, grid=self.state.grid.scrolled(-2), hover=None))

    def _index(self, event: events.MouseEvent) -> int | None:
        column, within = divmod(int(event.x), PITCH)
        return self.state.grid.hit(int(event.y), column) if within else None

    def _show(self, state: PickerState) -> None:
        before = self.state.shown
        if self.become(state) and state.shown != before:
            self.post_message(self.Highlighted(state.shown, state.place()))


class CategoryBar(PickerPart):
    """The categories side by side; a click says ``Chosen`` with the number of the section."""

    class Chosen(Message):
        """A category was clicked."""

        def __init__(self, section: int) -> None:
            super().__init__()
            self.section = section

    def show(self, state: PickerState) -> None:
        """Mark the category of a grid's state."""
        self.become(state)

    def lines(self, look: PickerLook) -> Sequence[list[Segment]]:
        """One row."""
        return [self.painter.bar_line(self.state, self.frame, look)]

    def on_click(self, event: events.Click) -> None:
        """Say which one."""
        column, within = divmod(int(event.x), PITCH)
        bar = self.painter.bar_emoji(self.state)[: self.frame.hand_column]
        if within and column < len(bar):
            self.post_message(self.Chosen(bar[column][0]))


class EmojiPreview(PickerPart):
    """Names an emoji: glyph, name, place and, with a second row, shortcode, version and category."""

    DEFAULT_CSS = "EmojiPreview { height: 2; }"

    def show(self, state: PickerState, occasion: Occasion = NO_OCCASION) -> None:
        """Tell about what a grid's state shows."""
        self.occasion = occasion
        self.become(replace(state, choosing=False))

    def lines(self, look: PickerLook) -> Sequence[list[Segment]]:
        """One row or two."""
        first = self.painter.preview_line(self.state, self.frame, look, self.occasion)
        return [first, self.painter.details_line(self.state, self.frame, look)][: self.size.height]


class ToneSelector(PickerPart, can_focus=True):
    """The default tone between two arrows: keys, digits 0 to 5 and clicks change it and say ``Chosen``."""

    class Chosen(Message):
        """Another default tone: 0 none, 1 light to 5 dark."""

        def __init__(self, tone: int) -> None:
            super().__init__()
            self.tone = tone

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as the line."""
        return 32

    def lines(self, look: PickerLook) -> Sequence[list[Segment]]:
        """One row."""
        return [self.painter.tone_line(self.state, self.frame, look)]

    def on_key(self, event: events.Key) -> None:
        """Arrows step, digits choose."""
        if event.key in ("left", "right"):
            self._choose(self.state.tone + (1 if event.key == "right" else -1))
        elif event.key.isdecimal() and int(event.key) < len(TONES):
            self._choose(int(event.key))
        else:
            return
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """The arrows can be clicked."""
        # Numbers are those of the picker's box, which has a border before them.
        if event.x + 1 in TONE_LEFT or event.x + 1 in TONE_RIGHT:
            self._choose(self.state.tone + (1 if event.x + 1 in TONE_RIGHT else -1))

    def _choose(self, tone: int) -> None:
        if self.become(replace(self.state, tone=tone % len(TONES))):
            self.post_message(self.Chosen(self.state.tone))
