"""The list of settings as it is shown: grouped, searched, the one under the cursor explained."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text
from textual.widgets import Input
from textual.widgets.option_list import Option

from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.settings.desk import SettingsDesk
from tui_tapback.app.settings.entries import Entry, entry_of, grouped, shared_entries
from tui_tapback.app.settings.preview import Preview
from tui_tapback.client.gateway_settings import GatewaySettings
from tui_tapback.config.folders import shown
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.graphemes import crop
from tui_tapback.words import _

from .settings_frame import SettingsFrame


class SettingsListing(SettingsFrame):
    """Shows the settings of ``desk`` and those of the gateway behind ``chat``.

    ``preferences`` gives those in use, ``quick`` opens the screen of the quick reactions.
    """

    def __init__(
        self,
        desk: SettingsDesk,
        chat: ChatSession,
        preferences: Callable[[], Preferences],
        quick: Callable[[Callable[[], None]], None],
    ) -> None:
        now = preferences()
        super().__init__(Preview(now.fitter, now.quick))
        self._desk, self._chat, self._preferences, self._quick = desk, chat, preferences, quick
        self._entries: dict[str, Entry] = {}
        self._choosing: Entry | None = None
        self._typing: Entry | None = None
        self._said = ""
        self._shared = chat.state.shared

    def on_mount(self) -> None:
        """The list has the keys; nothing blinks where motion is reduced."""
        self.listing.focus()
        for line in self.query(Input):
            line.cursor_blink = not self._preferences().reduced_motion

    def on_resize(self) -> None:
        """Lines are as long as there is room."""
        self.label()
        self.call_after_refresh(self.lay_out_settings)

    def lay_out_settings(self) -> None:
        """Show the settings as they are now, the cursor where it was."""
        if not self.is_mounted or self._choosing is not None:
            return
        entries = [
            *(entry_of(each) for each in self._desk.all()),
            *shared_entries(self._chat.state.shared),
        ]
        wanted = self.under.key if self.under else None
        self._entries = {entry.key: entry for entry in entries}
        options: list[Option] = []
        for group, held in grouped(entries, self.query_one("#search", Input).value):
            options.append(Option(Text(_(group)), disabled=True))
            options += [Option(self._line(entry), id=entry.key) for entry in held]
        self.fill(options or [Option(Text(_("Nothing is called that.")), disabled=True)], wanted)
        trouble = self._desk.trouble
        self.blame(self._sentence(trouble) if trouble else "")
        self._explain()

    def follow(self, shared: GatewaySettings) -> None:
        """The gateway's settings as they are now."""
        if shared != self._shared:
            self._shared = shared
            self.lay_out_settings()

    def _line(self, entry: Entry) -> Text:
        wide = self.cells >= 60
        name = min(30, self.cells // 2)
        told = Text(no_wrap=True, overflow="ellipsis")
        told.append(("• " if entry.changed else "  ") + crop(entry.key, name - 1, ellipsis="…").ljust(name))
        fit = self._preferences().fitter.fit_text
        told.append(fit(entry.shown), style="bold" if entry.changed else "")
        if wide and entry.changed:
            told.append(f"   {entry.origin}", style="dim")
        return told

    @property
    def under(self) -> Entry | None:
        """The setting under the cursor."""
        listing = self.listing
        if listing.highlighted is None or self._choosing is not None:
            return self._choosing
        return self._entries.get(listing.get_option_at_index(listing.highlighted).id or "")

    def _explain(self) -> None:
        entry = self.under
        if entry is None:
            self.say(Text(self._said))
            return
        told = Text(f"{_(entry.meaning)} {entry.waits}".strip())
        told.append(
            "\n" + _("Default: {value}").format(value=entry.default or _("none")) + f" · {entry.origin}",
            "dim",
        )
        if self._said:
            told.append(f"\n{self._said}", "bold")
        self.say(told)

    def _sentence(self, error: TapbackError) -> str:
        """Without the path of the file, which is long and known."""
        return clean_line(error.sentence().replace(f"{shown(self._desk.file.path)}, ", ""), 300)

    def _complain(self, error: TapbackError) -> None:
        self.lay_out_settings()
        self.blame(self._sentence(error))
