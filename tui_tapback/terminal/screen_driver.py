"""Chooses the driver for an app: output is anchored, watched and pinned, where the system allows it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tui_tapback.terminal.anchoring import anchor
from tui_tapback.terminal.profile import in_browser

if TYPE_CHECKING:
    from textual.driver import Driver

    from tui_tapback.terminal.watch import Watch


def screen_driver(
    watch: Watch,
    *,
    pinned: bool,
    take_over: Callable[[], bool] = lambda: False,
    environ: Mapping[str, str] = os.environ,
) -> type[Driver] | None:
    """The class to give to an app; ``None``, which lets Textual choose, on Windows.

    ``take_over`` is called when the driver takes the terminal: True where the other screen is shown already.
    """
    if sys.platform == "win32":
        return None
    if in_browser(environ):
        return _browser_driver()
    from tui_tapback.terminal.drivers import Looks, ScreenDriver

    class Looking(ScreenDriver):
        looks = Looks(watch, pinned, take_over)

    return Looking


def _browser_driver() -> type[Driver]:
    from textual.drivers.web_driver import WebDriver

    class BrowserDriver(WebDriver):
        """Textual's own for a browser, whose terminal asks and answers nothing."""

        def write(self, data: str) -> None:
            """Write ``data``, anchored."""
            super().write(anchor(data))

    return BrowserDriver
