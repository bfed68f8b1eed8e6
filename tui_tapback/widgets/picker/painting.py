"""Draws the picker: a box with the search line, the categories, the grid and the line about the emoji."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.emoji.grid import Row
from tui_tapback.terminal.ascii import ascii_text
from tui_tapback.terminal.graphemes import clusters, crop, fill
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.picker.about import facts, named, standing_in
from tui_tapback.widgets.picker.source import FITTING, RECENT, Occasion, PickerSource
from tui_tapback.widgets.picker.state import TONES, PickerState
from tui_tapback.words import _, plural

PITCH: Final = 3
"""Cells from one emoji to the next: two for the emoji, one between."""
PART_STYLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "border": "color: $border;",
        "caret": "text-style: reverse;",
        "placeholder": "color: $text-muted;",
        "heading": "color: $text-muted; text-style: bold;",
        "cursor": "background: $primary; color: $text; text-style: bold;",
        "hover": "background: $primary 35%;",
        "current": "color: $accent; text-style: underline;",
        "dim": "color: $text-muted;",
        "name": "color: $foreground; text-style: bold;",
    }
)
"""The styles of :class:`PickerLook` after ``base``, in its order, and how they look by default."""
PARTS: Final = tuple(PART_STYLES)


BOX: Final = "╭─╮│╰╯█ "
ASCII_BOX: Final = "+-+|++# "


def part_css(widget: str, prefix: str) -> str:
    """The default rules of ``widget``'s component classes ``PREFIX--PART``."""
    return "\n".join(f"{widget} > .{prefix}--{part} {{ {rule} }}" for part, rule in PART_STYLES.items())


@value
class PickerLook:
    """The styles of the picker, each on top of ``base``; ``colourless`` puts brackets round the highlight."""

    base: Style
    border: Style
    caret: Style
    placeholder: Style
    heading: Style
    cursor: Style
    hover: Style
    current: Style
    dim: Style
    name: Style
    colourless: bool = False


