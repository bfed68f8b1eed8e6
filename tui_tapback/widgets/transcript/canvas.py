"""The transcript's surface: draws the window line by line and repaints only the rows that differ."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import ClassVar, Final

from rich.style import Style
from textual import events
from textual.filter import Monochrome, NoColor
from textual.geometry import Region
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.graphemes import wrap
from tui_tapback.words import plural

from ..contrast import system_of
from ..fitter import Fitter
from ..host import app_of
from .direct import DirectFrames, shift_of
from .events import TranscriptEvents
from .overlay import differing, overlay
from .painter import Painter, Surface, Target
from .palette import COMPONENT_CLASSES, Palette
from .roll import Days
from .sheet import Place, Sheet
from .signs import AsciiSigns

FEW_ROWS: Final = 8
"""Rows up to which it pays to look for the cells in which they differ."""


class Canvas(TranscriptEvents, Widget, can_focus=True):
    """Draws the sheet behind it. Border and padding of its stylesheet are not drawn."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(COMPONENT_CLASSES)
    ALLOW_SELECT = False

    selected: reactive[str | None] = reactive(None, repaint=False)
    empty_hint: reactive[str] = reactive("", repaint=False)
    loading_hint: reactive[str] = reactive("", repaint=False)
    signed: reactive[bool] = reactive(False, repaint=False)
    """Whether badges bear a sign of their author also where colours tell it."""

    def __init__(
        self,
        fitter: Fitter,
        *,
        zone: tzinfo | None = None,
        name: str | None = None,
        id: str | None = None,  # noqa: A002 -- Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._fitter = fitter
        self._days = Days(zone)
        self._surface: Surface | None = None
        self._ascii = AsciiSigns()
        self._lines: list[Strip] = []
        self._bare: list[Strip] = []  # the same without what is laid over them
        self.direct = DirectFrames(self)
        self._places: list[Place] = []
        self.sheet = Sheet(self._days)
        self._meanwhile: tuple[Strip, ...] = ()
        self.chip_at = range(0)  # cells of the last row that say what is new below

    @property
    def fitter(self) -> Fitter:
        """Turns emoji into cells; a new one draws everything anew."""
        return self._fitter

    @fitter.setter
    def fitter(self, fitter: Fitter) -> None:
        self._fitter = fitter
        self._surface = None
        self._lay_out()

    @property
    def meanwhile(self) -> tuple[Strip, ...]:
        """Rows that were seen last time, shown while there are no messages; the hint stands at their end."""
        return self._meanwhile

    @meanwhile.setter
    def meanwhile(self, rows: Sequence[Strip]) -> None:
        self._meanwhile = tuple(rows)
        self.repaint()

    def watch_signed(self) -> None:
        """Badges are drawn otherwise."""
        if self.is_mounted:
            self._lay_out()

    def on_resize(self, _: events.Resize) -> None:
        """Lay out for the new size."""
        self._lay_out()

    def notify_style_update(self) -> None:
        """Colours may have changed."""
        super().notify_style_update()
        if self.is_mounted:
            self.call_next(self._lay_out)  # when the component styles are up to date as well

    def _lay_out(self) -> None:
        """Make painter and window fit size and colours; costs nothing when neither differs."""
        width, height = self.size
        if not width or not height:
            return
        background = self.background_colors[1]
        text = self.rich_style
        filters = tuple(self.get_line_filters())
        ascii_only = isinstance(self._fitter, EmojiFitter) and not self._fitter.profile.utf8
        if ascii_only:
            filters = (*filters, self._ascii)
        colorless = any(isinstance(line_filter, (Monochrome, NoColor)) for line_filter in filters)
        palette = Palette.resolve(
            text,
            self._component,
            colorless=colorless,
            system=system_of(app_of(self).console.color_system),
            signed=self.signed,
        )
        surface = Surface(width, palette, filters, background, ascii_only)
        if surface != self._surface:
            self._surface = surface
            self.sheet.lay_out(Painter(surface, self._fitter, self._days), height)
        else:
            self.sheet.lay_out(self.sheet.painter, height)
        self.resized()
        self.repaint()

    def _component(self, name: str) -> Style:
        return self.get_component_rich_style(name)

    def resized(self) -> None:
        """Hook: size or colours are others."""

    def repaint(self) -> None:
        """Compose the frame and draw the rows that differ from the last one."""
        if self._surface is None:
            return
        bare, old = self._bare, self._lines
        self._lines = self._compose_frame(self._surface)
        if len(old) != len(self._lines):
            self.refresh()
        elif not self.direct.write(old, self._lines, shift_of(bare, self._bare)):
            self._mark(old)

    def _mark(self, old: Sequence[Strip]) -> None:
        """Have Textual draw the rows that differ from ``old``."""
        rows = [y for y, (a, b) in enumerate(zip(old, self._lines, strict=True)) if a is not b and a != b]
        if len(rows) > len(old) // 2:
            self.refresh()  # one region costs the compositor less than many
        elif len(rows) > FEW_ROWS:
            width = self.size.width
            self.refresh(*(Region(0, y, width, 1) for y in rows))
        elif rows:
            self.refresh(
                *(
                    Region(start, y, stop - start, 1)
                    for y in rows
                    for start, stop in differing(old[y], self._lines[y])
                )
            )

    def _compose_frame(self, surface: Surface) -> list[Strip]:
        height = self.size.height
        blank = surface.strip([])
        drawn = self.sheet.lines()
        lines = [strip for strip, _ in drawn]
        self._places = [place for _, place in drawn]
        lines += [blank] * (height - len(lines))
        self.chip_at = range(0)
        self._bare = lines[:]
        if not drawn:
            rows = self._meanwhile[-height:]
            lines[height - len(rows) :] = [row.adjust_cell_length(surface.width) for row in rows]
            self._hint(lines, surface)
            return lines
        self.draw_bar(lines, surface)
        self._chip(lines, surface)
        self.decorate(lines, surface)
        return lines

    def draw_bar(self, lines: list[Strip], surface: Surface) -> None:
        """Hook: draw the scroll bar's column."""

    def decorate(self, lines: list[Strip], surface: Surface) -> None:
        """Hook: lay things over the finished lines."""

    def _hint(self, lines: list[Strip], surface: Surface) -> None:
        hint = self._fitter.fit_text(self.loading_hint or self.empty_hint)
        room = min(60, surface.width - 4)
        rows = [part for row in hint.split("\n") for part in wrap(clean_line(row), room)]
        # Over rows of the last time it is a mark at their end; alone it stands in the middle.
        top = max(0, len(lines) - len(rows) if self._meanwhile else (len(lines) - len(rows)) // 2)
        for row, text in enumerate(rows[: len(lines)]):
            patch = surface.patch([(text, surface.palette.muted)])
            x = (surface.width - patch.cell_length) // 2
            lines[top + row] = overlay(lines[top + row], x, patch)

    def _chip(self, lines: list[Strip], surface: Surface) -> None:
        if self.sheet.unseen:
            chip = surface.patch(
                [
                    (
                        plural(" ↓ {count} new below ", " ↓ {count} new below ", self.sheet.unseen).format(
                            count=self.sheet.unseen
                        ),
                        surface.palette.chip,
                    )
                ]
            )
            x = max(0, (surface.width - chip.cell_length) // 2)
            lines[-1] = overlay(lines[-1], x, chip)
            self.chip_at = range(x, x + chip.cell_length)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The frame's lines; Textual's own cache of styled lines is not needed on top."""
        if len(self._lines) != self.size.height or self._surface is None:
            self._lay_out()
        lines = self._lines[crop.y : crop.bottom]
        lines += [Strip.blank(self.size.width)] * (crop.height - len(lines))
        if crop.x or crop.width != self.size.width:
            lines = [line.crop(crop.x, crop.right) for line in lines]
        return lines

    def watch_empty_hint(self) -> None:
        """Show the new hint."""
        self.repaint()

    def watch_loading_hint(self) -> None:
        """Show the new hint."""
        self.repaint()

    def target_at(self, x: int, y: int) -> Target | None:
        """What is under a cell, None where there is no message."""
        if not 0 <= y < len(self._places):
            return None
        block, row = self._places[y]
        return block.target(x, row)
