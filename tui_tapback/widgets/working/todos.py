"""The agent's list of things to do: one calm block that changes in place, or one line of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events

from tui_tapback.domain.text import clean_line
from tui_tapback.domain.work import Todo, WorkState
from tui_tapback.words import _

from ..fitter import Fitter
from .rows import Row, RowsWidget

SHOWN: Final = 8
"""Lines of the list that are shown at once."""
MARKS: Final = {
    WorkState.OPEN: ("[ ]", ""),
    WorkState.RUNNING: ("[>]", "doing"),
    WorkState.DONE: ("[x]", "done"),
    WorkState.STOPPED: ("[-]", "done"),
    WorkState.FAILED: ("[!]", "doing"),
    WorkState.UNKNOWN: ("[ ]", ""),
}


class TodoBlock(RowsWidget):
    """Shows a list while something of it is open; a click folds and unfolds it.

    A long list is shown around what is being done.
    """

    BLOCK = "todo-block"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"todo-block--head", "todo-block--doing", "todo-block--done"}
    DEFAULT_CSS = """
    TodoBlock { height: 1; display: none; background: $surface; color: $foreground; }
    TodoBlock > .todo-block--head { color: $foreground 60%; }
    TodoBlock > .todo-block--doing { color: $accent; text-style: bold; }
    TodoBlock > .todo-block--done { color: $foreground 50%; }
    """

    def __init__(self, fitter: Fitter) -> None:
        super().__init__(fitter)
        self._todos: Sequence[Todo] = ()
        self.folded = True
        self.low = False

    def show(self, todos: Sequence[Todo], *, low: bool) -> None:
        """Show another list; where the screen is ``low`` it stays one line."""
        if (todos, low) != (self._todos, self.low):
            self._todos, self.low = todos, low
            self.fit()

    def toggle(self) -> bool:
        """Fold or unfold it; tells whether there is a list."""
        self.folded = not self.folded
        self.fit()
        return bool(self._todos)

    def on_click(self, event: events.Click) -> None:
        """Fold or unfold it."""
        event.stop()
        self.toggle()

    def rows(self, width: int) -> list[Row]:
        """One line, or the list under it."""
        if not self._todos:
            return []
        over = sum(todo.state in (WorkState.DONE, WorkState.STOPPED) for todo in self._todos)
        count = _("{done} of {all} done").format(done=over, all=len(self._todos))
        now = next((todo for todo in self._todos if todo.state is WorkState.RUNNING), None)
        sign = "▸" if self.folded or self.low else "▾"
        head: Row = [(f" {sign} {count}", "head")]
        if self.folded or self.low:
            return [[*head, (" · ", "head"), (self._words(now.text), "doing")]] if now else [head]
        first = self._first(now)
        shown = self._todos[first : first + SHOWN]
        rows = [head, *(self._line(todo, width) for todo in shown)]
        if rest := len(self._todos) - len(shown):
            rows.append([("     " + _("… {count} more").format(count=rest), "head")])
        return rows

    def _first(self, now: Todo | None) -> int:
        """Where the shown part begins: what is being done stays in it, with what was done before."""
        place = self._todos.index(now) if now is not None else 0
        return max(0, min(place - SHOWN // 2, len(self._todos) - SHOWN))

    def _line(self, todo: Todo, width: int) -> Row:
        sign, style = MARKS[todo.state]
        lead = f"   {'  ' * todo.depth}{sign} "
        return [(lead, style), (self._words(todo.text), style)] if cell_len(lead) < width else [(lead, style)]

    def _words(self, text: str) -> str:
        return self.fitter.fit_text(clean_line(text, 400))
