"""Keeps emoji such as ❤️ in colour where the terminal gives them one cell: a driver adds the other one."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len

if TYPE_CHECKING:
    from textual.driver import Driver

# One character with U+FE0F, or a keycap; nothing that is joined to something else.
_PINNED: Final = re.compile("([^\u200d\ufe0f])\ufe0f(\u20e3)?(?![\u200d\u20e3\U0001f3fb-\U0001f3ff])")


def pin(output: str) -> str:
    """``output`` with a blank after each emoji for which Rich counts two cells and the terminal takes one.

    Only for a profile that is ``pinned``. All that follows in the line stands where it is meant to stand; the
    coloured sign may reach into the blank cell, as terminals let it.
    """
    return _PINNED.sub(_with_blank, output) if "\ufe0f" in output else output


def _with_blank(match: re.Match[str]) -> str:
    return f"{match[0]} " if cell_len(match[1]) == 1 else match[0]


def pinning_driver() -> type[Driver] | None:
    """Textual's own driver for this system with ``pin`` in its ``write``; ``None`` on Windows."""
    if sys.platform == "win32":
        return None
    from textual.drivers.linux_driver import LinuxDriver

    class PinningDriver(LinuxDriver):
        """Writes emoji in two cells to a terminal that gives them one."""

        def write(self, data: str) -> None:
            """Write ``data``, pinned."""
            super().write(pin(data))

    driver: type[Any] = PinningDriver
    return driver
