"""How a setting is changed on the screen: chosen with a look at each, typed and checked, written at once."""

from __future__ import annotations

from rich.text import Text
from textual import on
from textual.widgets import Input
from textual.widgets.option_list import Option

from tui_tapback.app.preferences import theme_of
from tui_tapback.app.settings.entries import Entry, Kind
from tui_tapback.app.settings.preview import Preview
from tui_tapback.config.values import Value, read_value
from tui_tapback.domain.errors import InvalidInput, SettingsError, TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import detect_profile
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .settings_listing import SettingsListing


class SettingsEditing(SettingsListing):
    """Chooses, types, writes."""

    def _change(self, entry: Entry, value: Value | None) -> None:
        if entry.shared:
            if value is not None:
                self.run_worker(self._share(entry, value), group="shared")
            return
        try:
            self._desk.change(entry.key, value)
        except SettingsError as error:
            self._complain(error)
            return
        self._said = entry.waits or _("Written.")
        found = self._desk.find(entry.key)
        if found.by:
            self._said = _("Written, but {name} goes before it in this run.").format(name=found.by)
        self.lay_out_settings()
        self.call_after_refresh(self._look_again)

    async def _share(self, entry: Entry, value: Value) -> None:
        if isinstance(value, float):
            value = int(value)
        try:
            await self._chat.sharing.set(entry.key, value if not isinstance(value, tuple) else "")
        except TapbackError as error:
            self._complain(error)  # what the gateway has stays what is shown
            return
        self._said = _("The gateway has taken it, for all its clients.")
        self.lay_out_settings()

    def _choose(self, entry: Entry) -> None:
        self._choosing = entry
        self.blame("")
        options = [
            Option(Text(f"{'•' if choice == entry.value else ' '} {choice}"), id=choice)
            for choice in entry.choices
        ]
        self.fill(options, str(entry.value))

    async def _try_out(self, entry: Entry, choice: str) -> None:
        now = self._preferences()
        if entry.key == "theme":
            app = app_of(self)
            app.theme = theme_of(choice, dark=getattr(app, "dark_terminal", True))
        elif entry.key == "emoji_profile":
            fitter = EmojiFitter(detect_profile(now.outside.environ, choice))
            await self.query_one(Preview).look(fitter, now.quick)

    async def _look_again(self) -> None:
        now = self._preferences()
        app_of(self).theme = now.theme
        await self.query_one(Preview).look(now.fitter, now.quick)

    def _back_to(self, entry: Entry) -> None:
        self._choosing = None
        self.lay_out_settings()
        ids = [option.id for option in self.listing.options]
        self.listing.highlighted = ids.index(entry.key) if entry.key in ids else None
        self.call_after_refresh(self._look_again)

    def _type(self, entry: Entry) -> None:
        self._typing = entry
        line = self.query_one("#value", Input)
        line.password = entry.kind is Kind.SECRET
        line.placeholder = entry.expected
        line.value = entry.typed
        line.cursor_position = len(line.value)
        self.add_class("-typing")
        line.focus()
        self.blame("")

    def _read(self, entry: Entry, text: str) -> Value:
        if not entry.shared:
            return read_value(entry.key, text)
        if not text.strip().isdigit():
            raise InvalidInput(_("It must be {expected}.").format(expected=entry.expected))
        return int(text)

    @on(Input.Changed, "#value")
    def _check(self, event: Input.Changed) -> None:
        event.stop()
        if self._typing is None:
            return
        try:
            self._read(self._typing, event.value)
        except TapbackError as error:
            self.blame(clean_line(error.sentence(), 200))
        else:
            self.blame("")

    @on(Input.Submitted, "#value")
    def _typed(self, event: Input.Submitted) -> None:
        event.stop()
        entry = self._typing
        if entry is None:
            return
        try:
            value = self._read(entry, event.value)
        except TapbackError as error:
            self.blame(clean_line(error.sentence(), 200))
            return  # it can be put right
        self._stop_typing()
        self._change(entry, value)

    def _stop_typing(self) -> None:
        self._typing = None
        self.query_one("#value", Input).value = ""
        self.remove_class("-typing")
        self.listing.focus()
        self.blame("")
