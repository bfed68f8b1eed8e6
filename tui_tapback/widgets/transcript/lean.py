"""Strips that tell the terminal only what differs from one run to the next, not every style anew."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

_ON: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9")
"""SGR of Rich's attributes by bit: bold, dim, italic, underline, blink twice, reverse, conceal, strike."""
_OFF: Final = ("22", "22", "23", "24", "25", "25", "27", "28", "29")
_COMMON: Final = (1 << len(_ON)) - 1
_WEIGHT: Final = 0b11
_BLINKS: Final = 0b110000
_RESET: Final = "\x1b[0m"


class Pen(NamedTuple):
    """How a terminal writes: Rich's attribute bits, and the codes of both colours ("": its own)."""

    attributes: int = 0
    colour: str = ""
    background: str = ""


_PLAIN: Final = Pen()


class LeanStrip(Strip):
    """A strip whose ANSI is a third as long as Textual's where its runs are short."""

    __slots__ = ()

    def render(self, console: Console) -> str:
        """The strip as terminal sequences; it begins and ends with the terminal's own style."""
        if self._render_cache is None:
            system = COLOR_SYSTEMS[console.color_system or "truecolor"]
            self._render_cache = lean_ansi(self._segments, system)
        return self._render_cache


def lean_ansi(segments: Iterable[Segment], system: ColorSystem) -> str:
    """Text with as few codes as the changes between its runs need. A run with a link is written whole."""
    parts: list[str] = []
    now = _PLAIN
    for text, style, _ in segments:
        if style is not None and style.link:
            parts += [change(now, _PLAIN), style.render(text, color_system=system)]
            now = _PLAIN
            continue
        wanted = _PLAIN if style is None else _pen(style, system)
        if wanted != now:
            parts.append(change(now, wanted))
            now = wanted
        parts.append(text)
    parts.append(change(now, _PLAIN))
    return "".join(parts)


@lru_cache(4096)
def _pen(style: Style, system: ColorSystem) -> Pen:
    attributes = sum(1 << bit for bit, name in enumerate(_NAMES) if getattr(style, name))
    colour, background = style.color, style.bgcolor
    return Pen(
        attributes,
        ";".join(colour.downgrade(system).get_ansi_codes()) if colour else "",
        ";".join(background.downgrade(system).get_ansi_codes(foreground=False)) if background else "",
    )


_NAMES: Final = (
    *("bold", "dim", "italic", "underline", "blink", "blink2", "reverse", "conceal", "strike"),
    *("underline2", "frame", "encircle", "overline"),
)
_RARE: Final = {9: "21", 10: "51", 11: "52", 12: "53"}


@lru_cache(4096)
def change(before: Pen, after: Pen) -> str:
    """The sequence that turns one pen into the other; empty where they are the same."""
    if before == after:
        return ""
    if after == _PLAIN:
        return _RESET
    gone, fresh = before.attributes & ~after.attributes, after.attributes & ~before.attributes
    if gone & ~_COMMON:
        return _RESET + change(_PLAIN, after)
    codes = list(dict.fromkeys(_OFF[bit] for bit in range(len(_OFF)) if gone & (1 << bit)))
    if gone & _WEIGHT:
        fresh |= after.attributes & _WEIGHT  # both weights are ended by the same code
    if gone & _BLINKS:
        fresh |= after.attributes & _BLINKS
    codes += [_ON[bit] for bit in range(len(_ON)) if fresh & (1 << bit)]
    codes += [code for bit, code in _RARE.items() if fresh & (1 << bit)]
    if after.colour != before.colour:
        codes.append(after.colour or "39")
    if after.background != before.background:
        codes.append(after.background or "49")
    return f"\x1b[{';'.join(codes)}m"
