"""What a screen offers that concerns the whole program: commands, colours, suspending and leaving."""

from __future__ import annotations

from textual.screen import Screen

from tui_tapback.app.palette import ActionProvider
from tui_tapback.app.palette_themes import ThemeProvider
from tui_tapback.app.search_window import SearchWindow
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _


class ProgramScreen(Screen[None]):
    """A screen with these actions."""

    def action_palette(self) -> None:
        """Search all commands."""
        app_of(self).push_screen(SearchWindow(providers=[ActionProvider], placeholder=_("Search commands…")))

    def action_theme(self) -> None:
        """Choose a theme by name, seen at once and kept in the settings."""
        app_of(self).push_screen(SearchWindow(providers=[ThemeProvider], placeholder=_("Search themes…")))

    def action_suspend(self) -> None:
        """Back to the shell that started us, until it calls us again."""
        app_of(self).action_suspend_process()

    def action_quit(self) -> None:
        """Leave."""
        app_of(self).exit()
