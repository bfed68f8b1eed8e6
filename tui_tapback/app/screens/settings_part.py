"""Opens the screen of the settings from the chat, and keeps it told of what the gateway has."""

from __future__ import annotations

from tui_tapback.app.settings.live import ShowsSettings
from tui_tapback.client.state import ClientState
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .quick import QuickPart


class SettingsPart(QuickPart):
    """Opens the screen of the settings, which hears of what the gateway has."""

    def show_state(self, state: ClientState) -> None:
        """Another client may have changed what the gateway keeps for all."""
        super().show_state(state)
        top = app_of(self).screen
        if isinstance(top, ShowsSettings):
            top.follow(state.shared)

    def action_settings(self) -> None:
        """All settings; without a file behind the program there are none to change."""
        if self.preferences.desk is None:
            self.tell(_("There is no settings file behind this program."), "warning")
            return
        from .settings import SettingsScreen  # with the writing of files: not at the start

        app_of(self).push_screen(
            SettingsScreen(self.preferences.desk(), self.chat, lambda: self.preferences, self.open_quick)
        )
