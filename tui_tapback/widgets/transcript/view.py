"""The transcript's display: draws the window line by line and repaints only what differs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any, ClassVar

from rich.style import Style
from textual import events
from textual.filter import Monochrome, NoColor
from textual.geometry import Region
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.graphemes import wrap

from ..fitter import Fitter
from .events import TranscriptEvents
from .overlay import overlay
from .painter import Painter, Surface, Target
from .palette import COMPONENT_CLASSES, CSS, Palette
from .roll import Changes, Days, Entry
from .sheet import Place, Sheet


class TranscriptView(TranscriptEvents, Widget, can_focus=True):
    """Shows messages, scrolls, follows the end, keeps the reader's place. It draws no border or padding."""

    DEFAULT_CSS = CSS
    COMPONENT_CLASSES: ClassVar[set[str]] = set(COMPONENT_CLASSES)
    ALLOW_SELECT = False

    selected: reactive[str | None] = reactive(None, repaint=False)
    empty_hint: reactive[str] = reactive("", repaint=False)
    loading_hint: reactive[str] = reactive("", repaint=False)

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
        self._session = ""
        self._surface: Surface | None = None
        self._lines: list[Strip] = []
        self._places: list[Place] = []
        self.sheet = Sheet(self._days)

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
    def following(self) -> bool:
        """Whether the window sticks to the end."""
        return self.sheet.window.following

    def show_session(self, session_id: str, messages: Sequence[Message]) -> None:
        """Show a session: another one than before begins at its end, with nothing selected."""
        if session_id != self._session:
            self._session = session_id
            self.forget()
        self.show(messages)

    def clear(self) -> None:
        """Show nothing, of no session."""
        self._session = ""
        self.forget()

    def forget(self) -> None:
        """Drop all messages and whatever refers to one."""
        self.selected = None
        self.sheet = Sheet(self._days)
        self._surface = None
        self._lay_out()

    def show(self, messages: Sequence[Message]) -> None:
        """Show the new full state of the session, in order. Unchanged messages must be the same objects."""
        old = self.sheet.roll.entries
        changes = self.sheet.take(messages)
        if not changes:
            return
        if changes.appended and not self.holds and self._sent_now(changes.appended):
            self.sheet.window.to_end()
            self.sheet.seen()
        self.took(old, changes)
        self.repaint()

    @property
    def holds(self) -> bool:
        """Whether the window must not move by itself now."""
        return False

    def took(self, old: Sequence[Entry], changes: Changes) -> None:
        """Hook: there is a new state; ``old`` are the entries before, if ``changes.rebuilt``."""

    def _sent_now(self, count: int) -> bool:
        """Whether one of the last ``count`` messages was just sent from here; its sender wants to see it."""
        fresh = (entry.message for entry in self.sheet.roll.entries[-count:])
        return any(m.role is Role.USER and m.status in (Status.SENDING, Status.WAITING) for m in fresh)

    # -- scrolling -------------------------------------------------------------------------------------------

    def scroll_rows(self, rows: int) -> None:
        """Scroll down by ``rows``, up if negative."""
        self.sheet.window.scroll(rows)
        self.sheet.seen()
        self.repaint()

    def page_up(self) -> None:
        """Scroll up by a window less two lines."""
        self.scroll_rows(-max(1, self.size.height - 2))

    def page_down(self) -> None:
        """Scroll down by a window less two lines."""
        self.scroll_rows(max(1, self.size.height - 2))

    def scroll_home(self, **_: Any) -> None:
        """Show the first message."""
        self.sheet.window.to_start()
        self.repaint()

    def scroll_end(self, **_: Any) -> None:
        """Show the end and follow it."""
        self.sheet.window.to_end()
        self.sheet.settle()
        self.repaint()

    # -- drawing ---------------------------------------------------------------------------------------------

    def on_resize(self, _: events.Resize) -> None:
        """Lay out for the new size."""
        self._lay_out()

    def notify_style_update(self) -> None:
        """Colours may have changed."""
        super().notify_style_update()
        if self.is_mounted:
            self._lay_out()

    def _lay_out(self) -> None:
        """Make painter and window fit size and colours; costs nothing when neither differs."""
        width, height = self.size
        if not width or not height:
            return
        background = self.background_colors[1]
        text = self.rich_style
        filters = tuple(self.get_line_filters())
        colorless = any(isinstance(line_filter, (Monochrome, NoColor)) for line_filter in filters)
        palette = Palette.resolve(text, self._component, colorless=colorless)
        surface = Surface(width, palette, filters, background)
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
        """Compose the frame and mark the rows that differ from the last one."""
        if self._surface is None:
            return
        old, self._lines = self._lines, self._compose_frame(self._surface)
        width = self.size.width
        if len(old) != len(self._lines):
            self.refresh()
            return
        rows = [y for y, (a, b) in enumerate(zip(old, self._lines, strict=True)) if a is not b and a != b]
        if rows:
            self.refresh(*(Region(0, y, width, 1) for y in rows))

    def _compose_frame(self, surface: Surface) -> list[Strip]:
        height = self.size.height
        blank = surface.strip([])
        drawn = self.sheet.lines()
        lines = [strip for strip, _ in drawn]
        self._places = [place for _, place in drawn]
        lines += [blank] * (height - len(lines))
        if not drawn:
            self._hint(lines, surface)
            return lines
        self._thumb(lines, surface)
        if self.sheet.unseen:
            chip = surface.patch([(f" ↓ {self.sheet.unseen} new below ", surface.palette.chip)])
            lines[-1] = overlay(lines[-1], max(0, (surface.width - chip.cell_length) // 2), chip)
        self.decorate(lines, surface)
        return lines

    def decorate(self, lines: list[Strip], surface: Surface) -> None:
        """Hook: lay things over the finished lines."""

    def _hint(self, lines: list[Strip], surface: Surface) -> None:
        hint = self._fitter.fit_text(self.loading_hint or self.empty_hint)
        room = min(60, surface.width - 4)
        rows = [part for row in hint.split("\n") for part in wrap(clean_line(row), room)]
        top = max(0, (len(lines) - len(rows)) // 2)
        for row, text in enumerate(rows[: len(lines)]):
            patch = surface.patch([(text, surface.palette.muted)])
            x = (surface.width - patch.cell_length) // 2
            lines[top + row] = overlay(lines[top + row], x, patch)

    def _thumb(self, lines: list[Strip], surface: Surface) -> None:
        window, height = self.sheet.window, len(lines)
        total = window.heights.total
        if total <= height:
            return
        size = max(1, height * height // total)
        room = total - height
        start = 0 if not room else min(height - size, round(min(window.top, room) * (height - size) / room))
        thumb = surface.patch([("▐", surface.palette.thumb)])
        for row in range(start, start + size):
            lines[row] = overlay(lines[row], surface.width - 1, thumb)

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
