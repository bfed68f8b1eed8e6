"""The screen of all settings: searched, explained, edited in place, seen at once, taken back."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text
from textual import on
from textual.app import SuspendNotSupported
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences, theme_of
from tui_tapback.app.settings.desk import SettingsDesk
from tui_tapback.app.settings.entries import Entry, Kind, entry_of, grouped, shared_entries
from tui_tapback.app.settings.preview import Preview
from tui_tapback.app.writing.editor import edit_file
from tui_tapback.client.gateway_settings import GatewaySettings
from tui_tapback.client.state import ClientState
from tui_tapback.config.folders import shown
from tui_tapback.config.values import Value, read_value
from tui_tapback.domain.errors import InvalidInput, SettingsError, TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.graphemes import crop
from tui_tapback.terminal.profile import detect_profile
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .quick import QuickPart
from .settings_frame import SettingsFrame


class SettingsScreen(SettingsFrame):
    """All settings of the file, and those that the gateway keeps. Each change is written at once.

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
        """The list has the keys."""
        self.listing.focus()

    def on_resize(self) -> None:
        """Lines are as long as there is room."""
        self.label()
        self.call_after_refresh(self.lay_out_settings)

    # what is shown

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

    @on(OptionList.OptionHighlighted)
    async def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self._choosing is not None:
            await self._try_out(self._choosing, str(event.option.id))
            return
        self._explain()

    # changing

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self._choosing is not None:
            entry, self._choosing = self._choosing, None
            self._change(entry, event.option.id)
            self._back_to(entry)
        else:
            self.action_change()

    def action_change(self) -> None:
        """Change the setting under the cursor, as its kind is changed."""
        entry = self.under
        self._said = ""
        if entry is None:
            return
        match entry.kind:
            case Kind.SWITCH:
                self._change(entry, entry.stepped(1))
            case Kind.CHOICE:
                self._choose(entry)
            case Kind.QUICK:
                self._quick(self._seen_again)
            case _:
                self._type(entry)

    def _seen_again(self) -> None:
        self.lay_out_settings()
        self.call_after_refresh(self._look_again)

    def action_step(self, delta: int) -> None:
        """The next or the previous choice, in place."""
        entry = self.under
        found = entry.stepped(delta) if entry and self._choosing is None else None
        if entry is not None and found is not None:
            self._change(entry, found)

    def action_default(self) -> None:
        """Back to the default."""
        entry = self.under
        if entry is None or self._choosing is not None:
            return
        if entry.shared:
            self.blame(_("The gateway tells no default."))
        else:
            self._change(entry, None)

    def action_undo(self) -> None:
        """Take back the last change."""
        try:
            done = self._desk.undo()
        except SettingsError as error:
            self._complain(error)
            return
        self._said = _("Taken back: {name}.").format(name=done.key) if done else _("Nothing to take back.")
        self.lay_out_settings()

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

    def _complain(self, error: TapbackError) -> None:
        self.lay_out_settings()
        self.blame(self._sentence(error))

    def _sentence(self, error: TapbackError) -> str:
        """Without the path of the file, which is long and known."""
        return clean_line(error.sentence().replace(f"{shown(self._desk.file.path)}, ", ""), 300)

    # choosing, with a look at each

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

    # typing

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

    # searching, and leaving

    @on(Input.Changed, "#search")
    def _searched(self, event: Input.Changed) -> None:
        event.stop()
        self._choosing = None
        self.lay_out_settings()

    @on(Input.Submitted, "#search")
    def _found(self, event: Input.Submitted) -> None:
        event.stop()
        self.listing.focus()

    def action_leave(self) -> None:
        """Out of what is typed or chosen, out of a search, then away."""
        search = self.query_one("#search", Input)
        if self._typing is not None:
            self._stop_typing()
        elif self._choosing is not None:
            self._back_to(self._choosing)
        elif search.value or self.focused is search:
            search.value = ""
            self.listing.focus()
        else:
            self.dismiss(None)

    def action_file(self) -> None:
        """Open the file in the person's own editor; what is saved counts when it is back."""
        try:
            self._desk.file.create()
            with app_of(self).suspend():
                edit_file(self._desk.file.path, self._preferences().outside.environ)
            self._desk.look()
        except SuspendNotSupported:
            self.blame(_("This terminal cannot be given to another program."))
            return
        except TapbackError as error:
            self._complain(error)
            return
        self._said = _("Read again.")
        self.lay_out_settings()


class SettingsPart(QuickPart):
    """Opens the screen of the settings, which hears of what the gateway has."""

    def show_state(self, state: ClientState) -> None:
        """Another client may have changed what the gateway keeps for all."""
        super().show_state(state)
        top = app_of(self).screen
        if isinstance(top, SettingsScreen):
            top.follow(state.shared)

    def action_settings(self) -> None:
        """All settings; without a file behind the program there are none to change."""
        if self.preferences.desk is None:
            self.tell(_("There is no settings file behind this program."), "warning")
            return
        app_of(self).push_screen(
            SettingsScreen(self.preferences.desk(), self.chat, lambda: self.preferences, self.open_quick)
        )
