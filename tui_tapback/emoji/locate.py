"""Finds the bundled emoji data, in a checkout as well as in an installed wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tui_tapback.domain.errors import TapbackError
from tui_tapback.words import _

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def assets() -> Path:
    """The folder that holds ``core.json``.

    A wheel carries it inside the package; an editable install reads it beside the package.
    Raises TapbackError when neither place has it.
    """
    for folder in (_PACKAGE / "_assets" / "emoji", _PACKAGE.parent / "assets" / "emoji"):
        if (folder / "core.json").is_file():
            return folder
    raise TapbackError(
        _("The emoji data that belongs to the program is missing."), hint=_("Install the program again.")
    )


def asset(*parts: str) -> Path:
    """The path of one file of the bundle, which may not exist (a locale that we do not carry)."""
    return assets().joinpath(*parts)
