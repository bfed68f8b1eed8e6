"""The screen of all settings: searched, explained, edited in place, seen at once, taken back."""

from __future__ import annotations

from textual import on
from textual.app import SuspendNotSupported
from textual.widgets import Input, OptionList

from tui_tapback.app.settings.entries import Kind
from tui_tapback.app.writing.editor import edit_file
from tui_tapback.domain.errors import SettingsError, TapbackError
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .settings_editing import SettingsEditing


class SettingsScreen(SettingsEditing):
    """All settings of the file, and those that the gateway keeps. Each change is written at once."""

    @on(OptionList.OptionHighlighted)
    async def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self._choosing is not None:
            await self._try_out(self._choosing, str(event.option.id))
            return
        self._explain()

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
