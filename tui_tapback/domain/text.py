"""Makes text from outside harmless for a terminal: control sequences, bidi overrides, lone surrogates."""

from __future__ import annotations

import re

# Styling and hyperlinks are the everyday noise of tool output: the sequence goes, its text stays.
# SGR, OSC 7 (working directory) and OSC 8 (hyperlink), each 7-bit or 8-bit, ended by BEL or ST.
_STYLING = re.compile(
    r"(?:\x1b\[|\x9b)[0-9;:]*m"
    r"|(?:\x1b\]|\x9d)[78];[^\x07\x1b\x9c\x9d\n]*(?:\x07|\x1b\\|\x9c)",
)
# Anything else that could drive a terminal is shown as a visible stand-in, so that a reader sees the attempt.
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufff9-\ufffb]"
)
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Hebrew, Arabic, Syriac, Thaana and their kin."""
_ISOLATE, _END = "\u2068", "\u2069"
_LINE_ENDS = re.compile("\r\n|[\u2028\u2029\x85]")
_BLANKS = re.compile(r"\s+")
_LOOKED_AT = 32
"""Characters looked at for each that a line may have: room for styling and blanks, none for ten megabytes."""
_INVISIBLE = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
REPLACEMENT = "\ufffd"


def _stand_in(match: re.Match[str]) -> str:
    char = match.group()
    if char in _INVISIBLE:
        return ""
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else REPLACEMENT


def clean_text(text: str) -> str:
    """Return ``text`` with nothing in it but printable characters, newlines and tabs.

    Styling sequences are removed, other control characters become visible stand-ins (``␛`` for ESC),
    bidirectional controls and byte order marks disappear, lone surrogates become U+FFFD. Idempotent.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _LINE_ENDS.sub("\n", _STYLING.sub("", text))
    return _HARMFUL.sub(_stand_in, text)


def clean_line(text: str, limit: int = 0) -> str:
    """Return ``text`` cleaned and on one line, blanks folded; at most ``limit`` characters if given."""
    text = text[: limit * _LOOKED_AT] if limit else text
    text = _BLANKS.sub(" ", clean_text(text)).strip()
    if limit and len(text) > limit:
        text = text[: limit - 1].rstrip() + "…"
    return text


def isolated(text: str) -> str:
    """``text``, which is clean, among words of ours: what runs from right to left stays by itself.

    Where it has such letters it stands between FSI and PDI, which take no cell: else a terminal that orders
    by direction would pull quotation marks, numbers and what follows into it. ``clean_text`` removes them.
    """
    return f"{_ISOLATE}{text}{_END}" if _RIGHT_TO_LEFT.search(text) else text
