"""A multi-line text field with keys and mouse, in which every step is a whole grapheme cluster."""

from __future__ import annotations

from collections.abc import Mapping

from textual import events

from tui_tapback.widgets.composer.field import TextField
from tui_tapback.widgets.composer.keys import EDITOR_KEYS
from tui_tapback.widgets.editing import STEPS
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.incoming import TypedCharacters, clean_paste


class Editor(TextField):
    """Takes keys, pastes and the mouse. ``keys`` maps keys to commands of ``run_command``."""

    def __init__(
        self,
        fitter: Fitter,
        *,
        placeholder: str = "",
        keys: Mapping[str, str] = EDITOR_KEYS,
        id: str | None = None,  # noqa: A002  (Textual's own name for it)
    ) -> None:
        super().__init__(fitter, placeholder=placeholder, id=id)
        self._keys = keys
        self._typed = TypedCharacters()
        self._dragging = False

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Printable keys are text here, whatever else they are bound to."""
        return character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        """Keys of the table are commands, everything printable is text, the rest is the app's."""
        command = self._keys.get(event.key)
        if command is not None and self.run_command(command):
            event.stop()
            event.prevent_default()
        elif piece := self._typed.take(event.character):
            event.stop()
            event.prevent_default()
            self.apply(self._state.insert(piece), typing=True)

    def run_command(self, command: str) -> bool:
        """Do what ``command`` says; False if there is no such command or nothing to do."""
        match command:
            case "up" | "down":
                self.vertical(-1 if command == "up" else 1)
            case "select_up" | "select_down":
                self.vertical(-1 if command == "select_up" else 1, select=True)
            case "undo":
                self.swap(self._undo.undo(self._state))
            case "redo":
                self.swap(self._undo.redo(self._state))
            case "cut":
                self._cut()
            case _ if command in STEPS:
                self.apply(STEPS[command](self._state))
            case _:
                return False
        return True

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text comes in clean, in one step."""
        event.stop()
        self.apply(self._state.insert(clean_paste(event.text)))

    def vertical(self, step: int, *, select: bool = False) -> None:
        """One row up or down, in the same column; at the edges to the start or the end."""
        layout = self.laid_out()
        x, y = layout.caret(self._state.caret)
        wanted = x if self._wanted_x is None else self._wanted_x
        if 0 <= y + step < len(layout.rows):
            self.apply(self._state.move(layout.offset_at(wanted, y + step), select=select))
            self._wanted_x = wanted
        else:
            self.apply(self._state.move(0 if step < 0 else len(self.text), select=select))

    def _cut(self) -> None:
        if self._state.selected:
            app_of(self).copy_to_clipboard(self._state.selected)
            self.apply(self._state.insert(""))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The caret goes where the mouse is; dragging selects."""
        if event.button == 1 and event.y > 0:
            self._dragging = True
            self.capture_mouse()
            self.apply(self._state.move(self._offset_under(event)))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Dragging selects."""
        if self._dragging:
            self.apply(self._state.move(self._offset_under(event), select=True))

    def on_mouse_up(self) -> None:
        """The end of dragging."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel looks through a long text."""
        event.stop()
        self.scroll_rows(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel looks through a long text."""
        event.stop()
        self.scroll_rows(-1)

    def _offset_under(self, event: events.MouseEvent) -> int:
        return self.laid_out().offset_at(event.x - len(self.PROMPT), event.y - 1 + self._top)
