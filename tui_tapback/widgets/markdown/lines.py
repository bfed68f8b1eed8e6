"""Styled runs of text and how they wrap into lines, by grapheme clusters and never inside one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from rich.cells import cell_len
from rich.style import Style

from tui_tapback.domain.values import record
from tui_tapback.terminal.graphemes import clusters

Run = tuple[str, Style]
_STANDS_FOR = "stands_for"
_PART_OF_ONE = "\0"

# Characters of one cell that join with nothing: for them offsets are cells, and wrapping needs no look-ups.
_SIMPLE = re.compile(
    "[\x20-\x7e\xa0-\xac\xae-\u02ff\u0384-\u0482\u2010-\u2027\u2030-\u203b\u203d-\u2048"
    "\u204a-\u205e\u20a0-\u20bf\u2190-\u2193\u2500-\u259f]*"
)
_CLOSING = frozenset(".,;:!?)]}%…’”»、。，．：；！？）」』】")
_WORDS = re.compile(" +|[^ ]+")


@record
class Line:
    """One line: its runs, and what fills it up to the width of the block it stands in.

    ``fill`` is ``(character, style)``; None leaves the rest to whoever draws the block. ``joint`` is what the
    text had between the line before and this one where only the width parts them (blanks, or nothing inside
    a long word), and None where the author began a new line.
    """

    runs: list[Run]
    fill: Run | None = None
    joint: str | None = None
    _width: int = -1

    @property
    def width(self) -> int:
        """Cells, counted the way the compositor will count them; the runs of a line are not changed after."""
        if self._width < 0:
            self._width = sum(cell_len(text) for text, _ in self.runs)
        return self._width

    @property
    def text(self) -> str:
        """The characters without their styles."""
        return "".join(text for text, _ in self.runs)

    def after(self, *prefix: Run) -> Line:
        """The same line behind a prefix."""
        return Line([*prefix, *self.runs], self.fill, self.joint)


def standing_for(original: str, style: Style) -> Style:
    """``style`` for a run that is drawn in the place of ``original``: who copies it wants that one."""
    return style + Style(meta={_STANDS_FOR: original})


def original(run: Run) -> str | None:
    """What a run stands for, None where it is itself."""
    return run[1].meta.get(_STANDS_FOR) if run[1] else None


def fitted_runs(text: str, style: Style, fit: Callable[[str], str]) -> list[Run]:
    """``text`` made fit for the terminal, each stand-in a run of its own that knows its original."""
    if text.isascii() or fit(text) == text:
        return [(text, style)]
    runs: list[Run] = []
    same: list[str] = []
    for cluster in clusters(text):
        drawn = fit(cluster)
        if drawn == cluster:
            same.append(cluster)
            continue
        if same:
            runs.append(("".join(same), style))
            same = []
        if drawn:
            runs.append((drawn, standing_for(cluster, style)))
    if same:
        runs.append(("".join(same), style))
    return runs


@record
class _Atom:
    """A piece between two places where a line may break."""

    start: int
    stop: int
    width: int
    blank: bool
    wide: bool = False


def _atoms(text: str) -> Iterator[_Atom]:
    if _SIMPLE.fullmatch(text):
        for match in _WORDS.finditer(text):
            start, stop = match.span()
            yield _Atom(start, stop, stop - start, text[start] == " ")
        return
    offset = 0
    pending: _Atom | None = None
    for cluster in clusters(text):
        width, stop = cell_len(cluster), offset + len(cluster)
        blank = cluster == " "
        # Wide clusters (CJK, emoji) are words of their own, but for what ends a sentence after them; narrow
        # ones join the word before them.
        joins = (width == 1 and pending is not None and not pending.wide) or cluster in _CLOSING
        if pending is not None and pending.blank == blank and joins:
            pending.stop, pending.width = stop, pending.width + width
        elif pending is not None and width == 0 and not pending.blank:
            pending.stop = stop
        else:
            if pending is not None:
                yield pending
            pending = _Atom(offset, stop, width, blank, wide=width > 1)
        offset = stop
    if pending is not None:
        yield pending


def _pieces(text: str, atom: _Atom, room: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Cut an atom wider than a line: ``(start, stop, cells)`` with ``room`` cells for the first piece."""
    start = stop = atom.start
    used = 0
    for cluster in clusters(text[atom.start : atom.stop]):
        size = cell_len(cluster)
        if used + size > room and stop > start:
            yield start, stop, used
            start, used, room = stop, 0, width
        stop += len(cluster)
        used += size
    yield start, stop, used


