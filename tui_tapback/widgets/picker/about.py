"""Lays out the two rows about the emoji under the cursor, and what stands for one that cannot be drawn."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.normalise import base_of
from tui_tapback.terminal.cells import MISSING, bare, initials
from tui_tapback.terminal.graphemes import crop, fill, wrap
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.picker.source import PickerSource

_INDENT, _NARROW = 4, 1
_NO_LETTERS = "[]"
# Words of so many English names that their letters tell nothing.
_SILENT = frozenset(("face", "with", "of", "and", "the", "in", "on", "over"))


def standing_in(source: PickerSource, fitter: Fitter, emoji: str) -> tuple[str, bool]:
    """Two cells for ``emoji``, and whether they show something else than the emoji itself.

    Where the terminal has nothing like it, two letters of its name stand there: a grid full of the same
    box tells nobody anything.
    """
    drawn = fitter.fit(emoji)
    if drawn == MISSING:
        name = clean_line(source.name(emoji))
        telling = " ".join(word for word in name.split() if word not in _SILENT)
        letters = initials(telling or name)
        if letters == _NO_LETTERS:
            # Another script: its first sign, unless that alone is wider than the cell.
            letters = fill(name, 2) if fill(name, 2).strip() else initials(source.shortcode(emoji))
        return letters, True
    return drawn, bare(drawn.rstrip()) not in {bare(emoji), bare(base_of(emoji))}


def named(name: str, remark: str, first: int, second: int, *, ellipsis: str) -> tuple[str, str]:
    """The name on a row of ``first`` cells; what does not fit begins the next, of ``second`` cells.

    ``remark`` follows the name where there is room. ``second`` is 0 where there is no other row.
    """
    for text in (name + remark, name):
        if cell_len(text) <= first:
            return text, ""
    if second <= 0:
        return crop(name, first, ellipsis=ellipsis), ""
    head, *rest = wrap(name, max(2, first))
    return head, crop(" ".join(rest), second, ellipsis=ellipsis)


def facts(parts: Sequence[str], room: int, *, ellipsis: str) -> str:
    """Shortcode, version and category in ``room`` cells.

    Where they do not fit, the blanks go first, then the version, and only then the category is cut.
    """
    code, version, category = parts
    known = [part for part in parts if part]
    short = [part for part in (code, category) if part]
    for text in (
        " " * _INDENT + "  ".join(known),
        " " * _NARROW + "  ".join(known),
        " " * _NARROW + " ".join((code, version.replace("moji ", ""), category)),
        " " * _NARROW + "  ".join(short),
    ):
        if cell_len(text) <= room:
            return text
    return crop(" " * _NARROW + "  ".join(short), room, ellipsis=ellipsis)
