"""Whether a terminal can place its cursor; one that cannot gets plain lines instead of a screen."""

from __future__ import annotations

from typing import Final

_KNOWN: Final = (
    "xterm", "screen", "tmux", "linux", "rxvt", "vt1", "vt2", "vt3", "vt4", "vt5", "alacritty", "foot",
    "kitty", "konsole", "gnome", "st-", "wezterm", "ghostty", "contour", "iterm", "eterm", "putty",
    "mintty", "ansi", "cygwin", "nsterm", "vte", "mlterm", "zellij", "rio",
)  # fmt: skip
"""Beginnings of names of terminals that can, so that nobody has to look them up at the start."""


def places_cursor(term: str) -> bool:
    """Whether a terminal of that type (``TERM``) can, as its description says; an unknown one is tried."""
    if term in ("", "dumb"):
        return False
    if term.startswith(_KNOWN):
        return True
    try:
        import curses
    except ImportError:  # a system without terminal descriptions
        return True
    try:
        curses.setupterm(term)
    except curses.error:
        return True
    return bool(curses.tigetstr("cup"))
