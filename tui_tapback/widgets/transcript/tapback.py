"""The pill on the transcript: opened for one message, laid over the lines, deaf to what arrives meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from textual.geometry import Region
from textual.reactive import reactive
from textual.strip import Strip

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.parts import Part
from tui_tapback.domain.reactions import Author, toggled

from ..fitter import Fitter
from ..pill import Pill, place
from .keys import PILL_COMMANDS
from .overlay import overlay
from .painter import Surface
from .partview import PartView, reactions_to
from .roll import Changes, Entry


class TapbackView(PartView):
    """A view with a pill. While it is open the window stands still, so that neither bubble nor pill moves."""

    suggestion: reactive[str | None] = reactive(None, repaint=False)

    def __init__(self, fitter: Fitter, quick: tuple[str, ...], **options: Any) -> None:
        super().__init__(fitter, **options)
        self.quick = quick
        self.suggest: Callable[[str], str | None] | None = None  # fits a message's text; see ``suggestion``
        self.double_click = ""  # the emoji that a double click sets at once; empty: it opens the pill
        self.pill_labels: tuple[str, ...] = ()  # the keys of the pill's slots, where not their numbers
        self.sprites: tuple[tuple[int, int, str], ...] = ()  # emoji over the lines: cell, row, emoji
        self._pill: Pill | None = None
        self._pill_at = (0, 0)
        self._follow_after = False
        self._picker_asked = False
        self._aim: Part | None = None  # what the pill was opened for, if not for a whole message

    @property
    def pill(self) -> Pill | None:
        """The open pill, None when there is none."""
        return self._pill

    @property
    def pill_open(self) -> bool:
        """Whether the pill is open."""
        return self._pill is not None

    @property
    def holds(self) -> bool:
        """The window stands still while the pill is open."""
        return self._pill is not None

    def open_pill(self, key: str | None = None, focus: bool = True) -> None:
        """Open the pill for a message, else for the selected one, else for the last.

        The target stays the same until it is closed. Where there is no such message nothing happens.
        """
        roll = self.sheet.roll
        index = roll.index(key if key is not None else self.selected)
        if index is None and key is None:
            index = self.sheet.newest()
        if index is None or not roll.entries[index].message.reactable:
            return
        message = roll.entries[index].message
        follows = self._follow_after if self._pill is not None else self.sheet.window.following
        self.sheet.window.reveal(index, upward=True)
        self._follow_after = follows and self.sheet.window.at_end
        self.sheet.window.following = False
        self._picker_asked = False
        suggestion = self.suggest(message.text) if self.suggest is not None else self.suggestion
        if message.key != self.selected:
            self.selected = message.key  # which lets go of a part of another message
        self._aim = self.aim(message)
        anchor = self._aim.anchor if self._aim is not None else None
        pill = Pill.opened(message.key, self.quick, suggestion, reactions_to(message.reactions, anchor))
        self._pill = replace(pill, labels=self.pill_labels)
        self._place_pill()
        if focus:
            self.screen.set_focus(self)  # at once: ``focus()`` would come later, perhaps after the closing
        self.post_message(self.PillOpened(message.key))
        self.relight()

    def close_pill(self) -> None:
        """Close the pill, if it is open, and follow the end again if that was so before."""
        if self._pill is None:
            return
        key, self._pill = self._pill.key, None
        self._aim = None
        if self._follow_after:
            self.sheet.window.to_end()
            self.sheet.seen()
        self.post_message(self.PillClosed(key))
        self.relight()

    def forget(self) -> None:
        """The pill goes with the messages."""
        self._follow_after = False
        self.close_pill()
        super().forget()

    def relight(self) -> None:
        """Draw the selected message as such while the keys act on it, and repaint."""
        self.sheet.looks.lit = self.selected if self.has_focus or self.pill_open else None
        self.repaint()

    def took(self, old: Sequence[Entry], changes: Changes) -> None:
        """Follow the reactions of the pill's message; close when the message is gone."""
        super().took(old, changes)
        if self._pill is None:
            return
        message = self.sheet.roll.get(self._pill.key)
        if message is None:
            self.close_pill()
        else:
            anchor = self._aim.anchor if self._aim is not None else None
            self._pill = self._pill.following(reactions_to(message.reactions, anchor))

    def resized(self) -> None:
        """Find a place for the pill in the new size."""
        super().resized()
        if self._pill is not None:
            index = self.sheet.roll.index(self._pill.key)
            if index is not None:
                self.sheet.window.reveal(index, upward=True)
                self.sheet.window.following = False
            self._place_pill()

    def _place_pill(self) -> None:
        index = None if self._pill is None else self.sheet.roll.index(self._pill.key)
        if index is None or self._pill is None or self._surface is None:
            return
        block = self.sheet.block(index)
        row = self.sheet.window.row_of(index) or 0
        x, y, width, height = block.bubble or (0, 0, self.size.width, len(block.strips))
        side: Literal["left", "right"] = "right" if block.message.role is Role.USER else "left"
        room = self.size.width
        size = (room, self.size.height)
        pill_width = self._pill.width(self._pill.slot_width(room))
        self._pill_at = place((x, row + y, width, height), side, size, pill_width)

    def region_for(self, key: str) -> Region | None:
        """Where on the screen something may open for a message: in the pill's place, else beside its bubble.

        None for a message that is unknown or out of sight.
        """
        if self._pill is not None and self._pill.key == key:
            left, top = self._pill_at
            width = self._pill.width(self._pill.slot_width(self.size.width))
            return Region(self.region.x + left, self.region.y + top, width, 0)
        index = self.sheet.roll.index(key)
        row = None if index is None else self.sheet.window.row_of(index)
        if index is None or row is None:
            return None
        block = self.sheet.block(index)
        x, y, width, height = block.bubble or (0, 0, self.size.width, len(block.strips))
        return Region(self.region.x + x, self.region.y + row + y, width, height).intersection(self.region)

    def decorate(self, lines: list[Strip], surface: Surface) -> None:
        """Lay what flies over the lines, and over that the pill."""
        super().decorate(lines, surface)
        for x, y, emoji in self.sprites:
            if y < len(lines):
                patch = surface.patch([(self._fitter.fit(emoji), surface.palette.text)])
                lines[y] = overlay(lines[y], x, patch)
        if self._pill is None:
            return
        left, top = self._pill_at
        rows = self._pill.draw(self._pill.slot_width(surface.width), self._fitter, surface.palette.pill)
        for row, runs in enumerate(rows):
            if top + row < len(lines):
                lines[top + row] = overlay(lines[top + row], left, surface.patch(runs))

    def pill_slot(self, x: int, y: int) -> int | Literal["frame"] | None:
        """The pill's slot under a cell, ``"frame"`` on its border, None beside it or without a pill."""
        if self._pill is None:
            return None
        slot = self._pill.slot_width(self.size.width)
        left, top = self._pill_at
        if not (left <= x < left + self._pill.width(slot) and top <= y < top + 3):
            return None
        hit = self._pill.hit(x - left, y - top, slot)
        return "frame" if hit is None else hit

    def point_at(self, slot: int) -> None:
        """Put the pill's cursor on a slot."""
        if self._pill is not None:
            self._pill = self._pill.at(slot)
            self.repaint()

    def choose(self) -> None:
        """Do what the cursor is on: ask for the reaction, or for the picker."""
        pill = self._pill
        if pill is None:
            return
        if pill.emoji is None:
            self.ask_picker(pill.key)
            return
        self.post_message(self.ReactionRequested(pill.key, toggled(pill.own, pill.emoji), self._aim))
        self.close_pill()

    def ask_picker(self, key: str) -> None:
        """Ask for the picker; the pill stays, so that the picker can open in its place and return to it."""
        self._picker_asked = True
        message = self.sheet.roll.get(key)
        part = self._aim if self._pill is not None else self.aim(message) if message is not None else None
        self.post_message(self.PickerRequested(key, part))

    def remove_own(self, message: Message, *, joins: bool = False) -> bool:
        """Ask that the user's reaction be taken back, if there is one; tells whether there is."""
        part = self._aim if self._pill is not None else self.aim(message)
        if message.reactions.by(Author.USER, part.anchor if part is not None else None) is None:
            return False
        self.post_message(self.ReactionRequested(message.key, None, part, joins=joins))
        return True

    def pill_key(self, key: str) -> bool:
        """Act on a key while the pill is open; tells whether it was one of the pill's."""
        pill = self._pill
        if pill is None:
            return False
        if key.isdecimal() and 0 < int(key) <= len(pill.slots):
            self._pill = pill.at(int(key) - 1)
            self.choose()
            return True
        match PILL_COMMANDS.get(key):
            case "left":
                self._pill = pill.moved(-1)
                self.repaint()
            case "right":
                self._pill = pill.moved(1)
                self.repaint()
            case "choose":
                self.choose()
            case "remove":
                message = self.sheet.roll.get(pill.key)
                if message is not None:
                    self.remove_own(message)
                self.close_pill()
            case "picker":
                self.ask_picker(pill.key)
            case "close":
                self.close_pill()
            case None:
                return False
        return True
