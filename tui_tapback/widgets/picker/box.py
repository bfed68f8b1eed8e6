"""The picker's box: where it stands, what it shows, how it opens and closes; it knows no keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.emoji.grid import Grid, Section
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import app_of, filtered, layouts_of
from tui_tapback.widgets.picker.painting import PARTS, Frame, PickerLook, PickerPainter, part_css
from tui_tapback.widgets.picker.placing import place
from tui_tapback.widgets.picker.source import NO_OCCASION, Occasion, PickerSource
from tui_tapback.widgets.picker.state import TONES, PickerState

WIDTH: Final = 40
HEIGHT: Final = 16


class PickerBox(Widget, can_focus=True):
    """Opens over everything, moves nothing, and gives the focus back when it closes."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"picker-box--{name}" for name in PARTS}
    DEFAULT_CSS = f"""
    PickerBox {{
        overlay: screen;
        position: absolute;
        display: none;
        background: $panel;
        color: $foreground;
    }}
    {part_css("PickerBox", "picker-box")}
    PickerBox:ansi > .picker-box--cursor {{ text-style: reverse; }}
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
        self._source = source
        self._painter = PickerPainter(source, fitter, ascii_only=ascii_only)
        self._tone = tone
        self._occasion = NO_OCCASION
        self._within: Widget | None = None
        self._anchor: Region | None = None
        self._back_to: Widget | None = None
        self._screen_size = Size()
        self._frame = Frame(WIDTH, HEIGHT)
        self._state = PickerState(Grid.of((), 1, 1))

    @property
    def is_open(self) -> bool:
        """Whether it is on screen."""
        return bool(self.display)

    @property
    def state(self) -> PickerState:
        """Query, grid and tone as they are."""
        return self._state

    @property
    def grid_top(self) -> int:
        """The row of the box at which the grid begins."""
        return self._frame.grid_top

    @property
    def spoken(self) -> str:
        """``3 of 12, grinning cat``: the highlighted emoji, for a screen reader."""
        return self._state.grid.position()

    def open(
        self,
        anchor: Region | None = None,
        current: str | None = None,
        *,
        present: Sequence[str] = (),
        suggested: Sequence[str] = (),
        within: Widget | None = None,
    ) -> None:
        """Show it beside ``anchor`` (a region of the screen), over ``within`` if there is room.

        ``current`` is the emoji that is set, ``present`` those that others have set, ``suggested`` what
        fits the message: the first row as long as nothing is typed.
        """
        self._occasion = Occasion(current, tuple(present), tuple(suggested))
        self._anchor, self._within = anchor, within
        self._back_to = self.screen.focused
        self._frame = self._placed()
        grid = Grid.of(self._sections("", self._tone), self._frame.columns, self._frame.grid_rows)
        self._state = PickerState(grid, tone=self._tone)
        self.display = True
        self.focus(scroll_visible=False)
        self.refresh(layout=True)

    def follow(self, current: str | None, present: Sequence[str]) -> None:
        """Other reactions on the message while it is open: the marks follow, no cell moves."""
        changed = replace(self._occasion, current=current, present=tuple(present))
        if self.is_open and changed != self._occasion:
            self._occasion = changed
            self.refresh()

    def close(self) -> None:
        """Take it away and give the focus back to what had it; tells nobody."""
        if not self.is_open:
            return
        self.display = False
        back, self._back_to = self._back_to, None
        self.screen.set_focus(back if back is not None and back.is_attached and back.focusable else None)

    def set_tone(self, tone: int) -> None:
        """Use another default tone (0 to 5) from now on."""
        self._tone = tone % len(TONES)
        if self.is_open:
            self._become(self._state.toned(self._tone, self._sections))

    def on_mount(self) -> None:
        """Follow the size of the screen."""
        layouts_of(self).subscribe(self, self._screen_laid_out)

    def _screen_laid_out(self, screen: Screen[object]) -> None:
        if self.is_open and screen.size and screen.size != self._screen_size:
            self._frame = self._placed()
            self._become(self._state.resized(self._frame.columns, self._frame.grid_rows))
            self.refresh(layout=True)

    def _placed(self) -> Frame:
        self._screen_size = self.screen.size
        within = None if self._within is None or not self._within.is_attached else self._within.region
        region = place(Size(WIDTH, HEIGHT), self._anchor, self._screen_size, within)
        self.styles.width, self.styles.height = region.width, region.height
        self.absolute_offset = region.offset
        return Frame(region.width, region.height)

    def _sections(self, query: str, tone: int) -> tuple[Section, ...]:
        return self._source.sections(query, tone, self._occasion)

    def _become(self, state: PickerState) -> None:
        if state != self._state:
            self._state = state
            self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of ``crop``, drawn without the styles cache."""
        base = self.rich_style
        parts = (self.get_component_rich_style(f"picker-box--{part}") for part in PARTS)
        look = PickerLook(base, *parts, colourless=app_of(self).no_color)
        strips = self._painter.paint(self._state, self._frame, look, self._occasion)
        blank = Strip.blank(self._frame.width, base)
        lines = (
            (strips[y] if y < len(strips) else blank).crop(crop.x, crop.right)
            for y in range(crop.y, crop.bottom)
        )
        return filtered(self, lines)
