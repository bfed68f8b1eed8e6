"""A multi-line text field drawn line by line, in which every step is a whole grapheme cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.composer.keys import EDITOR_KEYS, STEPS
from tui_tapback.widgets.composer.layout import Layout, LayoutEngine
from tui_tapback.widgets.composer.painting import PARTS, FieldLook, placeholder_row, rule, text_row
from tui_tapback.widgets.editing import EditState, UndoStack
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.incoming import TypedCharacters, clean_paste


class Editor(Widget, can_focus=True):
    """The text field of the composer: a rule above, a prompt mark, rows that grow up to ``most_rows``."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"editor--{name}" for name in PARTS}
    DEFAULT_CSS = """
    Editor { height: auto; background: $background; color: $foreground; pointer: text; }
    Editor > .editor--rule { color: $border-blurred; }
    Editor:focus > .editor--rule { color: $border; }
    Editor > .editor--prompt { color: $text-muted; }
    Editor:focus > .editor--prompt { color: $accent; text-style: bold; }
    Editor > .editor--placeholder { color: $text-muted; }
    Editor > .editor--caret { text-style: reverse; }
    Editor > .editor--selection { background: $input-selection-background; text-style: reverse; }
    """
    PROMPT: ClassVar[str] = "› "
    most_rows: var[int] = var(8)

    class Changed(Message):
        """The text is another one."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(
        self,
        fitter: Fitter,
        *,
        placeholder: str = "",
        keys: Mapping[str, str] = EDITOR_KEYS,
        id: str | None = None,  # noqa: A002  (Textual's own name for it)
    ) -> None:
        super().__init__(id=id)
        self._keys = keys
        self._fitter = fitter
        self._engine = LayoutEngine(fitter.fit_text)
        self._placeholder = clean_line(placeholder)
        self._undo = UndoStack()
        self._typed = TypedCharacters()
        self._state = EditState()
        self._wanted_x: int | None = None
        self._top = 0
        self._dragging = False
        self._layout_key: tuple[str, int] = ("", -1)
        self._layout_value = Layout(())

    @property
    def state(self) -> EditState:
        """Text, caret and selection."""
        return self._state

    @property
    def text(self) -> str:
        """What is typed."""
        return self._state.text

    @property
    def placeholder(self) -> str:
        """What stands there while nothing is typed."""
        return self._placeholder

    @placeholder.setter
    def placeholder(self, text: str) -> None:
        self._placeholder = clean_line(text)
        self.refresh()

    def set_text(self, text: str) -> None:
        """Replace everything by ``text`` (cleaned), the caret at its end; can be undone."""
        self.apply(EditState.at_end(clean_paste(text)))

    def apply(self, state: EditState, *, typing: bool = False) -> None:
        """Make ``state`` the present one: remember the step, keep the caret in view, repaint, tell."""
        before, self._state = self._state, state
        self._wanted_x = None
        self._undo.record(before, state, typing=typing)
        self._show(before)

    def _show(self, before: EditState) -> None:
        if before.text == self.text:
            self._undo.pause()
        old_rows = self._visible_rows(before.text)
        rows = self._visible_rows(self.text)
        _, y = self.laid_out().caret(self._state.caret)
        self._top = max(0, min(max(self._top, y - rows + 1), y, len(self.laid_out().rows) - rows))
        self.refresh(layout=rows != old_rows)
        if self.has_focus:
            app_of(self).cursor_position = self.on_screen(self._state.caret)
        if before.text != self.text:
            self.post_message(self.Changed(self.text))

    def laid_out(self) -> Layout:
        """The rows of the text at the present width."""
        key = (self.text, self.size.width)
        if key != self._layout_key:
            self._layout_key = key
            self._layout_value = self._engine.lay(self.text, self._text_width())
        return self._layout_value

    def _text_width(self) -> int:
        return max(2, (self.size.width or 80) - len(self.PROMPT))

    def _visible_rows(self, text: str, width: int | None = None) -> int:
        layout = self._engine.lay(text, width or self._text_width())
        most = max(1, min(self.most_rows, self.screen.size.height // 3))
        return max(1, min(len(layout.rows), most))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One row for the rule and as many as the text needs, up to a third of the screen."""
        return 1 + self._visible_rows(self.text, max(2, width - len(self.PROMPT)))

    def on_resize(self) -> None:
        """Another width wraps otherwise: keep the caret in view."""
        self._show(self._state)

    def on_screen(self, offset: int) -> Offset:
        """Where the text at ``offset`` is on the screen, for input methods and for what floats beside it."""
        x, y = self.laid_out().caret(offset)
        return self.region.offset + Offset(x + len(self.PROMPT), y - self._top + 1)

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of ``crop``, drawn without the styles cache."""
        look = self._look()
        return [self._strip(y, look).crop(crop.x, crop.right) for y in range(crop.y, crop.bottom)]

    def _look(self) -> FieldLook:
        parts = (self.get_component_rich_style(f"editor--{part}") for part in PARTS)
        return FieldLook(self.rich_style, *parts)

    def _strip(self, y: int, look: FieldLook) -> Strip:
        width = self.size.width
        if y == 0:
            return rule(width, look)
        index = y - 1 + self._top
        rows = self.laid_out().rows
        prompt = self.PROMPT if index == 0 else " " * len(self.PROMPT)
        if not self.text and index == 0:
            words = self._fitter.fit_text(self._placeholder)
            return placeholder_row(words, prompt, width, look, focused=self.has_focus)
        row = rows[index] if index < len(rows) else None
        return text_row(row, self._state, prompt, width, look, focused=self.has_focus)

    # Keys and mouse

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
                self._swap(self._undo.undo(self._state))
            case "redo":
                self._swap(self._undo.redo(self._state))
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

    def _swap(self, state: EditState) -> None:
        before, self._state = self._state, state
        self._show(before)

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

    def _offset_under(self, event: events.MouseEvent) -> int:
        return self.laid_out().offset_at(event.x - len(self.PROMPT), event.y - 1 + self._top)
