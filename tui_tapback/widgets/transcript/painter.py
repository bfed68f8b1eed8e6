"""Paints one message of the transcript: finished strips, and what lies under each of their cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.parts import Part, parts_of
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import record, value
from tui_tapback.terminal.graphemes import crop
from tui_tapback.words import _, mark
from tui_tapback.words.dates import long_date

from ..badges import BadgeStyles, badge_stack
from ..bubble import BubbleLook, Frame, draw_frame
from ..fitter import Fitter
from ..markdown import Line, Run, wrap_runs
from .bodies import SHOWN_MOST, Bodies, Body
from .detail import attached_lines, below, rows_at_least, tool_line
from .folding import FOLD_ROWS, FOLDED_ROWS, folded_line, folds, unfolded_rows
from .late import LateStrips
from .lean import LeanStrip
from .look import PLAIN_LOOK, Look
from .overlay import cut
from .palette import Palette
from .partmarks import draw_marks, light_part
from .prose import Prose
from .roll import Days, Entry

MAX_BUBBLE: Final = 100
LATE_ROWS: Final = 200
"""Rows of a text from which on it is painted only where it is seen."""
_LABELS: Final = {
    Status.WAITING: mark("waiting"),
    Status.SENDING: mark("sending…"),
    Status.INTERRUPTED: mark("interrupted"),
    Status.FAILED: mark("failed"),
}
_BUBBLES: Final = (Role.USER, Role.ASSISTANT)
Spot = Literal["text", "frame", "badge", "smile", "fold", "outside"]
NO_BODY: Final = Body([])
NO_ROWS: Final = range(0)


@value
class Target:
    """What is under a cell: a part of a message, the reaction if that is a badge, and where text leads."""

    key: str
    part: Spot
    reaction: Reaction | None = None
    link: str | None = None


@record
class Block:
    """A painted message: its strips, and in them its bubble as ``(x, y, width, height)`` if it has one.

    ``body`` is its text, also the rows that are folded away; ``fold`` is the strip that offers to (un)fold.
    """

    message: Message
    strips: list[Strip] | LateStrips
    bubble: tuple[int, int, int, int] | None = None
    badges: tuple[tuple[int, int, Reaction], ...] = ()
    smile: int | None = None
    body: Body = NO_BODY
    fold: range = NO_ROWS
    _prose: Prose | None = None
    _parts: tuple[Part, ...] | None = None

    @property
    def prose(self) -> Prose:
        """The plain text of the body and where it stands."""
        if self._prose is None:
            self._prose = Prose(self.body.lines)
        return self._prose

    @property
    def parts(self) -> tuple[Part, ...]:
        """What one can react to in it."""
        if self._parts is None:
            self._parts = parts_of(self.message.text, self.body.blocks)
        return self._parts

    def rows_of(self, part: int) -> range:
        """The strips of one part."""
        if self.bubble is None or part >= len(self.parts):
            return NO_ROWS
        _, y, _, height = self.bubble
        following = self.parts[part + 1].row - 1 if part + 1 < len(self.parts) else len(self.body.lines)
        return range(y + 1 + self.parts[part].row, min(y + 1 + following, y + height - 1))

    def text_at(self, x: int, y: int) -> int:
        """The character of the text at a cell, or the nearest one."""
        left, top, _, _ = self.bubble or (0, 0, 0, 0)
        return self.prose.offset(y - top - 1, x - left - 2)

    def cells_of(self, start: int, stop: int) -> list[tuple[int, int, int]]:
        """Where characters of the text are drawn: ``(strip, first cell, cell behind the last)``."""
        if self.bubble is None:
            return []
        left, top, _, height = self.bubble
        return [
            (top + 1 + row, left + 2 + first, left + 2 + last)
            for row, first, last in self.prose.spans(start, stop)
            if row < height - 2 and top + 1 + row not in self.fold
        ]

    def target(self, x: int, y: int) -> Target:
        """What is at a cell of this block."""
        key = self.message.key
        if y in self.fold:
            return Target(key, "fold")
        if self.bubble is None:
            return Target(key, "outside")
        left, top, width, height = self.bubble
        if not (left <= x < left + width and top <= y < top + height):
            return Target(key, "outside")
        if y == top:
            for start, stop, reaction in self.badges:
                if start <= x < stop:
                    return Target(key, "badge", reaction)
            if x == self.smile:
                return Target(key, "smile")
        inside = top < y < top + height - 1 and left < x < left + width - 1
        if not inside:
            return Target(key, "frame")
        offset = self.text_at(x, y)
        here = any(first <= x < last and row == y for row, first, last in self.cells_of(offset, offset + 1))
        return Target(key, "text", link=self.prose.link_at(offset) if here else None)


@value
class Surface:
    """What is painted on: ``width`` cells, and the filters that the app wants applied to every line."""

    width: int
    palette: Palette
    filters: tuple[LineFilter, ...]
    background: Color
    ascii_only: bool = False

    def strip(self, runs: Iterable[Run], indent: int = 0) -> Strip:
        """One line of exactly ``width`` cells."""
        base = self.palette.text
        segments = [Segment(" " * indent, base)] if indent else []
        segments += [Segment(text, base + _bare(style)) for text, style in runs]
        used = sum(cell_len(text) for text, _, _ in segments)
        if used < self.width:
            segments.append(Segment(" " * (self.width - used), base))
        elif used > self.width:
            segments = cut(segments, 0, self.width)
        return self._filtered(segments, self.width)

    def patch(self, runs: Iterable[Run]) -> Strip:
        """A piece to lay over lines, as wide as its runs."""
        base = self.palette.text
        return self._filtered([Segment(text, base + style) for text, style in runs], None)

    def _filtered(self, segments: list[Segment], width: int | None) -> Strip:
        """The strip as the app's line filters want it (no colour, ANSI colours made true)."""
        for line_filter in self.filters:
            segments = line_filter.apply(segments, self.background)
        return LeanStrip(segments, width)


