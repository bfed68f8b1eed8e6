"""A share card: one message with its badges, as SVG, HTML or text."""

from __future__ import annotations

from html import escape

from rich.cells import cell_len

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.text import clean_text
from tui_tapback.terminal.graphemes import crop, wrap
from tui_tapback.words import _

from .html import bubble_html, page
from .record import emoji_of, told, who

COLUMNS = 48
"""Cells of a line on the card."""
LEAST = 16
"""Cells of a card with little text: room for two badges."""
LINES = 24
"""Lines that a card shows at most; more are cut with a sign that says so."""

_CELL, _LINE = 9.3, 22.0
_PAD, _MARGIN, _BADGE = 18.0, 28.0, 34.0
_FONT = "font-family=\"'Fira Code', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace\""
_EMOJI = "font-family=\"'Noto Color Emoji', 'Apple Color Emoji', 'Segoe UI Emoji', sans-serif\""


def card_text(message: Message) -> str:
    """Name and text, then the tapbacks in words."""
    lines = [f"{who(message)}: {clean_text(message.text)}", *(f"{words}." for words in told(message))]
    return "\n".join(lines) + "\n"


def card_html(message: Message) -> str:
    """A page with the one bubble."""
    return page(
        _("{who} in tui_tapback").format(who=who(message)), f"<main>\n{bubble_html(message)}\n</main>"
    )


def _shown(text: str) -> list[str]:
    lines = [piece for line in clean_text(text).split("\n") for piece in (wrap(line, COLUMNS) or [""])]
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], crop(lines[LINES - 1], COLUMNS - 1) + "…"]
    return lines


def _badge(x: float, y: float, emoji: str, fill: str, label: str) -> str:
    middle = _BADGE / 2
    return (
        f'<g role="img" aria-label="{escape(label)}"><title>{escape(label)}</title>'
        f'<circle cx="{x + middle:g}" cy="{y + middle:g}" r="{middle:g}" fill="{fill}" stroke="#14161a" '
        f'stroke-width="3"/><text x="{x + middle:g}" y="{y + middle + 6:g}" font-size="17" '
        f'text-anchor="middle" {_EMOJI}>{escape(emoji)}</text></g>'
    )


def card_svg(message: Message) -> str:
    """The bubble on a dark ground, badges on the corner away from its sender's edge.

    Nothing is loaded from elsewhere; the same message always gives the same bytes.
    """
    mine = message.role is Role.USER
    lines = _shown(message.text)
    width = max(LEAST, *map(cell_len, lines)) * _CELL + 2 * _PAD
    height = (len(lines) + 1) * _LINE + 2 * _PAD
    total = (width + 2 * _MARGIN, height + 2 * _MARGIN)
    fill, edge, ink = ("#216bdb", "#216bdb", "#ffffff") if mine else ("#1b1e24", "#3a404b", "#e4e7ec")
    rows = "".join(
        f'<text x="{_MARGIN + _PAD:g}" y="{_MARGIN + _PAD + (index + 2) * _LINE - 6:g}" '
        f'xml:space="preserve">{escape(line)}</text>'
        for index, line in enumerate(lines)
    )
    step = _BADGE - 8
    tapbacks = list(zip(message.reactions, told(message), strict=True))
    left = _MARGIN - 14 if mine else _MARGIN + width + 14 - _BADGE - step * (len(tapbacks) - 1)
    # Newest on top: painted last, and nearest to the corner.
    marks = "".join(
        _badge(
            left + step * (index if not mine else len(tapbacks) - 1 - index),
            _MARGIN - _BADGE / 2,
            emoji_of(reaction),
            "#0a62e6" if reaction.author is Author.USER else "#3a404b",
            words,
        )
        for index, (reaction, words) in enumerate(tapbacks)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total[0]:g} {total[1]:g}">'
        f'<rect width="100%" height="100%" fill="#14161a"/>'
        f'<rect x="{_MARGIN:g}" y="{_MARGIN:g}" width="{width:g}" height="{height:g}" rx="20" fill="{fill}" '
        f'stroke="{edge}"/>'
        f'<g fill="{ink}" font-size="15" {_FONT}><text x="{_MARGIN + _PAD:g}" y="{_MARGIN + _PAD + 12:g}" '
        f'font-size="12" opacity=".75">{escape(who(message))}</text>{rows}</g>{marks}</svg>\n'
    )
