"""Turns what an app shows into text, line by line as its compositor would send it to the terminal."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from textual.app import App


def screen_lines(app: App[Any]) -> list[str]:
    """The lines of the screen on top, each as wide as the screen (in cells)."""
    return [strip.text for strip in app.screen._compositor.render_strips()]  # pyright: ignore[reportPrivateUsage] -- Textual's own tests do the same; there is no public way to the composed lines


def screen_text(app: App[Any]) -> str:
    """The screen as one text; trailing blanks of each line are cut, so that snapshots are easy to read."""
    return "\n".join(line.rstrip() for line in screen_lines(app)) + "\n"


def line_widths(app: App[Any]) -> set[int]:
    """The widths in cells of all lines; one number when nothing is out of line."""
    return {cell_len(line) for line in screen_lines(app)}
