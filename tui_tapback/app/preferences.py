"""What of settings, environment and arguments the screens need, decided once at the start."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.resolving import standard
from tui_tapback.client.tapback_memory import GLOBAL, TapbackMemory
from tui_tapback.config.settings import NotificationSettings, Settings
from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.further import FurtherLanguages
from tui_tapback.emoji.normalise import base_of
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.emoji.recents import Recents
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import WidthProfile, detect_profile, speaks_utf8
from tui_tapback.widgets.picker.state import TONES
from tui_tapback.words import _, choose

from .habits import Habits
from .outside import Outside
from .tapbacks.verbs import Verb
from .themes import available, resolve, terminal_is_dark

if TYPE_CHECKING:
    from .settings.desk import SettingsDesk


@value
class Preferences:
    """``theme`` is the name of a theme that exists, ``fitter`` the one place where emoji become cells,
    ``only_ascii`` is true where the locale cannot spell anything else,
    ``zone`` the time zone of days and times (None: the machine's), ``locale`` the language of emoji names,
    ``wanted_theme`` what the person asked for, such as ``auto``, ``dark_terminal`` whether the terminal's
    background is dark, as far as is known, ``desk`` gives where settings are
    changed (None: there is no file behind this program)."""

    theme: str
    fitter: EmojiFitter
    quick_reactions: tuple[str, ...] = QUICK_REACTIONS
    double_click: str = ""
    reduced_motion: bool = False
    badge_marks: str = "auto"
    approve_by_tapback: bool = False
    only_ascii: bool = False
    outside: Outside = field(default_factory=Outside)
    zone: tzinfo | None = None
    locale: str = "en"
    habits: Habits = field(default_factory=lambda: Habits(Recents(time.time)))
    memory: TapbackMemory = field(default_factory=TapbackMemory)
    verbs: Mapping[str, Verb] = field(default_factory=dict[str, Verb])
    notifications: NotificationSettings = field(default_factory=NotificationSettings)
    further: FurtherLanguages = field(default_factory=FurtherLanguages)
    keymap: Keymap = field(default_factory=standard)
    wanted_theme: str = ""
    dark_terminal: bool = True
    desk: Callable[[], SettingsDesk] | None = None

    @property
    def quick(self) -> tuple[str, ...]:
        """The quick reactions of new sessions, in the tones that are wanted."""
        return self.quick_of(GLOBAL)

    def quick_of(self, session_id: str | None) -> tuple[str, ...]:
        """The quick reactions of a session: its own, else the person's, else those of the settings."""
        kept = self.memory.now.quick
        chosen = kept.get(session_id or GLOBAL) or kept.get(GLOBAL) or self.quick_reactions
        return tuple(dict.fromkeys(map(self.habits.form, chosen)))

    @property
    def at_once(self) -> str:
        """What a double click sets, in the tone that is wanted; empty: it opens the pill."""
        return self.habits.form(self.double_click) if self.double_click else ""

    def seventh(self, text: str, session_id: str | None = None) -> str | None:
        """What fits a message best and is not among the quick reactions of the session."""
        quick = self.quick_of(session_id)
        fitting = self.habits.fitting(text, len(quick) + 1, self.locale)
        return next((emoji for emoji in fitting if emoji not in quick), None)

    def following(self, before: Settings, now: Settings, *, dark: bool) -> Preferences:
        """These after other settings count; what the settings left alone stays as it is in this run.

        ``dark``: the terminal's background is. Raises SettingsError for a theme that there is not.
        """
        found: dict[str, Any] = {
            name: getattr(now, name)
            for name in (
                *("quick_reactions", "double_click", "reduced_motion", "badge_marks"),
                *("approve_by_tapback", "notifications"),
            )
            if getattr(now, name) != getattr(before, name)
        }
        if now.theme != before.theme:
            found |= {"theme": theme_of(now.theme, dark=dark), "wanted_theme": now.theme}
        if now.verbs != before.verbs:
            found["verbs"] = verbs_of(now)
        if now.keys != before.keys:
            found["keymap"] = now.keys.keymap()
        if now.skin_tone != before.skin_tone:
            self.habits.prefer_tone(TONES.index(now.skin_tone))
        return replace(self, **found)

    @classmethod
    def of(
        cls,
        settings: Settings,
        environ: Mapping[str, str],
        *,
        theme: str | None = None,
        emoji_profile: str | None = None,
        measured: WidthProfile | None = None,
        dark: bool | None = None,
        recents_file: Path | None = None,
        tapbacks_file: Path | None = None,
        copied_file: Path | None = None,
        desk: Callable[[], SettingsDesk] | None = None,
    ) -> Self:
        """Arguments win over settings; ``measured``, what the terminal is known to draw, over both.
        ``dark`` is what it has told of its background; where that is None the environment is asked.

        Raises SettingsError for a theme or a profile that there is not.
        """
        wanted = theme or settings.theme
        dark = terminal_is_dark(environ.get("COLORFGBG", "")) if dark is None else dark
        name = theme_of(wanted, dark=dark)
        profile = measured or detect_profile(environ, emoji_profile or settings.emoji_profile)
        locale = choose(settings.language, environ)
        recents = Recents.load(recents_file, time.time) if recents_file else Recents(time.time)
        return cls(
            theme=name,
            wanted_theme=wanted,
            dark_terminal=dark,
            desk=desk,
            fitter=EmojiFitter(profile, name_of=lambda emoji: load_catalogue(locale).name(emoji)),
            locale=locale,
            habits=Habits(recents, recents_file, tone=TONES.index(settings.skin_tone)),
            quick_reactions=settings.quick_reactions,
            memory=TapbackMemory(tapbacks_file),
            verbs=verbs_of(settings),
            notifications=settings.notifications,
            keymap=settings.keys.keymap(),
            double_click=settings.double_click,
            badge_marks=settings.badge_marks,
            approve_by_tapback=settings.approve_by_tapback,
            only_ascii=not speaks_utf8(environ),
            outside=Outside(environ, copied_file),
            reduced_motion=settings.reduced_motion or bool(environ.get("TEXTUAL_ANIMATIONS") == "none"),
        )


def verbs_of(settings: Settings) -> Mapping[str, Verb]:
    """What a tapback may offer, by the emoji without its tone."""
    return {base_of(emoji): Verb(verb) for verb, emoji in settings.verbs.chosen()}


def theme_of(wanted: str, *, dark: bool) -> str:
    """The name of a theme for what a person asked for. Raises SettingsError."""
    name = resolve(wanted, dark_terminal=dark)
    if name is None:
        raise SettingsError(
            _("There is no theme {name}.").format(name=_("“{text}”").format(text=clean_line(wanted, 40))),
            hint=_("Choose one of {names}.").format(names=", ".join(available())),
        )
    return name
