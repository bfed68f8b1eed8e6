"""Tells a terminal's answers from the keys that are typed among them, however the bytes are cut."""

from __future__ import annotations

import re
from typing import Final

from tui_tapback.domain.values import value

ESC: Final = 0x1B
_LONGEST: Final = 64
"""Bytes after which an unfinished sequence is nobody's answer."""
_CURSOR: Final = re.compile(rb"\x1b\[(\d{1,5});(\d{1,5})R")
_MODE: Final = re.compile(rb"\x1b\[\?(\d{1,5});(\d)\$y")
_ATTRIBUTES: Final = re.compile(rb"\x1b\[\?[\d;]*c")


@value
class CursorAt:
    """Where the cursor is, counted from 1 (the answer to ``CSI 6n``)."""

    row: int
    column: int


@value
class ModeIs:
    """The state of a private mode: 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset (DECRPM)."""

    mode: int
    state: int


@value
class Attributes:
    """The terminal has said what it is (the answer to ``CSI c``)."""


Reply = CursorAt | ModeIs | Attributes


class ReplyParser:
    """Takes the bytes that come from a terminal, one piece after the other.

    An answer about the cursor counts only in ``row``: on the first row it is what Ctrl+F3 sends in xterm.
    ``keys`` holds every byte that is no answer, in the order in which it came.
    """

    def __init__(self, row: int) -> None:
        self.keys = b""
        self._row = row
        self._open = bytearray()

    @property
    def unfinished(self) -> bool:
        """Whether the bytes so far end within an escape sequence."""
        return bool(self._open)

    def feed(self, data: bytes) -> list[Reply]:
        """The answers that ``data`` completes, in order."""
        found: list[Reply] = []
        typed = bytearray()
        for byte in data:
            if byte == ESC:  # a new sequence, whatever was open: a single Esc, or one that was cut off
                typed += self._open
                self._open[:] = b"\x1b"
            elif not self._open:
                typed.append(byte)
            else:
                self._open.append(byte)
                if not self._may_go_on(byte):
                    reply = self._reply(bytes(self._open))
                    if reply is None:
                        typed += self._open
                    else:
                        found.append(reply)
                    self._open.clear()
        self.keys += bytes(typed)
        return found

    def close(self) -> bytes:
        """All keys; what is unfinished was typed too (a single Esc)."""
        self.keys += bytes(self._open)
        self._open.clear()
        return self.keys

    def _may_go_on(self, byte: int) -> bool:
        if len(self._open) == 2:
            return byte == ord("[")
        return 0x20 <= byte < 0x40 and len(self._open) < _LONGEST

    def _reply(self, sequence: bytes) -> Reply | None:
        if (cursor := _CURSOR.fullmatch(sequence)) and int(cursor[1]) == self._row:
            return CursorAt(int(cursor[1]), int(cursor[2]))
        if mode := _MODE.fullmatch(sequence):
            return ModeIs(int(mode[1]), int(mode[2]))
        return Attributes() if _ATTRIBUTES.fullmatch(sequence) else None
