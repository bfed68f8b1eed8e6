"""Paints one message of the transcript: finished strips, and what lies under each of their cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.graphemes import crop

from ..badges import badge_stack
from ..bubble import BubbleLook, Frame, draw_frame
from ..fitter import Fitter
from ..markdown import Line, Run, wrap_runs
from .bodies import SHOWN_MOST, Bodies
from .overlay import cut
from .palette import Palette
from .roll import Days, Entry

MAX_BUBBLE: Final = 100
_LABELS: Final = {
    Status.WAITING: "waiting",
    Status.SENDING: "sending…",
    Status.INTERRUPTED: "interrupted",
    Status.FAILED: "failed",
}
_BUBBLES: Final = (Role.USER, Role.ASSISTANT)
Part = Literal["text", "frame", "badge", "smile", "outside"]


@dataclass(frozen=True, slots=True)
class Target:
    """What is under a cell: a part of a message, and the reaction if the part is a badge."""

    key: str
    part: Part
    reaction: Reaction | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A painted message: its strips, and in them its bubble as ``(x, y, width, height)`` if it has one."""

    message: Message
    strips: list[Strip]
    bubble: tuple[int, int, int, int] | None = None
    badges: tuple[tuple[int, int, Reaction], ...] = ()
    smile: int | None = None

    def target(self, x: int, y: int) -> Target:
        """What is at a cell of this block."""
        key = self.message.key
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
        return Target(key, "text" if inside else "frame")


@dataclass(frozen=True, slots=True)
class Surface:
    """What is painted on: ``width`` cells, and the filters that the app wants applied to every line."""

    width: int
    palette: Palette
    filters: tuple[LineFilter, ...]
    background: Color

    def strip(self, runs: Iterable[Run], indent: int = 0) -> Strip:
        """One line of exactly ``width`` cells."""
        base = self.palette.text
        segments = [Segment(" " * indent, base)] if indent else []
        segments += [Segment(text, base + style) for text, style in runs]
        used = sum(cell_len(text) for text, _, _ in segments)
        if used < self.width:
            segments.append(Segment(" " * (self.width - used), base))
        elif used > self.width:
            segments = cut(segments, 0, self.width)
        return self.filtered(Strip(segments, self.width))

    def patch(self, runs: Iterable[Run]) -> Strip:
        """A piece to lay over lines, as wide as its runs."""
        base = self.palette.text
        return self.filtered(Strip([Segment(text, base + style) for text, style in runs]))

    def filtered(self, strip: Strip) -> Strip:
        """The strip as the app's line filters want it (no colour, ANSI colours made true)."""
        for line_filter in self.filters:
            strip = strip.apply_filter(line_filter, self.background)
        return strip


@dataclass(frozen=True, slots=True)
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
        rows = 2 if entry.day is not None else 0
        if message.role not in _BUBBLES:
            return rows + 1
        text = message.text[:SHOWN_MOST]
        width = self.limit - 4
        rows += 3 + text.count("\n") + len(text) // width
        return rows + bool(message.reasoning) + bool(message.error)

    def paint(self, entry: Entry, *, selected: bool = False, hovered: bool = False) -> Block:
        """Paint an entry. Neither flag changes its height."""
        message = entry.message
        head = self._day(entry)
        match message.role:
            case Role.USER | Role.ASSISTANT:
                return self._bubble(message, head, selected=selected, hovered=hovered)
            case Role.TOOL:
                return Block(message, [*head, self._tool(message)])
            case Role.SYSTEM:
                return Block(message, [*head, *self._centred(message.text)])

    def _day(self, entry: Entry) -> list[Strip]:
        if entry.day is None:
            return []
        label = f" {entry.day:%A}, {entry.day.day} {entry.day:%B %Y} "
        side = "─" * min(6, max(0, (self.columns - len(label)) // 2 - 1))
        row = self.surface.strip([])
        return [row, self._middle(Line([(side + label + side, self._palette.muted)]))]

    def _middle(self, line: Line) -> Strip:
        return self.surface.strip(line.runs, max(0, (self.columns - line.width) // 2))

    def _centred(self, text: str) -> list[Strip]:
        line = self._fitter.fit_text(clean_line(text, 400))
        return [self._middle(row) for row in wrap_runs([(line, self._palette.muted)], self.limit - 4)]

    def _tool(self, message: Message) -> Strip:
        tool = message.tool
        name = clean_line(tool.name if tool else message.kind, 60) or "tool"
        context = clean_line(tool.context if tool else message.text, 400)
        running = " …" if tool is not None and tool.running else ""
        text = self._fitter.fit_text(f"{name} {context}".rstrip())
        room = max(4, self.columns - 6 - len(running))
        return self.surface.strip(
            [(f"{self._fitter.fit('⚙️')}{crop(text, room, ellipsis='…')}{running}", self._palette.muted)], 2
        )

    def _bubble(self, message: Message, head: list[Strip], *, selected: bool, hovered: bool) -> Block:
        palette = self._palette
        mine = message.role is Role.USER
        side: Literal["left", "right"] = "right" if mine else "left"
        look = BubbleLook(
            border=palette.selected if selected else palette.user if mine else palette.agent,
            hint=palette.muted,
            heavy=selected,
            label=self._label(message, selected=selected),
            smile=selected or hovered,
        )
        corner: Literal["left", "right"] = "left" if mine else "right"
        stack = badge_stack(message.reactions, corner, self._fitter, palette.badges)
        body = self._bodies.lines(message)
        frame = draw_frame(body, side, look, stack, self.limit)
        left = max(0, self.columns - frame.width) if mine else 1
        strips = [*head, *self._thought(message)]
        top = len(strips)
        strips.append(self.surface.strip(frame.first, left))
        strips += self._rows(message, body, frame, left)
        strips.append(self.surface.strip(frame.last, left))
        strips += self._below(message, left, frame.width)
        at = left + frame.badges_at
        return Block(
            message,
            strips,
            (left, top, frame.width, len(body) + 2),
            tuple((at + badge.start, at + badge.stop, badge.reaction) for badge in stack.badges),
            None if frame.smile_at is None else left + frame.smile_at,
        )

    def _rows(self, message: Message, body: list[Line], frame: Frame, left: int) -> list[Strip]:
        """The strips between first and last row; of a growing answer those of closed blocks are kept."""
        frame_now = (frame.width, frame.left, left)
        kept = self._growing.get(message.key)
        rows = kept.rows if kept is not None and kept.frame == frame_now else []
        done = 0
        for (line, _), now in zip(rows, body, strict=False):
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
            return f" {word} ", self._palette.error if failed else self._palette.muted
        time = self._days.clock(message.at) if selected else ""
        return (f" {time} ", self._palette.muted) if time else None

    def _thought(self, message: Message) -> list[Strip]:
        thought = clean_line(message.reasoning, 400)
        if not thought:
            return []
        text = crop(self._fitter.fit_text(f"· Thought: {thought}"), self.limit - 2, ellipsis="…")
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
            told = "Enter tries again."
        else:
            told = f"{error or 'This did not go through.'} Enter tries again."
        if message.status is Status.FAILED:
            complaints.append(told)
        elif error:
            complaints.append(error)
        if reaction_error := clean_line(message.reaction_error, 300):
            complaints.append(f"Your tapback was not accepted. {reaction_error} Enter tries again.")
        return complaints
