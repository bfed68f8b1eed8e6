"""Tells keys from bytes of a terminal: characters, control keys, arrows, and what was pasted; pure."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Final

_ENDS: Final = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end",
    "1~": "home", "7~": "home", "4~": "end", "8~": "end", "3~": "delete",
    "1;5C": "word_right", "1;5D": "word_left", "1;3C": "word_right", "1;3D": "word_left",
}  # fmt: skip
_CONTROLS: Final = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace",
    "\x01": "home", "\x02": "left", "\x04": "end_of_input", "\x05": "end", "\x06": "right",
    "\x0b": "kill_right", "\x0c": "again", "\x0e": "down", "\x10": "up", "\x12": "again", "\x15": "kill_left",
    "\x17": "kill_word", "\x19": "yank",
}  # fmt: skip
_ALT: Final = {"b": "word_left", "f": "word_right", "d": "kill_word_right", "\x7f": "kill_word"}
_PASTE_BEGINS: Final = "200~"
_PASTE_ENDS: Final = "\x1b[201~"
_LONGEST: Final = 32
"""Characters of a sequence; what goes on longer is none."""


@dataclass(frozen=True, slots=True)
class Key:
    """``name`` is ``text`` for characters, ``paste`` for what was pasted, else the name of what to do."""

    name: str
    text: str = ""


class KeyReader:
    """Is fed bytes as they come, cut anywhere."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, data: bytes) -> list[Key]:
        """The keys that are complete by now."""
        text = self._rest + self._decoder.decode(data)
        self._rest = ""
        keys: list[Key] = []
        place = 0
        while place < len(text):
            found, end = self._key(text, place)
            if end is None:
                self._rest = text[place:]
                break
            if found is not None:
                keys.append(found)
            place = end
        return keys

    def _key(self, text: str, place: int) -> tuple[Key | None, int | None]:
        """The key at ``place`` (None: one without a meaning) and where it ends (None: not here yet)."""
        char = text[place]
        if char == "\x1b":
            return self._escape(text, place)
        if char in _CONTROLS:
            return Key(_CONTROLS[char]), place + 1
        if not char.isprintable() and char not in "\u200d\ufe0f":
            return None, place + 1
        return Key("text", char), place + 1

    def _escape(self, text: str, place: int) -> tuple[Key | None, int | None]:
        if place + 1 >= len(text):
            return None, None
        kind = text[place + 1]
        if kind not in "[O":
            return (Key(_ALT[kind]) if kind in _ALT else None), place + 2
        for end in range(place + 2, min(len(text), place + 2 + _LONGEST)):
            if "@" <= text[end] <= "~":
                body = text[place + 2 : end + 1]
                if body == _PASTE_BEGINS:
                    return self._paste(text, end + 1)
                return (Key(_ENDS[body]) if body in _ENDS else None), end + 1
        return (None, None) if len(text) < place + 2 + _LONGEST else (None, place + 2)

    @staticmethod
    def _paste(text: str, begin: int) -> tuple[Key | None, int | None]:
        end = text.find(_PASTE_ENDS, begin)
        if end < 0:
            return None, None
        pasted = text[begin:end].replace("\r\n", "\n").replace("\r", "\n")
        return Key("paste", pasted), end + len(_PASTE_ENDS)
