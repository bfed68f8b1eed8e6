"""The list of all actions that can have a key: which keys each has, where it works, and finding one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Text
from textual.widgets import Input, OptionList

from tui_tapback.actions.action import Action
from tui_tapback.actions.contexts import mappable
from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.presets import TOLD
from tui_tapback.actions.table import ACTIONS
from tui_tapback.app.preferences import Preferences
from tui_tapback.config.keys import KeySettings
from tui_tapback.terminal.graphemes import crop
from tui_tapback.words import _

from .foot import Act
from .panel import Panel

if TYPE_CHECKING:  # the desk writes files, which the start can do without
    from tui_tapback.app.settings.desk import SettingsDesk

WIDE: Final = 18
NARROW: Final = 10
"""Cells for the keys in front of what they do, on a wide screen and on a narrow one."""
WIDEST: Final = 60
"""Cells of the list from which on there is room for all."""
SHORTEST: Final = 6
"""Cells of which the place of an action needs more."""


class KeysListing(Panel[None]):
    """``preferences`` gives the keymap in use, ``desk`` what a person has written of it."""

    def __init__(
        self, desk: SettingsDesk, preferences: Callable[[], Preferences], acts: Sequence[Act]
    ) -> None:
        super().__init__(_("Keys"), acts, asks=_("words of the action, or its key"), most=40)
        self._desk = desk
        self._preferences = preferences
        self._wanted = self._wanted_before = ""
        self._said = ""
        self._shown: tuple[Action, ...] = ()

    # what is shown

    @property
    def _own(self) -> KeySettings:
        return self._desk.settings.keys

    def lay_out(self) -> None:
        """The preset in words, then a line for each action."""
        keymap = self._preferences().keymap
        wanted = self._wanted.casefold()
        self._shown = tuple(
            item for item in ACTIONS if mappable(item) and wanted in self._sought(item, keymap)
        )
        words = f"{keymap.preset}: {_(TOLD[keymap.preset])}"
        if self._wanted:
            words += "\n" + _("Only: {words}").format(words=self._wanted)
        if not self._shown:
            words += "\n" + _("No action is called so.")
        told = "\n".join(problem.sentence for problem in keymap.problems[:3])
        self.lay(words, [self._line(item) for item in self._shown], self._said or told)

    @staticmethod
    def _sought(item: Action, keymap: Keymap) -> str:
        """All by which an action is found."""
        return f"{_(item.title)} {item.id} {keymap.shown(item.id)} {_(item.group.value)}".casefold()

    def on_resize(self) -> None:
        """Other room for the lines."""
        self.call_after_refresh(self.lay_out)

    def _line(self, item: Action) -> Text:
        keys = self._preferences().keymap.shown(item.id)
        own = "* " if item.id in self._own.map else "  "
        cells = self.query_one(OptionList).size.width or WIDEST
        wide = WIDE if cells >= WIDEST else NARROW
        shown = crop(keys or "-", wide, ellipsis="…")
        line = Text().append(own + shown + " " * (wide - cell_len(shown) + 1), "bold")
        room = cells - line.cell_len - 3  # padding and scrollbar
        title = crop(_(item.title), room, ellipsis="…")
        line.append(title)
        room -= cell_len(title) + 2
        if room >= SHORTEST:
            line.append(f"  {crop(_(item.group.value), room, ellipsis='…')}", "dim")
        return line

    def _say(self, text: str) -> None:
        self._said = text
        self.lay_out()

    @property
    def _under(self) -> Action | None:
        return None if self.place is None else self._shown[self.place]

    # finding

    def action_filter(self) -> None:
        """Type what to look for."""
        self._wanted_before = self._wanted
        self.begin_typing(self._wanted)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what it fits while it is typed; empty text shows all."""
        event.stop()
        if self.has_class("-typing"):
            self._wanted = event.value.strip()
            self.lay_out()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep what it fits."""
        event.stop()
        self._wanted = self._wanted_before = event.value.strip()
        self.action_leave()

    def action_leave(self) -> None:
        """Esc while typing shows what was shown before."""
        if self.has_class("-typing"):
            self._wanted = self._wanted_before
        super().action_leave()
