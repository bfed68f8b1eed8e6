"""What is new and wants to be noticed: badges that pop once, and tapbacks that came out of sight."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author

from ..fitter import Fitter
from ..host import app_of
from .look import Slot
from .places import PlacedView
from .roll import Changes, Entry

POP_SECONDS: Final = 0.2
UNREAD_MOST: Final = 200


class AttentionView(PlacedView):
    """A view that shows what has come. ``motion`` False: nothing moves or flashes.

    ``pace`` is the least time in seconds, by ``ticks``, between two frames of a growing answer (0: a frame
    for each piece of it). What a person does and everything else that comes is drawn at once.
    """

    def __init__(self, fitter: Fitter, *, motion: bool = True, pace: float = 0.0, **options: Any) -> None:
        super().__init__(fitter, **options)
        self.motion = motion
        self.pace = pace
        self.ticks: Callable[[], float] = time.monotonic
        self._grown_at = -math.inf  # when a growing answer was drawn last
        self.sheet.lazy = pace > 0
        self._unread: dict[str, None] = {}
        self._waiting: asyncio.TimerHandle | None = None

    @property
    def unread_tapbacks(self) -> tuple[str, ...]:
        """Keys of messages that were tapped back on while they were out of sight, oldest first."""
        return tuple(self._unread)

    @property
    def visible_keys(self) -> tuple[str, ...]:
        """Keys of the messages of which something is on the screen now."""
        if self.sheet.painter is None:
            return ()
        entries = self.sheet.roll.entries
        return tuple(entries[index].message.key for index in self.sheet.window.visible())

    def forget(self) -> None:
        """What was new goes with the messages."""
        self._unread = {}
        super().forget()
        self.sheet.lazy = self.pace > 0

    def took(self, old: Sequence[Entry], changes: Changes) -> None:
        """Let new badges in view pop, and remember the agent's that came out of view."""
        super().took(old, changes)
        visible = self.sheet.window.visible() if self.sheet.painter is not None else range(0)
        for index, before in zip(changes.changed, changes.before, strict=True):
            after = self.sheet.roll.entries[index].message
            fresh = _fresh(before, after)
            if not fresh:
                continue
            seen = index in visible and app_of(self).app_focus
            if not seen and any(author is Author.AGENT for author, _ in fresh):
                self._unread[after.key] = None
                if len(self._unread) > UNREAD_MOST:
                    del self._unread[next(iter(self._unread))]
            if index in visible and self.motion:
                self._pop(after.key, fresh)

    def _pop(self, key: str, slots: frozenset[Slot]) -> None:
        popping = self.sheet.looks.popping
        popping[key] = popping.get(key, frozenset()) | slots

        def calm() -> None:
            left = popping.pop(key, frozenset()) - slots
            if left:
                popping[key] = left
            self.repaint()

        self.set_timer(POP_SECONDS, calm)

    def next_unread(self) -> str | None:
        """The message with the oldest tapback that nobody has seen; from now on it is seen."""
        while self._unread:
            key = next(iter(self._unread))
            del self._unread[key]
            if self.sheet.roll.index(key) is not None:
                return key
        return None

    def repaint(self) -> None:
        """What comes into view is seen."""
        super().repaint()
        if self._unread and self.sheet.painter is not None and app_of(self).app_focus:
            for index in self.sheet.window.visible():
                self._unread.pop(self.sheet.roll.entries[index].message.key, None)

    def paint_change(self, changes: Changes) -> None:
        """Draw a growing answer at its pace, and all else at once."""
        if not self.sheet.lazy or not changes.grown(self.sheet.roll):
            self.repaint()
        elif self._waiting is None:
            left = self._grown_at + self.pace - self.ticks()
            if left <= 0:
                self._draw_grown()
            else:  # a handle of the loop: Textual's timers are a task each
                self._waiting = asyncio.get_running_loop().call_later(left, self._draw_grown)

    def _draw_grown(self) -> None:
        self._waiting = None
        self._grown_at = self.ticks()
        if self.is_attached:
            self.repaint()


def _fresh(before: Message, after: Message) -> frozenset[Slot]:
    """The slots with another emoji than before, or with one at all."""
    if after.reactions is before.reactions:
        return frozenset()
    found: set[Slot] = set()
    for reaction in after.reactions:
        present = before.reactions.by(*reaction.slot)
        if present is None or present.emoji != reaction.emoji:
            found.add(reaction.slot)
    return frozenset(found)
