"""The screen of all keys: look one up, press a new one for it, and hear of conflicts before it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList

from tui_tapback import __version__
from tui_tapback.actions.action import Action
from tui_tapback.actions.chords import LONGEST
from tui_tapback.actions.contexts import mappable
from tui_tapback.actions.presets import PRESETS, TOLD
from tui_tapback.actions.resolving import chord_shown
from tui_tapback.actions.table import ACTIONS
from tui_tapback.app.preferences import Preferences
from tui_tapback.config.keys import TABLE, KeySettings, judged
from tui_tapback.domain.errors import SettingsError
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.terminal.graphemes import crop
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .help import HelpScreen
from .panel import Panel
from .telling import TellingScreen

if TYPE_CHECKING:  # the desk writes files, which the start can do without
    from tui_tapback.app.settings.desk import SettingsDesk
    from tui_tapback.config.values import Value

WIDE: Final = 18
"""Cells for the keys in front of what they do."""
WIDEST: Final = 68


class KeysScreen(Panel[None]):
    """All actions that can have a key. ``preferences`` gives the keymap in use; what ``desk`` writes counts
    at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("plus", "further", show=False),
        Binding("d,delete", "default", show=False),
        Binding("minus", "none", show=False),
        Binding("p", "preset", show=False),
        Binding("slash", "filter", show=False),
    ]

    def __init__(self, desk: SettingsDesk, preferences: Callable[[], Preferences]) -> None:
        super().__init__(
            _("Keys"),
            _("Enter new · + more · - none · d default · p preset · / find · Esc"),
            asks=_("words of the action, or its key"),
            most=40,
        )
        self._desk = desk
        self._preferences = preferences
        self._wanted = self._wanted_before = ""
        self._said = ""
        self._shown: tuple[Action, ...] = ()
        self._catching: Action | None = None
        self._beside = ""
        self._caught: tuple[str, ...] = ()

    # what is shown

    @property
    def _own(self) -> KeySettings:
        return self._desk.settings.keys

    def lay_out(self) -> None:
        """The preset in words, then a line for each action."""
        keymap = self._preferences().keymap
        wanted = self._wanted.casefold()
        self._shown = tuple(
            item
            for item in ACTIONS
            if mappable(item) and wanted in f"{_(item.title)} {item.id} {keymap.shown(item.id)}".casefold()
        )
        words = f"{keymap.preset}: {_(TOLD[keymap.preset])}"
        if self._wanted:
            words += "\n" + _("Only: {words}").format(words=self._wanted)
        if not self._shown:
            words += "\n" + _("No action is called so.")
        told = "\n".join(problem.sentence for problem in keymap.problems[:3])
        self.lay(words, [self._line(item) for item in self._shown], self._said or told)

    def _line(self, item: Action) -> Text:
        keys = self._preferences().keymap.shown(item.id)
        own = "* " if item.id in self._own.map else "  "
        place = f"  {item.group.name.lower()}"
        room = (self.query_one(OptionList).size.width or WIDEST) - WIDE - len(place) - 5
        line = Text(f"{own}{crop(keys or '-', WIDE, ellipsis='…'):{WIDE}} ", style="bold")
        return line.append(crop(_(item.title), max(8, room), ellipsis="…"), "not bold").append(place, "dim")

    def _say(self, text: str) -> None:
        self._said = text
        self.lay_out()

    @property
    def _under(self) -> Action | None:
        return None if self.place is None else self._shown[self.place]

    # a new key

    @property
    def catching(self) -> bool:
        """Whether the next key is to be heard as it is, whatever it means elsewhere."""
        return self._catching is not None

    def chosen(self, place: int) -> None:
        """Another key instead of those that are there."""
        self._begin(self._shown[place], beside=False)

    def action_further(self) -> None:
        """Another key beside those that are there."""
        if self._under is not None:
            self._begin(self._under, beside=True)

    def _begin(self, item: Action, *, beside: bool) -> None:
        keys = self._preferences().keymap.keys(item.id) if beside else ()
        self._catching, self._beside, self._caught = item, ", ".join(keys), ()
        self._say(_("Press the new key for “{action}”. Esc gives up.").format(action=_(item.title)))

    def catch(self, key: str) -> None:
        """A key was pressed while one was asked for. Enter after it writes it, another one makes two."""
        item = self._catching
        if item is None:
            return
        if key == "escape":
            self._catching = None
            self._say("")
        elif key == "enter" and self._caught:
            self._catching = None
            self._write(item, self._new())
        else:
            self._caught = (*self._caught, key) if len(self._caught) < LONGEST else (key,)
            self._judge(item)

    def _new(self) -> str:
        return ", ".join(filter(None, (self._beside, " ".join(self._caught))))

    def _judge(self, item: Action) -> None:
        """Say what the key would do, before anything is written."""
        problems = judged(self._own.preset, self._own.map, item.id, self._new())
        told = [
            _("{keys} for “{action}”: Enter writes it, Esc gives up, another key makes two of it.").format(
                keys=chord_shown(self._caught), action=_(item.title)
            ),
            *(problem.sentence for problem in problems),
        ]
        self._say("\n".join(told))

    # what is written

    def action_default(self) -> None:
        """The keys of the preset again."""
        if (item := self._under) is not None:
            self._write(item, None if item.id in self._own.map else "", forget=True)

    def action_none(self) -> None:
        """No key at all."""
        if (item := self._under) is not None:
            self._write(item, "")

    def action_preset(self) -> None:
        """The next preset."""
        names = list(PRESETS)
        self._change("keys.preset", names[(names.index(self._own.preset) + 1) % len(names)])
        self._say("")

    def _write(self, item: Action, keys: str | None, *, forget: bool = False) -> None:
        if forget and keys is not None:
            self._say(_("“{action}” has the keys of the preset already.").format(action=_(item.title)))
            return
        problems = () if keys is None else judged(self._own.preset, self._own.map, item.id, keys)
        refused = [problem for problem in problems if problem.kind == "refused"]
        if refused:
            self._say(_("Not written. {why}").format(why=" ".join(each.sentence for each in refused)))
            return
        if self._change(f"{TABLE}.{item.id}", keys):
            shown = self._preferences().keymap.shown(item.id) or _("no key")
            self._say(_("“{action}”: {keys}").format(action=_(item.title), keys=shown))

    def _change(self, key: str, value: Value | None) -> bool:
        try:
            self._desk.change(key, value)
        except SettingsError as error:
            self._say(error.sentence())
            return False
        return True

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


class KeysPart(TellingScreen):
    """Opens the help and the screen of the keys."""

    preferences: Preferences

    def action_help(self) -> None:
        """All keys; from there they can be changed."""
        foot = f"tui_tapback {__version__} · Emoji {load_catalogue().version:g}"
        screen = HelpScreen(foot, self.preferences.keymap, self.preferences.fitter.fit_text)
        app_of(self).push_screen(screen, self._help_left)

    def _help_left(self, change: bool | None) -> None:
        if change:
            self.action_keys()

    def action_keys(self) -> None:
        """Look up and change keys; without a settings file only the look is to be had, in the help."""
        if self.preferences.desk is None:
            self.tell(_("There is no settings file behind this program."), "warning")
            return
        app_of(self).push_screen(KeysScreen(self.preferences.desk(), lambda: self.preferences))
