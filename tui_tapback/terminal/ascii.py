"""What stands for box lines, arrows and other signs, or for any text, where only ASCII can be drawn."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from rich.cells import cell_len

from .graphemes import clusters, fill

_LEVEL: Final = "─┄┈╌╴╶╼╾‐‑‒–—―−·"
_UPRIGHT: Final = "│┆┊╎╵╷▌▐▎▏▍▊▋▉▕"
# The frame of what is selected: only its weight tells it from the others.
_HEAVY: Final = "┃┏┓┗┛┣┫┳┻╋║╔╗╚╝"
_SIGNS: Final = {
    "━": "=", "═": "=",
    "←": "<", "→": ">", "↑": "^", "↓": "v", "‹": "<", "›": ">", "«": "<", "»": ">", "◀": "<", "▶": ">",
    "▲": "^", "▼": "v", "▴": "^", "▾": "v", "▸": ">", "◂": "<", "▯": "?",
    "…": ".", "•": "*", "●": "*", "◉": "*", "○": "o", "◌": "~", "◦": "o", "■": "#", "□": "o", "▪": "*",
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": ",", "′": "'", "″": '"',
    "✓": "v", "✔": "v", "✗": "x", "✘": "x", "×": "x", "☺": "+", "⚙": "*", "⌫": "<", "⏎": "<", "⋮": ":",
    "❤": "<", "‼": "!", "⁇": "?", "⁉": "!", "⚐": "P", "★": "*", "☆": "*", "\u00a0": " ",
    "▁": "_", "▂": "_", "▃": "_", "▄": "_", "▔": "-", "▀": "-", "░": ".", "▒": ":", "▓": "#",
}  # fmt: skip
_PICTURES: Final = re.compile("[\u2010-\u2069\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]")
_TABLE: Final[Mapping[int, str]] = {
    **dict.fromkeys(range(9472, 9600), "+"),
    **dict.fromkeys(range(9600, 9632), "#"),
    **dict.fromkeys(map(ord, _HEAVY), "#"),
    **{ord(sign): "-" for sign in _LEVEL},
    **{ord(sign): "|" for sign in _UPRIGHT},
    **{ord(sign): plain for sign, plain in _SIGNS.items()},
}
_LETTERS: Final = str.maketrans("ßẞæÆœŒøØłŁđĐðÐþÞħĦı€", "sSaAoOoOlLdDdDtThHiE")
"""Letters without an accent to lose, and the one most like them that fits in their cell."""


def ascii_signs(text: str) -> str:
    """``text`` with lines, arrows, marks and pictures as ASCII, a cell for a cell; letters stay."""
    if text.isascii():
        return text
    text = text.translate(_TABLE)
    return text if text.isascii() else _PICTURES.sub(lambda found: "?" * cell_len(found[0]), text)


def ascii_text(text: str) -> str:
    """``text`` in nothing but ASCII and as wide as it was: letters as the most like, the rest is ``?``."""
    text = ascii_signs(text)
    return text if text.isascii() else "".join(map(_spelled, clusters(text)))


def _spelled(cluster: str) -> str:
    if cluster.isascii():
        return cluster
    plain = "".join(
        char for char in unicodedata.normalize("NFKD", cluster.translate(_LETTERS)) if char.isascii()
    )
    width = cell_len(cluster)
    return fill(plain, width) if len(plain) == 1 else "?" * width
