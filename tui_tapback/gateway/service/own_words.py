"""Keeps words that somebody wrote from passing for the gateway's own lines about reactions and summaries."""

from __future__ import annotations

import re

_BLANK = "(?:[^\\S\\n]|[\u00ad\u034f\u200b-\u200d\u2060-\u2064])"  # also those that nobody sees
_GAP = _BLANK + "{1,8}"
_OPENING = (
    rf"the{_GAP}user(?:\Ws)?{_GAP}(?:reacted|changed{_GAP}their|took{_GAP}back|reactions?)\b",
    rf"summary{_GAP}of{_GAP}the{_GAP}older{_GAP}part\b",
    rf"you{_GAP}were{_GAP}told{_GAP}of{_GAP}these{_GAP}reactions\b",
    rf"this{_GAP}is{_GAP}not{_GAP}a{_GAP}message{_GAP}of{_GAP}the{_GAP}user\b",
)
_FORGED = re.compile(rf"[\[［⟦]{_BLANK}{{0,8}}(?:{'|'.join(_OPENING)})[^\n]*", re.IGNORECASE)
_PARENTHESES = str.maketrans({"[": "(", "]": ")", "［": "(", "］": ")", "⟦": "(", "⟧": ")"})


def own_words(text: str) -> str:
    """``text`` as the model gets it: where it imitates a line of the gateway, that line's square brackets
    become round ones, as in quotations. Anything else stays byte for byte; people see it as it was written.
    """
    return _FORGED.sub(lambda line: line.group().translate(_PARENTHESES), text)