def _bare(style: Style) -> Style:
    """The style alone, without what copying and clicking want to know of a run."""
    return style.clear_meta_and_links() if style.meta else style


def popped(styles: BadgeStyles, look: Look) -> BadgeStyles:
    """The styles of badges, those that pop turned about."""
    if not look.popping:
        return styles
    authors = {author for author, _ in look.popping}
    flash = Style(reverse=True, bold=True)
    return replace(
        styles,
        user=styles.user + flash if Author.USER in authors else styles.user,
        user_pending=styles.user_pending + flash if Author.USER in authors else styles.user_pending,
        agent=styles.agent + flash if Author.AGENT in authors else styles.agent,
        agent_pending=styles.agent_pending + flash if Author.AGENT in authors else styles.agent_pending,
    )


@value
class _Growing:
    """The rows of an answer that is being written, and the frame that they were painted for."""

    frame: tuple[int, Run, int]
    rows: list[tuple[Line, Strip]]


class Painter:
    """Paints entries for one surface. Thrown away when width or colours change."""

    def __init__(self, surface: Surface, fitter: Fitter, days: Days) -> None:
        self.surface = surface
        self._palette = surface.palette
        self._fitter = fitter
        self._days = days
        self.columns = surface.width - 1  # the last one is the scroll bar's
        self.limit = max(min(self.columns - 1, MAX_BUBBLE, max(self.columns * 4 // 5, 30)), 6)
        self._growing: dict[str, _Growing] = {}
        self._bodies = Bodies(self._palette, fitter, self.limit - 4)

    def estimate(self, entry: Entry) -> int:
        """About how many rows an entry will take, without drawing it."""
        message = entry.message
        rows = entry.head
        if message.role not in _BUBBLES:
            return rows + 1 + rows_at_least(message.tool)
        text = message.text
        size = min(len(text), SHOWN_MOST)
        lines = text.count("\n") + size // (self.limit - 4)
        if message.role is Role.USER and lines > FOLD_ROWS:
            lines = FOLDED_ROWS
        lines += len(message.attached)
        return rows + 3 + lines + bool(message.reasoning) + bool(message.error)

    def paint(self, entry: Entry, look: Look = PLAIN_LOOK) -> Block:
        """Paint an entry."""
        message = entry.message
        head = self._head(entry)
        match message.role:
            case Role.USER | Role.ASSISTANT:
                return self._bubble(message, head, look)
            case Role.TOOL:
                return self._tool(message, head, look)
            case Role.SYSTEM:
                return Block(message, [*head, *self._centred(message.text)])

    def _head(self, entry: Entry) -> list[Strip]:
        rows: list[Strip] = []
        if entry.day is not None:
            label = f" {long_date(entry.day)} "
            rows += [self.surface.strip([]), self._rule(label, self._palette.muted)]
        if entry.news:
            rows.append(self._rule(" new ", self._palette.selected))
        return rows

    def _rule(self, label: str, style: Style) -> Strip:
        side = "─" * min(6, max(0, (self.columns - len(label)) // 2 - 1))
        return self._middle(Line([(side + label + side, style)]))

    def _middle(self, line: Line) -> Strip:
        return self.surface.strip(line.runs, max(0, (self.columns - line.width) // 2))

    def _centred(self, text: str) -> list[Strip]:
        line = self._fitter.fit_text(clean_line(text, 400))
        return [self._middle(row) for row in wrap_runs([(line, self._palette.muted)], self.limit - 4)]

    def _tool(self, message: Message, head: list[Strip], look: Look) -> Block:
        style = self._palette.selected if look.lit else self._palette.muted
        line = tool_line(message, self._fitter, self.columns - 6, unfolded=look.unfolded)
        strips = [*head, self.surface.strip([(line, style)], 2)]
        first = len(head)
        rows = below(message, self._palette, self._fitter, self.columns - 7, unfolded=look.unfolded)
        strips += [self.surface.strip(row.runs, 5) for row in rows]
        block = Block(message, strips, fold=range(first, len(strips)))
        if look.marks:
            x = 2 + cell_len(line) + 1
            strips[first] = draw_marks(strips[first], x, look.marks, self.surface, self._fitter)
        return block

    def _unfolded(self, text: str, indent: int) -> list[Strip]:
        rows = unfolded_rows(text, self._palette.muted, self._fitter, max(8, self.columns - indent - 2))
        return [self.surface.strip(row.runs, indent) for row in rows]

    def _bubble(self, message: Message, head: list[Strip], look: Look) -> Block:
        palette = self._palette
        mine = message.role is Role.USER
        side: Literal["left", "right"] = "right" if mine else "left"
        chosen = look.lit or look.ranged
        bubble = BubbleLook(
            border=palette.selected if chosen else palette.user if mine else palette.agent,
            hint=palette.muted,
            heavy=chosen,
            label=self._label(message, selected=look.lit),
            smile=look.lit or look.hovered,
            ascii_only=self.surface.ascii_only,
        )
        corner: Literal["left", "right"] = "left" if mine else "right"
        stack = badge_stack(message.reactions, corner, self._fitter, popped(palette.badges, look))
        body = self._bodies.body(message)
        shown = body.lines
        folded = mine and not look.unfolded and folds(body.lines)
        if folded:
            shown = folded_line(body.lines, palette.muted)
        if message.attached:
            shown = [*shown, *attached_lines(message, palette, self._fitter, self.limit - 4)]
        frame = draw_frame(shown, side, bubble, stack, self.limit)
        left = max(0, self.columns - frame.width) if mine else 1
        strips = [*head, *self._thought(message, look)]
        fold = range(len(head), len(strips))
        top = len(strips)
        strips.append(self.surface.strip(frame.first, left))
        below = [self.surface.strip(frame.last, left), *self._below(message, left, frame.width)]
        growing = message.status is Status.STREAMING or message.key in self._growing
        if growing or len(shown) < LATE_ROWS:
            painted = [*strips, *self._rows(message, shown, frame, left), *below]
        else:
            strip = self.surface.strip
            painted = LateStrips(strips, len(shown), lambda row: strip(frame.row(shown[row]), left), below)
        at = left + frame.badges_at
        block = Block(
            message,
            painted,
            (left, top, frame.width, len(shown) + 2),
            tuple((at + badge.start, at + badge.stop, badge.reaction) for badge in stack.badges),
            None if frame.smile_at is None else left + frame.smile_at,
            body,
            range(top + FOLDED_ROWS, top + FOLDED_ROWS + 1) if folded else fold,
        )
        light_part(block, look, self.surface, self._fitter)
        return block

    def _rows(self, message: Message, body: list[Line], frame: Frame, left: int) -> list[Strip]:
        """The strips between first and last row; of a growing answer those of closed blocks are kept."""
        frame_now = (frame.width, frame.left, left)
        kept = self._growing.get(message.key)
        rows = kept.rows if kept is not None and kept.frame == frame_now else []
        done = 0
        for (line, _where), now in zip(rows, body, strict=False):
            if line is not now:
                break
            done += 1
        rows = [*rows[:done], *((line, self.surface.strip(frame.row(line), left)) for line in body[done:])]
        if message.status is Status.STREAMING:
            self._growing[message.key] = _Growing(frame_now, rows)
        else:
            self._growing.pop(message.key, None)
        return [strip for _, strip in rows]

    def _label(self, message: Message, *, selected: bool) -> Run | None:
        word = _LABELS.get(message.status)
        if word is not None:
            failed = message.status is Status.FAILED
            return f" {_(word)} ", self._palette.error if failed else self._palette.muted
        time = self._days.clock(message.at) if selected else ""
        return (f" {time} ", self._palette.muted) if time else None

    def _thought(self, message: Message, look: Look) -> list[Strip]:
        thought = clean_line(message.reasoning, 400)
        if not thought:
            return []
        if look.unfolded:
            return self._unfolded(_("· Thought:") + f"\n{message.reasoning}", 2)
        text = crop(
            self._fitter.fit_text(_("· Thought: {thought}").format(thought=thought)),
            self.limit - 2,
            ellipsis="…",
        )
        return [self.surface.strip([(text, self._palette.muted)], 2)]

    def _below(self, message: Message, left: int, width: int) -> list[Strip]:
        """The lines under a bubble that say what went wrong."""
        lines: list[Line] = []
        for sentence in self._complaints(message):
            rows = wrap_runs([(self._fitter.fit_text(sentence), self._palette.error)], self.limit - 4)
            lines += [row.after(("  " if at else "✗ ", self._palette.error)) for at, row in enumerate(rows)]
        if message.role.author is Author.USER:
            widest = max((line.width for line in lines), default=0)
            return [self.surface.strip(line.runs, max(0, left + width - widest)) for line in lines]
        return [self.surface.strip(line.runs, left + 1) for line in lines]

    @staticmethod
    def _complaints(message: Message) -> Sequence[str]:
        complaints: list[str] = []
        error = clean_line(message.error, 500)
        if error and error == clean_line(message.text, 500):
            error = ""  # the bubble says it already
            told = _("Enter tries again.")
        else:
            told = f"{error or _('This did not go through.')} {_('Enter tries again.')}"
        if message.status is Status.FAILED:
            complaints.append(told)
        elif error:
            complaints.append(error)
        if reaction_error := clean_line(message.reaction_error, 300):
            told = _("Your tapback was not accepted. {reason} Enter tries again.")
            complaints.append(told.format(reason=reaction_error))
        if note := clean_line(message.reaction_note, 400):
            complaints.append(f"{note} {_('Enter tries again.')}")
        return complaints
