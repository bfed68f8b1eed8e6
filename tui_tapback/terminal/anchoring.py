"""Keeps what stands right of Hindi, Thai and their kind in its column, whatever cells they are given."""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len

_SCRIPTS: Final = (
    "\u0900-\u109f\u1100-\u11ff\u1700-\u18af\u1900-\u1cff\ua800-\ua82f\ua840-\ua95f\ua980-\uabff\ud7b0-\ud7ff"
    "\U00010a00-\U00010a5f\U00011000-\U00011fff\U00016100-\U0001613f"
)
"""From Devanagari to Myanmar, Jamo, Khmer, Balinese and so on: terminals join or add up their signs as each
likes, and vowel signs that have a cell there have none in Rich."""
_MARKS: Final = "\u0300-\u036f\u1ab0-\u1aff\u200c\u200d\ufe00-\ufe0f"
_WORDS: Final = re.compile(f"[{_SCRIPTS}](?:[{_MARKS}]| ?[{_SCRIPTS}])*")
_TOKEN: Final = re.compile(
    r"\x1b\[\d+;(?P<column>\d+)H"
    r"|\x1b(?:\[[0-9;:]*m|\[\?[0-9;]*[hl]|\][^\x07\x1b]*(?:\x07|\x1b\\))"  # nothing moves
    r"|(?P<moved>\x1b(?:\[[0-9;:<=>?]*[ -/]*[@-~])?|[\x00-\x1a\x1c-\x1f])"
    r"|(?P<text>[^\x00-\x1f\x1b]+)"
)


def needs_anchor(text: str) -> bool:
    """Whether ``text`` has signs of which terminals disagree."""
    return _WORDS.search(text) is not None


def anchor(output: str) -> str:
    """``output`` with the cursor put to the planned column behind each run of such words.

    Their cells are blanked before, for a terminal that needs fewer of them would keep what stood there. One
    that needs more must not break the line: whoever writes has switched that off, as Textual does. The way
    is by the first column: screen, whose tables are old, would else tell the terminal outside how far to go
    from where it believes to be. Only what follows a place (row and column) on its line is anchored: the
    column is not known elsewhere.
    """
    if output.isascii() or not needs_anchor(output):
        return output
    done: list[str] = []
    column: int | None = None
    copied = 0
    for token in _TOKEN.finditer(output):
        if token["column"]:
            column = int(token["column"])
        elif token["moved"]:
            column = None
        elif column is not None and (text := token["text"]):
            done += (output[copied : token.start()], _anchored(text, column))
            copied = token.end()
            column += cell_len(text)
    return "".join((*done, output[copied:]))


def _anchored(text: str, column: int) -> str:
    """``text``, whose first cell is in ``column``."""
    done: list[str] = []
    copied = 0
    for words in _WORDS.finditer(text):
        before, found = text[copied : words.start()], words[0]
        column += cell_len(before)
        width = cell_len(found)
        done += before, f"{' ' * width}\x1b[{column}G{found}\r\x1b[{column + width}G"
        column += width
        copied = words.end()
    return "".join((*done, text[copied:]))
