"""An app whose settings change while it runs: from its own screen, or from an editor that saves the file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, Protocol, runtime_checkable

from textual.app import App

from tui_tapback.app.preferences import Preferences, theme_of
from tui_tapback.client.gateway_settings import GatewaySettings
from tui_tapback.config.settings import Settings
from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _

if TYPE_CHECKING:
    from .desk import Seen

GLANCE: Final = 0.7
"""Seconds between two looks at the file, one ``stat`` each. A program that is suspended does not look."""


_CONNECTIONS: Final = "connections"


@runtime_checkable
class ShowsSettings(Protocol):
    """A screen that shows settings."""

    def lay_out_settings(self) -> None:
        """Show them as they are now."""
        ...

    def follow(self, shared: GatewaySettings) -> None:
        """Show the gateway's settings as they are now."""
        ...


class LiveApp(App[None]):
    """Takes over what the settings file says and hands it down; ``preferences`` are what counts."""

    preferences: Preferences

    @property
    def dark_terminal(self) -> bool:
        """Whether the terminal's background is dark, as far as is known."""
        return self.preferences.dark_terminal

    def watch_settings(self) -> None:
        """Begin to look at the file; what it says now counts already."""
        if self.preferences.desk is None:
            return
        desk = self.preferences.desk()
        desk.follow(self._follow_settings)
        if desk.trouble is not None:
            self._refused(desk.trouble)
        self.set_interval(GLANCE, self._glance)

    def _glance(self) -> None:
        desk = self.preferences.desk
        if desk is None:
            return
        try:
            seen = desk().glance()
        except SettingsError as error:
            self._refused(error)
            return
        if seen is not None:
            for sentence in told(seen):
                self.tell_all(sentence)
            for warning in seen.warnings:
                self.tell_all(warning, "warning")
            self.settings_seen()

    def _refused(self, error: SettingsError) -> None:
        self.tell_all(_("The settings stay as they were. {why}").format(why=error.sentence()), "error")
        self.settings_seen()

    def tell_all(self, text: str, level: Literal["information", "warning", "error"] = "information") -> None:
        """A toast, whatever screen is on top."""
        self.notify(clean_line(text, 500), severity=level, timeout=8.0, markup=False)

    def _follow_settings(self, before: Settings, now: Settings) -> None:
        self.prefer(self.preferences.following(before, now, dark=self.dark_terminal))

    def keep_theme(self, choice: str) -> None:
        """This theme from now on, written like a setting that is changed on its screen."""
        if self.preferences.desk is not None:
            try:
                self.preferences.desk().change("theme", choice)
            except SettingsError as error:
                words = _("The theme counts for this run only. {why}")
                self.tell_all(words.format(why=error.sentence()), "warning")
        name = theme_of(choice, dark=self.dark_terminal)
        self.prefer(replace(self.preferences, theme=name, wanted_theme=choice))

    def terminal_is(self, *, dark: bool) -> None:
        """The terminal has told what its background is; a theme that follows it does so at once."""
        if dark is not self.dark_terminal:
            name = theme_of(self.preferences.wanted_theme, dark=dark)
            self.prefer(replace(self.preferences, theme=name, dark_terminal=dark))

    def prefer(self, preferences: Preferences) -> None:
        """Let other preferences count; a screen hands them down."""
        if preferences.theme != self.preferences.theme:
            self.theme = preferences.theme
        self.preferences = preferences

    def settings_seen(self) -> None:
        """The settings, or what is wrong with them, are others now."""
        for screen in self.screen_stack:
            if isinstance(screen, ShowsSettings):
                screen.lay_out_settings()


def told(seen: Seen) -> list[str]:
    """What is said after an editor saved the file: which settings are new, and which of them wait."""
    if not seen.keys:
        return []
    from tui_tapback.config.values import split_key

    gateways = dict.fromkeys(split_key(key)[1] for key in seen.keys if key.startswith(f"{_CONNECTIONS}."))
    keys = [key for key in seen.keys if not key.startswith(f"{_CONNECTIONS}.")]
    said = [_("The connection “{name}” is saved.").format(name=name) for name in gateways]
    if keys:
        names = ", ".join(keys[:6]) + (" …" if len(keys) > 6 else "")
        said.append(_("Taken over from the settings file: {names}.").format(names=names))
    if seen.waiting:
        said.append(_("{names}: counts after a new start.").format(names=", ".join(seen.waiting[:6])))
    return said
