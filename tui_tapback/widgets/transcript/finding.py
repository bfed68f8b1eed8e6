"""Searching on screen: the line the query is typed in, highlighted hits, and the way from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from textual import events
from textual.strip import Strip

from tui_tapback.domain.text import clean_line
from tui_tapback.words import _

from ..editing import EditState
from ..fitter import Fitter
from .gutter import draw_gutter
from .highlight import in_view, mark
from .overlay import overlay
from .painter import Surface
from .places import Place
from .roll import Changes, Entry
from .search import Search, following
from .tapback import TapbackView

QUERY_MOST = 200
EDITS = {
    "backspace": EditState.delete_left,
    "left": EditState.left,
    "right": EditState.right,
    "home": EditState.line_start,
    "end": EditState.line_end,
}


class FindingView(TapbackView):
    """A view in which one can search. The current hit is a message's index and which of its hits it is."""

    def __init__(self, fitter: Fitter, quick: tuple[str, ...], **options: Any) -> None:
        super().__init__(fitter, quick, **options)
        self._search: Search | None = None
        self._typed: EditState | None = None  # while the query is being typed
        self._from: Place | None = None  # where the reader was when the search began
        self._at: tuple[str, int] | None = None
        self._far: list[int] = []  # row ids of hits that are not held here, ascending

    @property
    def search_query(self) -> str:
        """What is searched for, "" for nothing."""
        return self._search.query if self._search is not None else ""

    @property
    def searching(self) -> bool:
        """Whether a query is being typed."""
        return self._typed is not None

    def begin_search(self) -> None:
        """Open the line for a query."""
        self._typed = EditState.at_end("")
        self._from = self.bookmark()
        self.post_message(self.KeysChanged())
        self.repaint()

    def search(self, query: str) -> None:
        """Search and go to the nearest hit, upward from the window's end; "" ends the search."""
        self._look_for(query)
        if self._search is not None:
            visible = self.sheet.window.visible()
            self._go(self._search.beyond(visible[-1] + 1 if visible else 0, -1), -1)
            if self._at is None and self._search.hits:
                self._go(self._search.hits[0], 1)
        self.repaint()

    def _look_for(self, query: str) -> None:
        query = clean_line(query, QUERY_MOST)
        self._search = Search(query, self.sheet.roll) if query else None
        self._at, self._far = None, []

    def end_search(self) -> bool:
        """Forget the query and its highlights; tells whether there was one."""
        if self._search is None and self._typed is None:
            return False
        had = self._search is not None
        self._look_for("")
        self._typed = None
        self.post_message(self.KeysChanged())
        if had:
            self.post_message(self.SearchRequested(""))
        self.repaint()
        return True

    def offer_hits(self, row_ids: Sequence[int]) -> None:
        """Tell of hits in messages that are not held here, by their durable ids; n and N reach them too."""
        held = {entry.message.row_id for entry in self.sheet.roll.entries}
        self._far = sorted(set(row_ids) - held)
        self.repaint()

    def show_hit(self, row_id: int, query: str = "") -> bool:
        """Go to the message with a durable id and mark ``query`` in it; False where it is not held."""
        index = self.index_of_row(row_id)
        if index is None:
            return False
        if query and query != self.search_query:
            self._look_for(query)
        far = [row for row in self._far if row != row_id]
        if not self._go(index, -1):
            self._land(index, 0)
        self._far = far
        return True

    def next_hit(self, delta: int) -> None:
        """Go to the next hit upward (-1) or downward (1)."""
        if self._search is None:
            return
        index = self.sheet.roll.index(self._at[0]) if self._at is not None else None
        if index is not None and self._at is not None:
            spots = self.sheet.block(index).prose.found(self.search_query)
            number = self._at[1] + delta
            if 0 <= number < len(spots):
                self._show(index, number)
                return
        elif visible := self.sheet.window.visible():
            index = visible[0] if delta > 0 else visible[-1]
        following_ = self._search.beyond(index if index is not None else 0, delta)
        if not self._go(following_, delta) and not self._want_far(delta):
            around = self._search.hits[:1] if delta > 0 else self._search.hits[-1:]
            self._go(around[0] if around else None, delta)

    def _want_far(self, delta: int) -> bool:
        """Ask for a hit that is not held here, beyond the end of what is."""
        rows = [e.message.row_id for e in self.sheet.roll.entries if e.message.row_id is not None]
        if not rows or not self._far:
            return False
        row = following(self._far, rows[0] if delta < 0 else rows[-1], delta)
        if row is None:
            return False
        self.post_message(self.RowWanted(row))
        return True

    def _go(self, index: int | None, delta: int) -> bool:
        """Go to the first hit at or beyond a message that is one on screen as well."""
        while index is not None and self._search is not None:
            spots = self.sheet.block(index).prose.found(self.search_query)
            if spots:
                self._show(index, 0 if delta > 0 else len(spots) - 1)
                return True
            index = self._search.beyond(index, delta)
        return False

    def _show(self, index: int, number: int) -> None:
        block = self.sheet.block(index)
        start, stop = block.prose.found(self.search_query)[number]
        if not block.cells_of(start, stop):  # folded away
            self.sheet.fold([block.message.key], unfolded=True)
            block = self.sheet.block(index)
        cells = block.cells_of(start, stop)
        self._at = (block.message.key, number)
        self._land(index, cells[0][0] if cells else 0)

    def _land(self, index: int, row: int) -> None:
        message = self.sheet.roll.entries[index].message
        self.sheet.window.show_row(index, row)
        self.sheet.seen()
        if message.reactable:
            self.selected = message.key
        self.ask_for_more()
        self.repaint()

    def search_key(self, event: events.Key) -> bool:
        """Act on a key while the query is typed; all of them are its."""
        typed = self._typed
        if typed is None:
            return False
        match event.key:
            case "enter":
                self._typed = None
                self.post_message(self.KeysChanged())
                self.post_message(self.SearchRequested(self.search_query))
                self.repaint()
            case "escape":
                self.end_search()
                if self._from is not None:
                    self.restore(self._from)
            case "up" | "down":
                self.next_hit(-1 if event.key == "up" else 1)
            case "ctrl+u":
                self._type(EditState.at_end(""))
            case key if key in EDITS:
                self._type(EDITS[key](typed))
            case _:
                if event.is_printable and event.character:
                    self._type(typed.insert(event.character))
        return True

    def paste_into_search(self, text: str) -> bool:
        """Take what is pasted while the query is typed."""
        if self._typed is None:
            return False
        self._type(self._typed.insert(clean_line(text, QUERY_MOST)))
        return True

    def _type(self, typed: EditState) -> None:
        same = self._typed is not None and typed.text == self._typed.text
        self._typed = typed
        if same:
            self.repaint()
            return
        if self._from is not None:
            self.restore(self._from)
        self.search(typed.text)

    def forget(self) -> None:
        """The search goes with the messages."""
        self._search = self._typed = self._at = None
        self._far = []
        super().forget()

    def took(self, old: Sequence[Entry], changes: Changes) -> None:
        """Keep the hits up to date."""
        super().took(old, changes)
        if self._search is not None:
            self._search.took(changes)

    def draw_bar(self, lines: list[Strip], surface: Surface) -> None:
        """The scroll bar with its ticks."""
        draw_gutter(lines, surface, self.sheet, self._search.hits if self._search is not None else ())

    def decorate(self, lines: list[Strip], surface: Surface) -> None:
        """Mark the hits in view, and draw the line with the query."""
        if self._search is not None:
            self._mark_hits(lines, surface)
        super().decorate(lines, surface)
        if self._typed is not None or self._search is not None:
            self._prompt(lines, surface)

    def _mark_hits(self, lines: list[Strip], surface: Surface) -> None:
        for top, block in in_view(self._places):
            if block.bubble is None:
                continue
            for number, (start, stop) in enumerate(block.prose.found(self.search_query)):
                here = self._at == (block.message.key, number)
                style = surface.palette.here if here else surface.palette.hit
                mark(lines, top, block, (start, stop), style)

    def _prompt(self, lines: list[Strip], surface: Surface) -> None:
        query = self._fitter.fit_text(self._typed.text if self._typed is not None else self.search_query)
        told = self._count()
        style = surface.palette.chip
        room = max(4, surface.width - 4 - cell_len(told))
        while cell_len(query) > room:
            query = query[1:]
        caret = "▏" if self._typed is not None else ""
        runs = [(f"/{query}{caret} ", style), (f" {told} ", surface.palette.muted)]
        lines[-1] = overlay(lines[-1], 0, surface.patch(runs))

    def _count(self) -> str:
        if self._search is None:
            return _("type to search")
        hits = len(self._search.hits)
        more = f" + {len(self._far)}" if self._far else ""
        if not hits and not more:
            if self.sheet.older or self.sheet.newer:
                return _("nothing found in what is loaded")
            return _("nothing found")
        index = self.sheet.roll.index(self._at[0]) if self._at is not None else None
        place = self._search.hits.index(index) + 1 if index in self._search.hits else 0
        told = _("{number} of {count}").format(number=place or "–", count=f"{hits}{more}")
        return told if self._typed is not None else told + _(" · n up N down")
