"""Walks, measures, cuts and wraps text by user-perceived characters, so that no drawing splits an emoji."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len

_SINGLE: Final = re.compile(
    "[\\x00-\\x0c\\x0e-\u02ff\u2010-\u2027\u2030-\u205e\u2100-\u2bff\u3000-\u3029"
    "\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]*"
).fullmatch
"""Latin, signs and lines, kana, Han: characters that join with nothing but what is not among them."""


def clusters(text: str) -> Iterator[str]:
    """The grapheme clusters of ``text``, in order; joined they are ``text`` again."""
    if _SINGLE(text):
        return iter(text)
    return _clusters(text, 0)


def _clusters(text: str, start: int) -> Iterator[str]:
    import wcwidth  # here, for its tables take as long to load as a tenth of the program's start

    return wcwidth.iter_graphemes(text, start)


def cluster_starts(text: str) -> list[int]:
    """Offsets at which a caret may stand: the start of every cluster and the end of ``text``."""
    starts = [0]
    for cluster in clusters(text):
        starts.append(starts[-1] + len(cluster))
    return starts


def previous_boundary(text: str, offset: int) -> int:
    """The caret position one cluster to the left of ``offset`` (0 at the start)."""
    before = 0
    for start in _starts_around(text, offset):
        if start >= offset:
            break
        before = start
    return before


def next_boundary(text: str, offset: int) -> int:
    """The caret position one cluster to the right of ``offset`` (``len(text)`` at the end)."""
    return next((start for start in _starts_around(text, offset) if start > offset), len(text))


def snap(text: str, offset: int) -> int:
    """``offset``, or the start of the cluster it would stand inside of."""
    return previous_boundary(text, offset + 1) if 0 < offset < len(text) else offset


def _starts_around(text: str, offset: int) -> Iterator[int]:
    """Cluster starts in order, the first of them well before ``offset``: the cost is that of a word.

    No cluster reaches over a line break or (but for a sign that is written before digits) over a blank.
    """
    start = max(0, offset - 1)
    start = max(text.rfind("\n", 0, start), text.rfind(" ", 0, start), 0)
    yield start
    for cluster in _clusters(text, start):
        start += len(cluster)
        yield start


def split_cells(text: str, cells: int) -> tuple[str, str]:
    """Cut ``text`` after ``cells`` cells; together both halves are as wide as ``text``.

    A wide cluster on the cut gives way to blanks on either side.
    """
    if cells <= 0:
        return "", text
    if text.isascii():
        return text[:cells], text[cells:]
    position = offset = 0
    for cluster in clusters(text):
        width = cell_len(cluster)
        if position + width > cells:
            if position == cells:
                return text[:offset], text[offset:]
            left, right = cells - position, position + width - cells
            return text[:offset] + " " * left, " " * right + text[offset + len(cluster) :]
        position += width
        offset += len(cluster)
    return text, ""


def crop(text: str, cells: int, *, ellipsis: str = "") -> str:
    """``text`` cut to at most ``cells`` cells; where it was cut it ends with ``ellipsis`` if that fits.

    Unlike :func:`split_cells` no blank stands for a cut wide cluster: the result may be a cell narrower.
    """
    if cells <= 0:
        return ""
    if cell_len(text) <= cells:
        return text
    room = cells - cell_len(ellipsis)
    if room < 0:
        ellipsis, room = "", cells
    kept: list[str] = []
    for cluster in clusters(text):
        room -= cell_len(cluster)
        if room < 0:
            break
        kept.append(cluster)
    return "".join(kept).rstrip() + ellipsis if ellipsis else "".join(kept)


def fill(text: str, cells: int, *, ellipsis: str = "") -> str:
    """``text`` cropped or padded with blanks to exactly ``cells`` cells."""
    text = crop(text, cells, ellipsis=ellipsis)
    return text + " " * (cells - cell_len(text))


def wrap(text: str, cells: int) -> list[str]:
    """Break one line of text into lines of at most ``cells`` cells (at least 2), at blanks where possible.

    Blanks at a break are dropped; a word wider than a line is cut between clusters. ``""`` gives ``[""]``.
    """
    cells = max(2, cells)
    lines: list[str] = []
    line, width = "", 0
    for word in _words(text):
        size = cell_len(word)
        if width + size <= cells:
            line, width = line + word, width + size
            continue
        if word.isspace():
            if line:
                lines.append(line)
            line, width = "", 0
            continue
        if line.strip():
            lines.append(line.rstrip(" "))
            line, width = "", 0
        for cluster in clusters(word):
            step = cell_len(cluster)
            if width + step > cells and line:
                lines.append(line)
                line, width = "", 0
            line, width = line + cluster, width + step
    lines.append(line.rstrip(" ") if lines else line)
    return lines


def _words(text: str) -> Iterator[str]:
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or (text[index] == " ") != (text[index - 1] == " "):
            yield text[start:index]
            start = index