@value
class Frame:
    """Which rows of a box of this size hold what; -1 for a part that has no room."""

    width: int
    height: int

    @property
    def inner(self) -> int:
        """Cells between the borders."""
        return max(0, self.width - 2)

    @property
    def columns(self) -> int:
        """Emoji in a row of the grid."""
        return max(1, (self.inner - 2) // PITCH)

    @property
    def bordered(self) -> bool:
        """Very low boxes have no lines above and below."""
        return self.height >= 6

    @property
    def search(self) -> int:
        """The row of the search line; there always is one."""
        return 1 if self.bordered else 0

    @property
    def bar(self) -> int:
        """The row of the categories."""
        return self.search + 1 if self.height >= 8 else -1

    @property
    def hand_column(self) -> int:
        """The column of the categories' row in which the hand with the skin tone stands, the last one."""
        return self.columns - 1

    @property
    def details(self) -> int:
        """The row below the preview: shortcode, category and version."""
        return self.height - 2 if self.height >= 12 else -1

    @property
    def preview(self) -> int:
        """The row that names the emoji."""
        if self.details >= 0:
            return self.details - 1
        return self.height - 1 - self.bordered if self.height >= 3 else -1

    @property
    def grid_top(self) -> int:
        """The first row of the grid."""
        return max(self.search, self.bar) + 1

    @property
    def grid_rows(self) -> int:
        """Rows of the grid."""
        end = self.preview if self.preview >= 0 else self.height - self.bordered
        return max(1, end - self.grid_top)


class PickerPainter:
    """Turns a state into strips; ``ascii_only`` draws the box without line characters."""

    def __init__(self, source: PickerSource, fitter: Fitter, *, ascii_only: bool = False) -> None:
        self._source = source
        self._fitter = fitter
        self._box = ASCII_BOX if ascii_only else BOX
        self._ellipsis = "..." if ascii_only else "…"
        self._brackets = "[]" if ascii_only else "  "

    def bar_emoji(self, state: PickerState) -> list[tuple[int, str]]:
        """The categories that the grid has sections for, as ``(section, emoji)``."""
        by_title = {group.title: group.emoji for group in self._source.groups}
        titles = enumerate(section.title for section in state.grid.layout.sections)
        marks = {FITTING: "💬", RECENT: "🕒"} | by_title
        return [(number, marks[title]) for number, title in titles if title in marks]

    def paint(self, state: PickerState, frame: Frame, look: PickerLook, occasion: Occasion) -> list[Strip]:
        """All rows of the box, each exactly ``frame.width`` cells."""
        corner_l, line, corner_r, side, low_l, low_r = self._box[:6]
        rows: dict[int, list[Segment]] = {frame.search: self.search_line(state, frame, look)}
        rows.update(enumerate(self.grid_lines(state, frame, look, occasion), frame.grid_top))
        if frame.bar >= 0:
            rows[frame.bar] = self.bar_line(state, frame, look)
        if frame.preview >= 0:
            rows[frame.preview] = self.preview_line(state, frame, look, occasion)
        if frame.details >= 0:
            rows[frame.details] = self.details_line(state, frame, look)
        edge = Segment(side, look.border)
        strips: list[Strip] = []
        for y in range(frame.height):
            if frame.bordered and y in (0, frame.height - 1):
                left, right = (corner_l, corner_r) if y == 0 else (low_l, low_r)
                strips.append(Strip([Segment(left + line * frame.inner + right, look.border)], frame.width))
                continue
            inner = Strip(rows.get(y, [])).adjust_cell_length(frame.inner, look.base)
            strips.append(Strip([edge, *inner, edge]).adjust_cell_length(frame.width, look.base))
        return strips

    def search_line(self, state: PickerState, frame: Frame, look: PickerLook) -> list[Segment]:
        """The query with its caret, or what to type it for."""
        prompt = Segment(" › " if self._ellipsis == "…" else " > ", look.name)
        room = frame.inner - 4
        query = state.query
        if not query.text:
            hint = crop(_("Search emoji"), room - 1, ellipsis=self._ellipsis)
            return [prompt, Segment(" ", look.caret), Segment(hint, look.placeholder)]
        cells = [(at, self._fitter.fit_text(cluster)) for at, cluster in _placed(query.text)]
        cells.append((len(query.text), " "))
        first = _first_seen(cells, query.caret, room)
        segments = [prompt]
        used = 0
        for at, drawn in cells[first:]:
            used += cell_len(drawn)
            if used > room:
                break
            style = look.caret if at == query.caret and not state.in_grid else look.base
            segments.append(Segment(drawn, style))
        return segments

    def bar_line(self, state: PickerState, frame: Frame, look: PickerLook) -> list[Segment]:
        """The categories and the hand with the tone, or how many answers there are."""
        if state.under is not None:
            return [Segment(crop(_(" Enter takes it and keeps its tone"), frame.inner), look.dim)]
        if not state.blank:
            count = len(state.grid.layout.emoji)
            found = plural(" {count} found", " {count} found", count).format(count=count)
            return [Segment(found if count else "", look.dim)]
        here = state.grid.section
        cells = [
            (self._fitter.fit(emoji), look.cursor if number == here else None)
            for number, emoji in self.bar_emoji(state)[: frame.hand_column]
        ]
        cells += [("  ", None)] * (frame.hand_column - len(cells))
        hand = self._fitter.fit(self._source.toned("👋", state.tone))
        return self._spaced([*cells, (hand, look.hover if state.choosing else None)], look)

    def _spaced(self, cells: Sequence[tuple[str, Style | None]], look: PickerLook) -> list[Segment]:
        """Emoji side by side, a cell between; one with a style has it on both its gaps as well."""
        left, right = "[]" if look.colourless else self._brackets
        segments: list[Segment] = []
        gap = Segment(" ", look.base)
        for drawn, style in cells:
            # A stand-in is dim by itself; nothing is highlighted about it.
            spreads = style is not None and style is not look.dim
            if spreads and gap.style is look.base:
                gap = Segment(left, style)
            segments += [gap, Segment(drawn, style or look.base)]
            gap = Segment(right, style) if spreads else Segment(" ", look.base)
        return [*segments, gap]

    def grid_lines(
        self, state: PickerState, frame: Frame, look: PickerLook, occasion: Occasion
    ) -> list[list[Segment]]:
        """The rows of the window over the grid, each one cell short of the frame for the scroll mark."""
        grid = state.grid
        if not grid.layout.emoji:
            return self._nothing(state, frame, look)
        lines: list[list[Segment]] = []
        thumb = _thumb(grid.top, len(grid.layout.rows), frame.grid_rows)
        for y, (_section, row) in enumerate(grid.visible()):
            marked = occasion.on_message
            body = (
                self._heading(row, frame, look) if row.is_heading else self._cells(row, state, look, marked)
            )
            strip = Strip(body).adjust_cell_length(frame.inner - 1, look.base)
            mark = self._box[6] if y in thumb else " "
            lines.append([*strip, Segment(mark, look.border)])
        return lines

    def _heading(self, row: Row, frame: Frame, look: PickerLook) -> list[Segment]:
        title = crop(_titled(_(row.title)), frame.inner - 2, ellipsis=self._ellipsis)
        return [Segment(f" {title}", look.heading)]

    def _cells(self, row: Row, state: PickerState, look: PickerLook, marked: Sequence[str]) -> list[Segment]:
        cells: list[tuple[str, Style | None]] = []
        for index in range(row.start, row.start + row.count):
            emoji = state.grid.layout.emoji[index]
            style = look.current if emoji in marked else None
            if index == state.hover:
                style = look.hover
            if index == state.grid.cursor:
                style = look.cursor
            drawn, other = standing_in(self._source, self._fitter, emoji)
            cells.append(
                (
                    drawn,
                    look.dim if other and style is None else style,
                )
            )
        return self._spaced(cells, look)

    def _nothing(self, state: PickerState, frame: Frame, look: PickerLook) -> list[list[Segment]]:
        query = self._fitter.fit_text(clean_line(state.query.text))
        room = frame.inner - 2
        words = _("nothing found")
        quoted = crop(query, room - len(words) - 7, ellipsis=self._ellipsis)
        if quoted.strip(self._ellipsis):
            text = _("nothing found for “{query}”")
            words = (text if self._ellipsis == "…" else ascii_text(text)).format(query=quoted)
        lines = [words, _("Esc clears the search")]
        pad = max(0, (frame.grid_rows - len(lines)) // 2)
        centred = [" " * max(1, (frame.inner - cell_len(line)) // 2) + line for line in lines]
        rows = [*[[Segment("")]] * pad, [Segment(centred[0], look.base)], [Segment(centred[1], look.dim)]]
        return rows[: frame.grid_rows]

    def preview_line(
        self, state: PickerState, frame: Frame, look: PickerLook, occasion: Occasion
    ) -> list[Segment]:
        """Which emoji it is: glyph, name, place."""
        if state.choosing:
            return self.tone_line(state, frame, look)
        emoji = state.shown
        if emoji is None:
            return []
        place = state.place()
        room = frame.inner - 6 - cell_len(place)
        name = self._fitter.fit_text(clean_line(self._source.name(emoji)))
        # With a row of its own for the details the code stands there, and the end of a long name.
        below = frame.inner - 1 if frame.details >= 0 else 0
        name, _rest = named(name, _remark(emoji, occasion), room, below, ellipsis=self._ellipsis)
        code = "" if below else self._source.shortcode(emoji)
        shown_code = f"  {code}" if code and cell_len(name) + len(code) + 2 <= room else ""
        filler = max(0, room - cell_len(name) - cell_len(shown_code))
        drawn, other = standing_in(self._source, self._fitter, emoji)
        return [
            Segment(f" {drawn} ", look.dim if other else look.base),
            Segment(name, look.name),
            Segment(shown_code + " " * filler + " ", look.dim),
            Segment(place + " ", look.dim),
        ]

    def details_line(self, state: PickerState, frame: Frame, look: PickerLook) -> list[Segment]:
        """The end of a name that was too long for the row above; its shortcode, version and category."""
        emoji = state.shown
        if emoji is None or state.choosing:
            return []
        source = self._source
        room = frame.inner - 6 - cell_len(state.place())
        name = self._fitter.fit_text(clean_line(source.name(emoji)))
        _name, rest = named(name, "", room, frame.inner - 5, ellipsis=self._ellipsis)
        segments = [Segment(f"    {rest} ", look.name)] if rest else []
        parts = (source.shortcode(emoji), source.version(emoji), _titled(source.category(emoji)))
        left = frame.inner - 1 - sum(cell_len(segment.text) for segment in segments)
        return [*segments, Segment(facts(parts, left, ellipsis=self._ellipsis), look.dim)]

    def tone_line(self, state: PickerState, frame: Frame, look: PickerLook) -> list[Segment]:
        """The choice of the default tone."""
        hand = self._fitter.fit(self._source.toned("👋", state.tone))
        left, right = ("‹", "›") if self._ellipsis == "…" else ("<", ">")
        return [
            Segment(_(" Skin tone "), look.dim),
            Segment(f"{left} ", look.name),
            Segment(hand, look.base),
            Segment(fill(f" {_(TONES[state.tone])}", 13), look.name),
            Segment(f"{right} ", look.name),
        ]


def _remark(emoji: str, occasion: Occasion) -> str:
    if emoji == occasion.current:
        return _(" (yours now)")
    return _(" (on it now)") if emoji in occasion.present else ""


def _titled(text: str) -> str:
    return clean_line(text[:1].upper() + text[1:])


def _placed(text: str) -> Sequence[tuple[int, str]]:
    at = 0
    placed: list[tuple[int, str]] = []
    for cluster in clusters(text):
        placed.append((at, cluster))
        at += len(cluster)
    return placed


def _first_seen(cells: Sequence[tuple[int, str]], caret: int, room: int) -> int:
    """Index of the first cluster drawn, so that the caret and as much before it as fits is seen."""
    used = 0
    for index in range(len(cells) - 1, -1, -1):
        at, drawn = cells[index]
        if at > caret:
            continue
        used += cell_len(drawn)
        if used > room:
            return index + 1
    return 0


def _thumb(top: int, rows: int, seen: int) -> range:
    """The lines of the window beside which the scroll mark stands; none if everything is seen."""
    if rows <= seen:
        return range(0)
    size = max(1, seen * seen // rows)
    start = (seen - size) * top // (rows - seen)
    return range(start, start + size)
