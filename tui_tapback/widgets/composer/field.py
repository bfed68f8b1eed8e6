"""Text with a caret on screen: wrapping, growing, scrolling and drawing line by line; it knows no keys."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from rich.style import Style
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.composer.layout import Layout, LayoutEngine
from tui_tapback.widgets.composer.painting import PARTS, FieldLook, placeholder_row, rule, text_row
from tui_tapback.widgets.editing import EditState, UndoStack
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import app_of, filtered
from tui_tapback.widgets.incoming import clean_paste


class TextField(Widget, can_focus=True):
    """A rule above, a prompt mark, and rows that grow with the text up to ``most_rows``."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"text-field--{name}" for name in PARTS}
    DEFAULT_CSS = """
    TextField { height: auto; background: $background; color: $foreground; pointer: text; }
    TextField > .text-field--rule { color: $border-blurred; }
    TextField:focus > .text-field--rule { color: $border; }
    TextField > .text-field--prompt { color: $text-muted; }
    TextField:focus > .text-field--prompt { color: $accent; text-style: bold; }
    TextField > .text-field--placeholder { color: $text-muted; }
    TextField > .text-field--caret { text-style: reverse; }
    TextField > .text-field--selection { background: $input-selection-background; }
    """
    PROMPT: ClassVar[str] = " › "
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
        id: str | None = None,  # noqa: A002  (Textual's own name for it)
    ) -> None:
        super().__init__(id=id)
        self._fitter = fitter
        self._engine = LayoutEngine(fitter.fit_text)
        self._placeholder = clean_line(placeholder)
        self._undo = UndoStack()
        self._state = EditState()
        self._wanted_x: int | None = None
        self._top = 0
        self._layout_key: tuple[str, int] = ("", -1)
        self._layout_value = self._engine.lay("", 80)

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
        layout = self.laid_out()
        rows = self._visible(layout)
        _, y = layout.caret(self._state.caret)
        self._top = max(0, min(max(self._top, y - rows + 1), y, len(layout.rows) - rows))
        self.refresh(layout=rows + 1 != self.size.height)
        if self.has_focus:
            app_of(self).cursor_position = self.on_screen(self._state.caret)
        if before.text != self.text:
            self.post_message(self.Changed(self.text))

    def laid_out(self) -> Layout:
        """The rows of the text at the present width."""
        key = (self.text, self.size.width)
        if key != self._layout_key:
            self._layout_key = key
            width = max(2, (self.size.width or 80) - len(self.PROMPT))
            self._layout_value = self._engine.lay(self.text, width)
        return self._layout_value

    def _visible(self, layout: Layout) -> int:
        most = max(1, min(self.most_rows, self.screen.size.height // 3))
        return max(1, min(len(layout.rows), most))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One row for the rule and as many as the text needs, up to a third of the screen."""
        if width == self.size.width:
            return 1 + self._visible(self.laid_out())
        return 1 + self._visible(self._engine.lay(self.text, max(2, width - len(self.PROMPT))))

    def on_resize(self) -> None:
        """Another width wraps otherwise: keep the caret in view."""
        self._show(self._state)

    def scroll_rows(self, step: int) -> None:
        """Show other rows of a long text; the caret stays where it is and is brought back by typing."""
        last = len(self.laid_out().rows) - self._visible(self.laid_out())
        top = max(0, min(self._top + step, last))
        if top != self._top:
            self._top = top
            self.refresh()

    def on_screen(self, offset: int) -> Offset:
        """Where the text at ``offset`` is on the screen, for input methods and for what floats beside it."""
        x, y = self.laid_out().caret(offset)
        return self.region.offset + Offset(x + len(self.PROMPT), y - self._top + 1)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of ``crop``, drawn without the styles cache."""
        look = self._look()
        lines = (self._strip(y, look).crop(crop.x, crop.right) for y in range(crop.y, crop.bottom))
        return filtered(self, lines)

    def _look(self) -> FieldLook:
        parts = (self.get_component_rich_style(f"text-field--{part}") for part in PARTS)
        look = FieldLook(self.rich_style, *parts)
        if app_of(self).no_color:
            look = replace(look, selection=look.base + Style(reverse=True, underline=True))
        return look

    def _strip(self, y: int, look: FieldLook) -> Strip:
        width = self.size.width
        if y == 0:
            return rule(width, look)
        index = y - 1 + self._top
        prompt = self.PROMPT if index == 0 else " " * len(self.PROMPT)
        if not self.text and index == 0:
            words = self._fitter.fit_text(self._placeholder)
            return placeholder_row(words, prompt, width, look, focused=self.has_focus)
        return text_row(
            self.laid_out(),
            index,
            self._state,
            prompt=prompt,
            width=width,
            look=look,
            focused=self.has_focus,
        )

    def swap(self, state: EditState) -> None:
        """Make ``state`` the present one without remembering the step: it comes from undo or redo."""
        before, self._state = self._state, state
        self._show(before)
