"""The picker's grid as a pure value: ragged rows under headings, a cursor with a goal column, a window."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum, auto

from tui_tapback.domain.values import value
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.words import _


@value
class Section:
    """A heading (empty for none) and the emoji below it."""

    title: str
    emoji: tuple[str, ...]


@value
class Row:
    """One line of the grid: a heading (``count`` 0) or ``count`` cells from flat index ``start`` on."""

    section: int
    start: int
    count: int
    title: str = ""

    @property
    def is_heading(self) -> bool:
        """Whether this line carries a title and no cells."""
        return self.count == 0


@value
class Layout:
    """Sections broken into rows of ``columns`` cells; shared by all grids that differ in the cursor only."""

    columns: int
    sections: tuple[Section, ...]
    emoji: tuple[str, ...]
    rows: tuple[Row, ...]
    cell_rows: tuple[int, ...]  # places of the rows that carry cells
    starts: tuple[int, ...]  # the flat index at which each of them begins

    @classmethod
    def of(cls, sections: Iterable[Section], columns: int) -> Layout:
        """Lay out the sections that are not empty; at least one column."""
        columns = max(1, columns)
        kept = tuple(section for section in sections if section.emoji)
        rows: list[Row] = []
        flat: list[str] = []
        for number, section in enumerate(kept):
            if section.title:
                rows.append(Row(number, len(flat), 0, section.title))
            for first in range(0, len(section.emoji), columns):
                cells = section.emoji[first : first + columns]
                rows.append(Row(number, len(flat), len(cells)))
                flat += cells
        cell_rows = tuple(place for place, row in enumerate(rows) if row.count)
        return cls(
            columns, kept, tuple(flat), tuple(rows), cell_rows, tuple(rows[p].start for p in cell_rows)
        )

    def line_of(self, index: int) -> int:
        """Which of the cell rows holds the flat ``index``."""
        return bisect_right(self.starts, index) - 1


class Step(Enum):
    """One movement of the cursor."""

    LEFT = auto()
    RIGHT = auto()
    UP = auto()
    DOWN = auto()
    HOME = auto()
    END = auto()
    PAGE_UP = auto()
    PAGE_DOWN = auto()
    FIRST = auto()
    LAST = auto()
    NEXT_SECTION = auto()
    PREVIOUS_SECTION = auto()


@value
class Grid:
    """Where the cursor stands and which rows are seen.

    ``cursor`` is a flat index (0 in an empty grid), ``goal`` the column that moves up and down aim at,
    ``top`` the first row of the window and ``height`` its rows.
    """

    layout: Layout
    height: int
    cursor: int = 0
    goal: int = 0
    top: int = 0

    @classmethod
    def of(cls, sections: Iterable[Section], columns: int, height: int) -> Grid:
        """A grid with the cursor on the first emoji: so it is after every change of the query."""
        return cls(Layout.of(sections, columns), max(1, height))._scrolled()

    # What there is

    @property
    def current(self) -> str | None:
        """The emoji under the cursor, None in an empty grid."""
        return self.layout.emoji[self.cursor] if self.layout.emoji else None

    @property
    def column(self) -> int:
        """The cursor's column."""
        return self.cursor - self._row().start if self.layout.emoji else 0

    @property
    def row(self) -> int:
        """The cursor's row among all rows, headings counted."""
        return self.layout.cell_rows[self._line()] if self.layout.emoji else 0

    @property
    def section(self) -> int:
        """The section of the cursor."""
        return self._row().section if self.layout.emoji else 0

    @property
    def on_first_row(self) -> bool:
        """Whether moving up leads out of the grid, to the search box."""
        return not self.layout.emoji or self._line() == 0

    def visible(self) -> Sequence[tuple[int, Row]]:
        """The rows of the window with their places."""
        rows = self.layout.rows[self.top : self.top + self.height]
        return tuple(enumerate(rows, self.top))

    def hit(self, line: int, column: int) -> int | None:
        """The flat index of the cell at window ``line`` and ``column``, None where there is no cell."""
        place = self.top + line
        if not (0 <= line < self.height and place < len(self.layout.rows)):
            return None
        row = self.layout.rows[place]
        return row.start + column if 0 <= column < row.count else None

    def position(self, name: str | None = None) -> str:
        """``3 of 12, grinning cat``: the place within the section, for a screen reader and the preview."""
        if not self.layout.emoji:
            return _("nothing found")
        emoji = self.layout.emoji[self.cursor]
        first = next(row.start for row in self.layout.rows if row.count and row.section == self.section)
        size = len(self.layout.sections[self.section].emoji)
        said = load_catalogue().name(emoji) if name is None else name
        place = _("{number} of {count}").format(number=self.cursor - first + 1, count=size)
        return f"{place}, {said}"

    # What can happen

    def move(self, step: Step) -> Grid:
        """The grid after one movement; at an edge the cursor stays, though it comes back into view."""
        if not self.layout.emoji:
            return self
        match step:
            case Step.LEFT:
                return self._aimed(self.cursor - 1)
            case Step.RIGHT:
                return self._aimed(self.cursor + 1)
            case Step.UP:
                return self._lines(-1)
            case Step.DOWN:
                return self._lines(1)
            case Step.HOME:
                return self._aimed(self._row().start)
            case Step.END:
                return self._aimed(self._row().start + self._row().count - 1)
            case Step.PAGE_UP:
                return self._lines(-max(1, self.height - 1), stop=True)
            case Step.PAGE_DOWN:
                return self._lines(max(1, self.height - 1), stop=True)
            case Step.FIRST:
                return self._aimed(0)
            case Step.LAST:
                return self._aimed(len(self.layout.emoji) - 1)
            case Step.NEXT_SECTION:
                return self.to_section(self.section + 1)
            case Step.PREVIOUS_SECTION:
                return self.to_section(self.section - 1)

    def to(self, index: int) -> Grid:
        """Put the cursor on a flat index (a click, a hover); outside the grid nothing happens."""
        return self._aimed(index)

    def to_section(self, number: int) -> Grid:
        """Put the cursor on the first emoji of a section, its heading on the first line; ends wrap around."""
        if not self.layout.sections:
            return self
        number %= len(self.layout.sections)
        place, row = next(
            (place, row) for place, row in enumerate(self.layout.rows) if row.section == number and row.count
        )
        heading = place - 1 if self.layout.sections[number].title else place
        moved = replace(self, cursor=row.start, goal=0, top=heading)
        return moved._scrolled()

    def scrolled(self, rows: int) -> Grid:
        """Move the window (the mouse wheel) and leave the cursor where it is, seen or not."""
        return replace(self, top=self._clamped(self.top + rows))

    def resized(self, columns: int, height: int) -> Grid:
        """The same emoji under the cursor in a window of another size."""
        layout = self.layout if columns == self.layout.columns else Layout.of(self.layout.sections, columns)
        moved = replace(self, layout=layout, height=max(1, height))
        if layout is not self.layout:
            moved = replace(moved, goal=moved.column)
        return moved._scrolled()

    def with_sections(self, sections: Iterable[Section]) -> Grid:
        """Other contents (another query), the cursor on the first emoji."""
        return Grid.of(sections, self.layout.columns, self.height)

    def _line(self) -> int:
        return self.layout.line_of(self.cursor)

    def _row(self) -> Row:
        return self.layout.rows[self.layout.cell_rows[self._line()]]

    def _aimed(self, index: int) -> Grid:
        """Sideways moves and jumps set the goal column anew."""
        if not 0 <= index < len(self.layout.emoji):
            return self._scrolled()
        moved = replace(self, cursor=index)
        return replace(moved, goal=moved.column)._scrolled()

    def _lines(self, count: int, *, stop: bool = False) -> Grid:
        """Moves up and down keep the goal column, so that a short row on the way changes nothing."""
        line = self._line() + count
        last = len(self.layout.cell_rows) - 1
        if stop:
            line = min(max(line, 0), last)
        if not 0 <= line <= last:
            return self._scrolled()
        row = self.layout.rows[self.layout.cell_rows[line]]
        return replace(self, cursor=row.start + min(self.goal, row.count - 1))._scrolled()

    def _scrolled(self) -> Grid:
        """Bring the cursor's row into the window, with its heading where there is room for both."""
        if not self.layout.emoji:
            return replace(self, top=0)
        row = self.row
        above = row - 1 if row and self.layout.rows[row - 1].is_heading and self.height > 1 else row
        top = self.top
        if above < top:
            top = above
        elif row >= top + self.height:
            top = row - self.height + 1
        return replace(self, top=self._clamped(top))

    def _clamped(self, top: int) -> int:
        return max(0, min(top, len(self.layout.rows) - self.height))


def catalogue_sections(locale: str = "en", tone: int = 0) -> tuple[Section, ...]:
    """One section for each category, in the default tone (0 for none)."""
    catalogue = load_catalogue(locale)
    members: dict[str, list[str]] = {group.id: [] for group in catalogue.groups}
    for emoji in catalogue.all:
        members[emoji.group].append(emoji.tones[tone - 1] if tone and emoji.tones else emoji.char)
    return tuple(Section(group.title, tuple(members[group.id])) for group in catalogue.groups)
