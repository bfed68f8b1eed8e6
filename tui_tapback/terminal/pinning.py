"""Keeps emoji such as ❤️ in colour where the terminal gives them one cell: the other one is added."""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len

# One character with U+FE0F, or a keycap; nothing that is joined to something else.
_PINNED: Final = re.compile("([^\u200d\ufe0f])\ufe0f(\u20e3)?(?![\u200d\u20e3\U0001f3fb-\U0001f3ff])")
_BLANKED: Final = re.compile("([^\u200d\ufe0f])\ufe0f(\u20e3)? ")


def pin(output: str) -> str:
    """``output`` with a blank after each emoji for which Rich counts two cells and the terminal takes one.

    Only for a profile that is ``pinned``. All that follows in the line stands where it is meant to stand; the
    coloured sign may reach into the blank cell, as terminals let it.
    """
    return _PINNED.sub(_with_blank, output) if "\ufe0f" in output else output


def unpin(output: str) -> str:
    """What ``pin`` was given to make ``output``."""
    return _BLANKED.sub(_without_blank, output) if "\ufe0f" in output else output


def _without_blank(match: re.Match[str]) -> str:
    return match[0][:-1] if cell_len(match[1]) == 1 else match[0]


def _with_blank(match: re.Match[str]) -> str:
    return f"{match[0]} " if cell_len(match[1]) == 1 else match[0]
