"""The picker as a value: the query with its caret, the grid with its cursor, and how keys change them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tui_tapback.domain.values import value
from tui_tapback.emoji.grid import Grid, Section, Step
from tui_tapback.widgets.editing import EditState
from tui_tapback.words import mark

TONES: Final = (
    *(mark("none"), mark("light"), mark("medium-light")),
    *(mark("medium"), mark("medium-dark"), mark("dark")),
)
LONGEST_QUERY: Final = 100
NOTHING: Final = EditState()

_STEPS: Final[dict[str, Step]] = {
    "left": Step.LEFT,
    "right": Step.RIGHT,
    "up": Step.UP,
    "down": Step.DOWN,
    "line_start": Step.HOME,
    "line_end": Step.END,
    "page_up": Step.PAGE_UP,
    "page_down": Step.PAGE_DOWN,
    "first": Step.FIRST,
    "last": Step.LAST,
}
_CARET: Final = frozenset({"left", "right", "line_start", "line_end"})

Sections = Callable[[str, int], tuple[Section, ...]]
"""``(query, tone)`` gives what is to be shown."""


@value
class PickerState:
    """``in_grid``: arrows move in the grid although something is typed. ``choosing``: the tone line is open.

    ``hover`` is the flat index under the mouse. ``tone_before`` is what Escape gives back. ``under`` is what
    was shown before the tones of one emoji were: they fill the grid until one is taken.
    """

    grid: Grid
    query: EditState = NOTHING
    in_grid: bool = False
    tone: int = 0
    choosing: bool = False
    tone_before: int = 0
    hover: int | None = None
    under: PickerState | None = None

    @property
    def editing(self) -> bool:
        """Whether Left, Right, Home and End move the caret in the query instead of the cursor in the grid."""
        return bool(self.query.text) and not self.in_grid

    @property
    def blank(self) -> bool:
        """Nothing is searched for: recents and categories are shown."""
        return not self.query.text.strip()

    @property
    def shown(self) -> str | None:
        """The emoji that the preview tells about: under the mouse, else under the cursor."""
        if self.hover is not None and self.hover < len(self.grid.layout.emoji):
            return self.grid.layout.emoji[self.hover]
        return self.grid.current

    def place(self) -> str:
        """``3 of 12``: where the shown emoji stands in its section."""
        grid = self.grid if self.hover is None else self.grid.to(self.hover)
        return grid.position("").removesuffix(", ") if grid.layout.emoji else ""

    def edited(self, query: EditState, sections: Sections) -> PickerState:
        """After a change of the query: other contents, the first answer highlighted, the caret up there."""
        if query.text == self.query.text:
            return replace(self, query=query, hover=None)
        if len(query.text) > LONGEST_QUERY:
            query = EditState.at_end(query.text[:LONGEST_QUERY])
        if query.text.strip() == self.query.text.strip():
            grid = self.grid.move(Step.FIRST)
        else:
            grid = self.grid.with_sections(sections(query.text, self.tone))
        return replace(self, grid=grid, query=query, in_grid=False, hover=None)

    def moved(self, command: str) -> PickerState:
        """After a key that moves: ``left right up down line_start line_end page_up page_down first last``."""
        state = replace(self, hover=None)
        if state.editing:
            if command in _CARET:
                return replace(state, query=_moved_caret(state.query, command))
            if command == "up":
                return state
            # The first answer is highlighted already: Down goes to it, not past it.
            state = replace(state, in_grid=True)
            return state if command == "down" else replace(state, grid=state.grid.move(_STEPS[command]))
        if command == "up" and state.query.text and state.grid.on_first_row and state.under is None:
            return replace(state, in_grid=False)
        return replace(state, grid=state.grid.move(_STEPS[command]))

    def next_category(self, step: int) -> PickerState:
        """Tab and Shift+Tab: another category; with something typed into the grid and out of it again."""
        if not self.blank:
            return replace(self, in_grid=step > 0, hover=None)
        forward = Step.NEXT_SECTION if step > 0 else Step.PREVIOUS_SECTION
        return replace(self, grid=self.grid.move(forward), hover=None)

    def toned(self, tone: int, sections: Sections) -> PickerState:
        """After another default tone: the same cells in it, the cursor where it was."""
        tone %= len(TONES)
        if tone == self.tone:
            return self
        cursor, top = self.grid.cursor, self.grid.top
        grid = self.grid.with_sections(sections(self.query.text, tone))
        if cursor < len(grid.layout.emoji):
            grid = replace(grid.to(cursor), top=top)
        return replace(self, grid=grid, tone=tone)

    def with_variants(self, title: str, forms: tuple[str, ...]) -> PickerState:
        """The forms of the emoji shown fill the grid, the one that is shown highlighted."""
        shown = self.shown
        grid = self.grid.with_sections((Section(title, forms),))
        if shown in forms:
            grid = grid.to(forms.index(shown))
        return replace(self, grid=grid, in_grid=True, hover=None, choosing=False, under=self)

    def resized(self, columns: int, height: int) -> PickerState:
        """The same in a box of another size."""
        under = None if self.under is None else self.under.resized(columns, height)
        return replace(self, grid=self.grid.resized(columns, height), under=under)

    def choose_tone(self) -> PickerState:
        """The tone line opens."""
        return replace(self, choosing=True, tone_before=self.tone, hover=None)

    def tone_command(self, command: str, sections: Sections) -> PickerState:
        """A key while the tone line is open: arrows choose, any other closes it, Escape undoes the choice."""
        match command:
            case "left" | "up":
                return self.toned(self.tone - 1, sections)
            case "right" | "down" | "tone":
                return self.toned(self.tone + 1, sections)
            case "back":
                return replace(self.toned(self.tone_before, sections), choosing=False)
            case _:
                return replace(self, choosing=False)


def _moved_caret(query: EditState, command: str) -> EditState:
    match command:
        case "left":
            return query.left()
        case "right":
            return query.right()
        case "line_start":
            return query.line_start()
        case _:
            return query.line_end()
