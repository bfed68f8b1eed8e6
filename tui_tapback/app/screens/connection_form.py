"""A connection of the settings, added or changed from the chat; secrets are named here, never typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.actions.showing import show_key
from tui_tapback.app.actions import bindings
from tui_tapback.app.keyed import keymap_of
from tui_tapback.domain.errors import TapbackError
from tui_tapback.words import _, mark

from .foot import WHOLE, gives_up, lines_of, pieces

if TYPE_CHECKING:
    from tui_tapback.config.connections import ConnectionSettings

_FIELDS = (
    ("url", mark("Address"), "wss://chat.example/api/ws"),
    ("username", mark("Name for a login (may be empty)"), ""),
    ("token_env", mark("Variable with the token (may be empty)"), "WORK_TOKEN"),
    ("token_file", mark("or file with the token (may be empty)"), "~/.work-token"),
    ("password_env", mark("Variable with the password (may be empty)"), "WORK_PASSWORD"),
    ("password_file", mark("or file with the password (may be empty)"), "~/.work-password"),
)


class Save(Protocol):
    """As ``app.connections.Connections.save``."""

    def __call__(self, name: str, entry: ConnectionSettings, *, instead_of: str | None = None) -> None:
        """Raises TapbackError with what is wrong."""
        ...


class ConnectionForm(ModalScreen[str | None]):
    """Dismisses with the name once it is saved. ``name`` and ``entry``: what is changed, None: a new one."""

    DEFAULT_CSS = """
    ConnectionForm { align: center middle; background: $background 60%; }
    ConnectionForm > VerticalScroll {
        width: 90%; max-width: 72; height: auto; max-height: 100%; scrollbar-size-vertical: 1;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%; padding: 0 1;
    }
    ConnectionForm Label { color: $foreground 70%; }
    ConnectionForm Input, ConnectionForm Input:focus { background: $boost; }
    ConnectionForm Static { height: auto; }
    ConnectionForm #told { color: $text-warning; }
    """
    place_in = Context.FORM
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("ctrl+c", "leave", show=False, priority=True),
        Binding("down", "app.focus_next", show=False, priority=True),
        Binding("up", "app.focus_previous", show=False, priority=True),
        *bindings(Group.FORM),
        # Before the field gets it: what is typed or pasted behind it belongs to the next field.
        Binding("enter", "next", show=False, priority=True),
        Binding("tab", "app.focus_next", show=False, priority=True),
        Binding("shift+tab", "app.focus_previous", show=False, priority=True),
    ]

    def __init__(self, save: Save, name: str | None, entry: ConnectionSettings | None) -> None:
        super().__init__()
        self._save = save
        self._name = name
        self._entry = entry

    def compose(self) -> ComposeResult:
        """One field under another; Enter goes on and, in the last one, saves."""
        with VerticalScroll(can_focus=False) as frame:
            frame.border_title = _("Add a connection") if self._name is None else _("Change a connection")
            keymap = keymap_of(self)
            acts = [
                (show_key("enter"), _("next"), "next"),
                *pieces((("form_save", mark("saves")),), keymap, self.place_in),
                gives_up(keymap),
            ]
            frame.border_subtitle = lines_of(acts, WHOLE)[0]
            yield Static(id="told", markup=False)
            yield Label(_("Short name"), markup=False)
            yield Input(
                self._name or "",
                placeholder=_("for example {example}").format(example="work"),
                compact=True,
                id="name",
            )
            for field, label, example in _FIELDS:
                yield Label(_(label), markup=False)
                shown = _("for example {example}").format(example=example) if example else ""
                yield Input(getattr(self._entry, field, ""), placeholder=shown, compact=True, id=field)
            typed = _("A password can also be typed when it is needed: {key} in the list.")
            yield Static(typed.format(key=keymap.way("connection_log_in")), markup=False)

    def on_mount(self) -> None:
        """The first field has the focus."""
        self.query_one("#name", Input).focus()

    def action_next(self) -> None:
        """Enter goes on; in the last field it saves."""
        if self.focused is not None and self.focused.id == _FIELDS[-1][0]:
            self.action_save()
        else:
            self.focus_next()

    def action_save(self) -> None:
        """Write it to the settings, once the field has read all that was typed into it."""
        (self.focused or self).call_later(self._write)

    def _write(self) -> None:
        """What is wrong is said, and nothing of what was typed is lost."""
        from tui_tapback.config.connections import ConnectionSettings

        name = self.query_one("#name", Input).value.strip()
        values = {field: self.query_one(f"#{field}", Input).value.strip() for field, *_rest in _FIELDS}
        try:
            self._save(name, ConnectionSettings(**values), instead_of=self._name)
        except TapbackError as error:
            self.query_one("#told", Static).update(Text(error.sentence()))
            self.query_one(VerticalScroll).scroll_home(animate=False)
            return
        self.dismiss(name)

    def action_leave(self) -> None:
        """Leave all as it was."""
        self.dismiss(None)
