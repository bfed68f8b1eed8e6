"""Figures of one's tapbacks, counted on this machine only and reset at will."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.binding import BindingType

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.keyed import keymap_of
from tui_tapback.app.tapbacks.who import moment
from tui_tapback.client import tapback_memory as memory
from tui_tapback.client.tapback_history import Change
from tui_tapback.client.tapback_memory import Kept, TapbackMemory
from tui_tapback.domain.reactions import Author
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _, mark

from .panel import Panel
from .tapping import TappingScreen

MOST = 8
"""Emoji of each side that are listed."""
BAR = 16
"""Cells of the longest bar."""


def bars(counts: Mapping[str, int], most: int = MOST) -> list[tuple[str, int, int]]:
    """The emoji counted most, first the most: emoji, count, cells of its bar."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
    top = ranked[0][1] if ranked else 1
    return [(emoji, count, max(1, round(BAR * count / top))) for emoji, count in ranked]


class FiguresPanel(Panel[None]):
    """Given and received, with bars. ``figures_anew`` twice begins anew."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Group.FIGURES)]
    place_in = Context.FIGURES

    def __init__(
        self,
        kept: TapbackMemory,
        *,
        since: Callable[[float], str],
        fit: Callable[[str], str],
        clock: Callable[[], float],
        ascii_only: bool,
    ) -> None:
        super().__init__(
            _("My tapbacks"), (("figures_anew", mark("begins anew")), ("list_close", mark("closes")))
        )
        self._kept = kept
        self._since = since
        self._fit = fit
        self._clock = clock
        self._bar = "#" if ascii_only else "▪"
        self._sure = False

    def lay_out(self) -> None:
        """A line for each emoji."""
        now: Kept = self._kept.now
        given, received = sum(now.given.values()), sum(now.received.values())
        if not given and not received:
            words = _("No tapback has been counted yet.")
        else:
            words = _("You gave {given}, the agent gave {received}, since {since}.").format(
                given=given, received=received, since=self._since(now.counted_from)
            )
        lines = [*self._lines(_("You"), now.given), *self._lines(_("Agent"), now.received)]
        aside = _("Counted on this machine; sent nowhere.")
        if self._sure:
            aside = _("{key} again forgets all figures.").format(key=keymap_of(self).way("figures_anew"))
        self.lay(words, lines, aside)

    def _lines(self, who: str, counts: Mapping[str, int]) -> list[Text]:
        found: list[Text] = []
        for emoji, count, cells in bars(counts):
            shown = self._fit(emoji)
            pad = " " * max(0, 4 - cell_len(shown))
            found.append(Text.assemble((f"{who:<6}", "dim"), shown, pad, self._bar * cells, f" {count}"))
        return found

    def action_reset(self) -> None:
        """Ask, then forget."""
        if self._sure:
            self._kept.change(memory.figures_reset(self._clock()))
        self._sure = not self._sure
        self.lay_out()


class FiguresPart(TappingScreen):
    """Counts what the person gives; what the agent gives is counted where it is noticed."""

    def reacted(self, change: Change, *, joins: bool) -> None:
        """One more."""
        super().reacted(change, joins=joins)
        if change.after is not None:
            self._count(change.after)

    def _count(self, emoji: str) -> None:
        self.preferences.memory.change(memory.counted(Author.USER, emoji, self.clock()))

    def stepped(self, changes: Sequence[Change], *, back: bool) -> None:
        """What is undone was not given after all; to take one away was never counted."""
        super().stepped(changes, back=back)
        for change in changes:
            if back and change.before is not None:
                self.preferences.memory.change(memory.uncounted(change.before))
            elif not back and change.after is not None:
                self._count(change.after)

    def action_figures(self) -> None:
        """Show the figures."""
        zone, now = self.preferences.zone, self.clock()
        panel = FiguresPanel(
            self.preferences.memory,
            since=lambda at: moment(at, now, zone),
            fit=self.preferences.fitter.fit_text,
            clock=self.clock,
            ascii_only=not self.preferences.fitter.profile.utf8,
        )
        app_of(self).push_screen(panel)
