"""What a desktop notification is in bytes: OSC 9, 777 or 99, or the bell, from text that may be hostile."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, assert_never

from tui_tapback.domain.text import clean_line

TITLE, BODY = 60, 200
"""Characters of title and body at most: notifications show no more, and kitty takes 2,048 bytes a piece."""
_BEL: Final = "\x07"
_ST: Final = "\x1b\\"


class Kind(StrEnum):
    """How a terminal is asked for a notification."""

    OSC9 = "osc9"  # iTerm2: one text
    OSC777 = "osc777"  # urxvt, foot, Ghostty, WezTerm: title and body
    OSC99 = "osc99"  # kitty: title and body, and the newest replaces the one before
    BELL = "bell"


_PROGRAMS: Final[Mapping[str, Kind]] = {
    "iTerm.app": Kind.OSC9,
    "WezTerm": Kind.OSC777,
    "ghostty": Kind.OSC777,
    "WarpTerminal": Kind.OSC777,
    "kitty": Kind.OSC99,
}
_TERMS: Final[tuple[tuple[str, Kind], ...]] = (
    ("xterm-kitty", Kind.OSC99),
    ("xterm-ghostty", Kind.OSC777),
    ("foot", Kind.OSC777),
    ("wezterm", Kind.OSC777),
    ("rxvt-unicode", Kind.OSC777),
)


def in_tmux(environ: Mapping[str, str]) -> bool:
    """Whether tmux stands between us and the terminal."""
    return bool(environ.get("TMUX")) or environ.get("TERM", "").startswith("tmux")


def kind_for(environ: Mapping[str, str]) -> Kind:
    """What this terminal is known to show; the bell where it is not known.

    Within tmux, screen and zellij that is the bell as well: they hand it on and mark the window, while they
    swallow other sequences unless the person has allowed them.
    """
    if in_tmux(environ) or environ.get("STY") or environ.get("ZELLIJ"):
        return Kind.BELL
    term = environ.get("TERM", "")
    known = next((kind for start, kind in _TERMS if term.startswith(start)), None)
    if known is not None:
        return known
    if environ.get("KITTY_WINDOW_ID"):
        return Kind.OSC99
    return _PROGRAMS.get(environ.get("TERM_PROGRAM", ""), Kind.BELL)


def notification(kind: Kind, title: str, body: str, *, tmux: bool = False, identifier: str = "1") -> str:
    """The characters to write, in one piece, for a notification.

    Whatever stands in ``title`` and ``body``, the sequence ends where it should: both are cleaned, cut and
    on one line. ``tmux`` wraps it so that tmux hands it on (``allow-passthrough``). A notification of OSC 99
    with the same ``identifier`` (letters, digits, ``-``) replaces the one before.
    """
    title, body = clean_line(title)[:TITLE], clean_line(body)[:BODY]  # an ellipsis may not be spelt here
    match kind:
        case Kind.BELL:
            return _BEL  # tmux hands it on by itself
        case Kind.OSC9:
            sequence = f"\x1b]9;{_not_a_number(f'{title}: {body}' if title else body)}{_BEL}"
        case Kind.OSC777:
            # Terminals do not agree on what a semicolon in there means.
            sequence = f"\x1b]777;notify;{title.replace(';', ',')};{body.replace(';', ',')}{_BEL}"
        case Kind.OSC99:
            start = f"\x1b]99;i={identifier}"
            sequence = f"{start}:d=0:p=title;{title}{_ST}{start}:d=1:p=body;{body}{_ST}"
        case _:
            assert_never(kind)
    return through_tmux(sequence) if tmux else sequence


def through_tmux(sequence: str) -> str:
    """``sequence`` in an envelope that tmux opens and hands on."""
    return f"\x1bPtmux;{sequence.replace(chr(27), chr(27) * 2)}{_ST}"


def _not_a_number(text: str) -> str:
    """ConEmu and Windows Terminal read ``9;4;…`` as orders, for a progress bar and more."""
    return f"- {text}" if text[:1].isdigit() else text
