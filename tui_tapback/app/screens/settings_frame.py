"""The frame of the settings screen: search, list, words about a setting, preview, a line to type in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.keyed import keymap_of
from tui_tapback.app.settings.preview import Preview
from tui_tapback.words import _, mark

FOOT: Final = (
    ("change", "list_choose", mark("change")),
    ("default", "setting_default", mark("default")),
    ("undo", "setting_undo", mark("undo")),
    ("search", "setting_search", mark("search")),
    ("file", "setting_file", mark("file")),
    ("leave", "list_close", mark("close")),
)
"""What a click runs, the action whose key it is, and the word for it, of what stands at the foot."""
_KNOWN: Final = ("change", "leave", "search", "file")
"""Of which the key is enough where there is little room."""


class SettingsFrame(ModalScreen[None]):
    """Its parts and its keys; what they mean is the screen's."""

    DEFAULT_CSS = """
    SettingsFrame { align: center middle; background: $background 60%; }
    SettingsFrame > Vertical {
        width: 94%; max-width: 110; height: 92%; background: $surface; border: round $border;
        border-title-color: $accent; padding: 0 1;
    }
    SettingsFrame OptionList, SettingsFrame OptionList:focus {
        border: none; background: transparent; background-tint: transparent 0%; padding: 0;
        height: 1fr; scrollbar-size-vertical: 1;
    }
    SettingsFrame OptionList > .option-list--option { padding: 0 1; }
    SettingsFrame OptionList > .option-list--option-disabled { color: $text-primary; text-style: bold; }
    SettingsFrame OptionList > .option-list--option-highlighted,
    SettingsFrame OptionList:focus > .option-list--option-highlighted {
        background: $primary 25%; color: $foreground; text-style: none;
    }
    SettingsFrame Input, SettingsFrame Input:focus {
        border: none; height: 1; padding: 0 1; background: $panel;
    }
    SettingsFrame #about { height: 4; padding: 0 1; border-top: solid $border; }
    SettingsFrame #fault { height: auto; max-height: 3; padding: 0 1; color: $text-error; display: none; }
    SettingsFrame #value { display: none; }
    SettingsFrame.-typing #value { display: block; }
    SettingsFrame.-faulty #fault { display: block; }
    SettingsFrame #foot { height: 1; }
    SettingsFrame #foot Button {
        height: 1; min-width: 4; border: none; margin: 0 2 0 0; padding: 0; width: auto;
        background: transparent; color: $foreground 70%; text-style: none;
    }
    SettingsFrame #foot Button:hover { color: $accent; text-style: underline; }
    SettingsFrame.-low Preview { display: none; }
    SettingsFrame.-low #about { height: 2; border-top: none; color: $foreground 80%; }
    SettingsFrame.-narrow > Vertical { width: 100%; height: 100%; padding: 0; }
    SettingsFrame.-narrow #foot Button { margin: 0; min-width: 0; }
    """
    place_in = Context.SETTINGS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f10,ctrl+comma", "leave", show=False, priority=True),
        Binding("q,ctrl+c", "leave", show=False),
        Binding("j", "cursor(1)", show=False),
        Binding("k", "cursor(-1)", show=False),
        *bindings(Group.SETTINGS),
        Binding("down", "to_list", show=False),
    ]

    def __init__(self, preview: Preview) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]
        self._preview = preview

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        with Vertical() as frame:
            frame.border_title = _("Settings")
            hint = _("{key} searches names, meanings and values")
            hint = hint.format(key=keymap_of(self).way("setting_search"))
            yield Input(placeholder=hint, id="search", max_length=60)
            yield OptionList(markup=False)
            yield Static(id="about", markup=False)
            yield self._preview
            yield Input(id="value", max_length=2000, select_on_focus=False)
            yield Static(id="fault", markup=False)
            with Horizontal(id="foot"):
                for name, _item, _word in FOOT:
                    button = Button("", id=f"do-{name}", compact=True)
                    button.can_focus = False
                    button.active_effect_duration = 0  # while it lasts a button takes no second click
                    yield button

    @property
    def listing(self) -> OptionList:
        """The list of settings, or of what can be chosen."""
        return self.query_one(OptionList)

    @property
    def cells(self) -> int:
        """Cells of a line of the list."""
        return max(20, self.listing.size.width - 3)

    def label(self) -> None:
        """Write what stands at the foot, as short as the room wants it."""
        narrow = self.size.width < 60
        keymap = keymap_of(self)
        for name, item, word in FOOT:
            key = keymap.first_in(self.place_in, item)
            told = key if key and narrow and name in _KNOWN else f"{key} {_(word)}".strip()
            self.query_one(f"#do-{name}", Button).label = Text(told)

    def fill(self, options: Sequence[Option], wanted: str | None) -> None:
        """Show other lines; the cursor goes to the one with the id ``wanted``, else to the first."""
        listing = self.listing
        listing.clear_options()
        listing.add_options(options)
        ids = [option.id for option in options]
        place = ids.index(wanted) if wanted is not None and wanted in ids else None
        if place is None:
            place = next((number for number, option in enumerate(options) if not option.disabled), None)
        listing.highlighted = place
        if place == 1:
            listing.scroll_home(animate=False)  # its heading is seen as well

    def say(self, text: Text) -> None:
        """What is said about the line under the cursor."""
        self.query_one("#about", Static).update(text)

    def blame(self, words: str) -> None:
        """What is wrong; the empty text for nothing."""
        self.query_one("#fault", Static).update(Text(words))
        self.set_class(bool(words), "-faulty")

    def action_cursor(self, delta: int) -> None:
        """Move with j and k as well."""
        if delta > 0:
            self.listing.action_cursor_down()
        else:
            self.listing.action_cursor_up()

    def action_search(self) -> None:
        """Type what to look for."""
        self.query_one("#search", Input).focus()

    def action_to_list(self) -> None:
        """Out of the search."""
        self.listing.focus()

    def action_leave(self) -> None:
        """Hook: one step back, in the end away."""

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """A click on the foot is the key that stands there."""
        event.stop()
        name = (event.button.id or "").removeprefix("do-")
        getattr(self, f"action_{name}")()
