"""Chooses the driver for an app: output is anchored, watched and pinned, where the system allows it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from tui_tapback.domain.values import value
from tui_tapback.terminal.anchoring import anchor
from tui_tapback.terminal.background import Sieve
from tui_tapback.terminal.profile import in_browser

if TYPE_CHECKING:
    from textual.driver import Driver

    from tui_tapback.terminal.watch import Watch


@value
class Background:
    """What a driver does about the terminal's background.

    ``follows``: the terminal can tell when it turns dark or light (mode 2031), and shall. ``told`` is called
    with True for dark, by the thread that reads. ``sieve`` has been behind whoever read before.
    """

    sieve: Sieve = field(default_factory=Sieve)
    follows: bool = False
    told: Callable[[bool], object] = lambda _: None


def screen_driver(
    watch: Watch,
    *,
    pinned: bool,
    background: Background | None = None,
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
        looks = Looks(watch, pinned, take_over, background or Background())

    return Looking


def _browser_driver() -> type[Driver]:
    from textual.drivers.web_driver import WebDriver

    class BrowserDriver(WebDriver):
        """Textual's own for a browser, whose terminal asks and answers nothing."""

        def start_application_mode(self) -> None:
            """As Textual does, and let no line break by itself, which Textual orders elsewhere only."""
            super().start_application_mode()
            self.write("\x1b[?7l")

        def write(self, data: str) -> None:
            """Write ``data``, anchored."""
            super().write(anchor(data))

    return BrowserDriver
