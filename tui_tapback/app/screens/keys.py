"""The screen of all keys: look one up, press a new one for it, and hear of conflicts before it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import BindingType

from tui_tapback import __version__
from tui_tapback.actions.action import Action, Group
from tui_tapback.actions.chords import LONGEST
from tui_tapback.actions.contexts import Context
from tui_tapback.actions.presets import PRESETS
from tui_tapback.actions.resolving import chord_shown
from tui_tapback.actions.showing import show_key
from tui_tapback.app.actions import bindings
from tui_tapback.app.preferences import Preferences
from tui_tapback.config.keys import TABLE, judged
from tui_tapback.domain.errors import SettingsError
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _, mark, plural

from .foot import Piece
from .help import HelpScreen
from .keys_listing import KeysListing
from .telling import TellingScreen

if TYPE_CHECKING:  # the desk writes files, which the start can do without
    from tui_tapback.app.settings.desk import SettingsDesk
    from tui_tapback.config.values import Value

MOST_TOLD: Final = 3
"""Conflicts that are told one by one."""
_ACTS: Final = (
    ("list_choose", mark("new")),
    ("keys_more", mark("more")),
    ("keys_none", mark("no key")),
    ("keys_default", mark("default")),
    ("keys_preset", mark("preset")),
    ("keys_find", mark("find")),
    ("list_close", ""),
)


class KeysScreen(KeysListing):
    """All actions that can have a key. ``preferences`` gives the keymap in use; what ``desk`` writes counts
    at once."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Group.KEYS)]
    place_in = Context.KEYS

    def __init__(self, desk: SettingsDesk, preferences: Callable[[], Preferences]) -> None:
        super().__init__(desk, preferences, _ACTS)
        self._catching: Action | None = None
        self._beside = ""
        self._caught: tuple[str, ...] = ()

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
        self._say(_("Press the new key for “{action}”.").format(action=_(item.title)))

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
            _("{keys} for “{action}”; another key makes two of it.").format(
                keys=chord_shown(self._caught), action=_(item.title)
            ),
            *(problem.sentence for problem in problems[:MOST_TOLD]),
        ]
        if (more := len(problems) - MOST_TOLD) > 0:
            told.append(
                plural("{count} more like this.", "{count} more like these.", more).format(count=more)
            )
        self._say("\n".join(told))

    def action_keep(self) -> None:
        """A click on what Enter does while a key is asked for."""
        self.catch("enter")

    def action_give_up(self) -> None:
        """A click on what Esc does then."""
        self.catch("escape")

    def foot(self) -> list[Piece]:
        """While a key is asked for only two keys are what they always are."""
        if self._catching is None:
            return super().foot()
        gives_up = (show_key("escape"), _("gives up"), "give_up")
        return [(show_key("enter"), _("writes it"), "keep"), gives_up] if self._caught else [gives_up]

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
