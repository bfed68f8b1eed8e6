"""What is folded: very long messages of the user's, the thoughts of an answer, and what tools gave back."""

from __future__ import annotations

from typing import Final

from rich.style import Style

from tui_tapback.domain.text import clean_text
from tui_tapback.words import _, plural

from ..fitter import Fitter
from ..markdown import Line, standing_for, wrap_runs

FOLD_ROWS: Final = 40
"""Rows from which on a message of the user's is shown folded."""
FOLDED_ROWS: Final = 12
"""Rows of it that are shown then."""
UNFOLDED_MOST: Final = 400
"""Rows of thoughts or of a tool's result that are shown at most."""
UNFOLDED_CHARACTERS: Final = 40_000


def folds(lines: list[Line]) -> bool:
    """Whether a message of these lines is long enough to be folded."""
    return len(lines) > FOLD_ROWS


def folded_line(lines: list[Line], muted: Style) -> list[Line]:
    """The first lines, and one that says how many are left out."""
    left = len(lines) - FOLDED_ROWS + 1
    told = plural("… {count} more line · Space", "… {count} more lines · Space", left).format(count=left)
    return [*lines[: FOLDED_ROWS - 1], Line([(told, standing_for("", muted))])]


def unfolded_rows(text: str, style: Style, fitter: Fitter, width: int) -> list[Line]:
    """A text in full, wrapped; of a very long one its beginning and how long it is."""
    shown = fitter.fit_text(clean_text(text[:UNFOLDED_CHARACTERS]).expandtabs(4)).strip("\n")
    rows = [line for row in shown.split("\n") for line in wrap_runs([(row, style)], width, hard=True)]
    if len(rows) > UNFOLDED_MOST or len(text) > UNFOLDED_CHARACTERS:
        rows = rows[:UNFOLDED_MOST]
        told = _("… these are the first lines of {count:,} characters").format(count=len(text))
        rows.append(Line([(told, style)]))
    return rows