def break_text(text: str, width: int) -> list[tuple[int, int]]:
    """Where lines of at most ``width`` cells begin and end; blanks at a break belong to no line."""
    spans: list[tuple[int, int]] = []
    start = end = used = 0
    for atom in _atoms(text):
        if atom.blank:
            if used + atom.width <= width:
                used += atom.width
            elif end > start:
                spans.append((start, end))
                start = end = atom.stop
                used = 0
            else:  # a line of blanks alone: keep what fits of it as indentation
                used = 0
                start = end = atom.stop
            continue
        # A word wider than any line starts here if a fair piece of it fits, all others on the next line.
        room = width - used
        if atom.width > room and (atom.width <= width or room < max(2, width // 3)):
            if end > start:
                spans.append((start, end))
            start, used = atom.start, 0
        if used + atom.width <= width:
            used, end = used + atom.width, atom.stop
            continue
        for first, stop, cells in _pieces(text, atom, width - used, width):
            if first > atom.start:
                spans.append((start, end))
                start, used = first, 0
            used, end = used + cells, stop
    if end > start or not spans:
        spans.append((start, end))
    return spans


def break_hard(text: str, width: int) -> list[tuple[int, int]]:
    """As :func:`break_text` for preformatted text: breaks only where it must, every blank is kept.

    A line that must break does so after a blank if there is one in its second half.
    """
    spans: list[tuple[int, int]] = []
    start = stop = used = 0
    blank = blank_used = 0  # behind the last blank of the line so far
    for cluster in clusters(text):
        size = cell_len(cluster)
        if used + size > width and stop > start:
            cut, kept = (blank, used - blank_used) if blank_used > width // 2 else (stop, 0)
            spans.append((start, cut))
            start, used, blank_used = cut, kept, 0
        stop += len(cluster)
        used += size
        if cluster == " ":
            blank, blank_used = stop, used
    spans.append((start, stop))
    return spans


def _slice(runs: Sequence[Run], spans: Sequence[tuple[int, int]]) -> list[list[Run]]:
    lines: list[list[Run]] = []
    index = offset = 0  # offset: where runs[index] begins
    for start, stop in spans:
        line: list[Run] = []
        while index < len(runs) and offset < stop:
            text, style = runs[index]
            first = max(0, start - offset)
            piece = text[first : stop - offset]
            if piece:
                # A stand-in that is cut in two stands for its original only once.
                again = first > 0 and original((text, style)) is not None
                line.append((piece, standing_for("", style) if again else style))
            if offset + len(text) > stop:
                break
            offset += len(text)
            index += 1
        lines.append(line)
    return lines


def wrap_runs(runs: Sequence[Run], width: int, *, hard: bool = False) -> list[Line]:
    """Wrap ``runs`` into lines of at most ``width`` cells (at least 2); nothing gives one empty line.

    ``hard`` is for preformatted text.
    """
    width = max(2, width)
    text = "".join(text for text, _ in runs)
    if len(text) <= width and _SIMPLE.fullmatch(text):
        return [Line(list(runs))]
    # A cluster may span two runs (a combining mark after emphasis): then the spans of the whole text decide,
    # and the compositor is given the cells of the pieces, which the Line counts for itself.
    spans = break_hard(text, width) if hard else break_text(text, width)
    lines = [Line(pieces) for pieces in _slice(runs, spans)]
    drawn = text if all(original(run) is None for run in runs) else _without_stand_ins(runs)
    for line, (_, before), (after, _) in zip(lines[1:], spans, spans[1:], strict=False):
        line.joint = drawn[before:after].replace(_PART_OF_ONE, "")
    return lines


def _without_stand_ins(runs: Sequence[Run]) -> str:
    """The text of ``runs`` with a sign in the place of each character of a stand-in: none is a blank."""
    return "".join(
        text if original((text, style)) is None else _PART_OF_ONE * len(text) for text, style in runs
    )
