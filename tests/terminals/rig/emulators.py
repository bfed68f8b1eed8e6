"""Terminals without a window: xterm.js in Node, libghostty in this process, and one that answers nothing."""

from __future__ import annotations

import codecs
import importlib
import json
import struct
import subprocess
from pathlib import Path
from typing import Any, Protocol

Cells = list[list[str]]


class Emulator(Protocol):
    """Takes what a program writes; ``answers`` gives what the terminal sends back."""

    def feed(self, data: bytes) -> bytes:
        """Draw ``data``; returns what the terminal answers to it."""
        ...

    def cells(self) -> Cells:
        """The screen, a text for each cell; the second cell of a wide character is empty."""
        ...

    def close(self) -> None:
        """End it."""
        ...


class Void:
    """Draws and answers nothing: for what runs in a multiplexer, which answers by itself."""

    def feed(self, data: bytes) -> bytes:
        return b""

    def cells(self) -> Cells:
        return []

    def close(self) -> None:
        pass


class XtermJs:
    """xterm.js; ``widths`` is ``plain``, ``unicode11`` or ``graphemes``."""

    def __init__(self, packages: str, widths: str, columns: int, lines: int) -> None:
        script = str(Path(__file__).with_name("xtermjs.cjs"))
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._node = subprocess.Popen(
            ["node", script, packages, str(columns), str(lines), widths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def feed(self, data: bytes) -> bytes:
        # Whole characters, as its hosts pass them on: its own decoder loses one that is cut after two of
        # three bytes.
        self._send(b"d", self._decoder.decode(data).encode())
        return self._until_cells()[0]

    def cells(self) -> Cells:
        return self._until_cells()[1]

    def close(self) -> None:
        self._node.kill()
        self._node.wait()

    def _send(self, kind: bytes, content: bytes) -> None:
        assert self._node.stdin is not None
        self._node.stdin.write(struct.pack(">cI", kind, len(content)) + content)
        self._node.stdin.flush()

    def _until_cells(self) -> tuple[bytes, Cells]:
        """All answers so far: the cells come after everything that was written has been drawn."""
        assert self._node.stdout is not None
        self._send(b"s", b"")
        answers = b""
        while True:
            head = self._node.stdout.read(5)
            if len(head) < 5:
                raise OSError("xterm.js has ended; are its packages installed?")
            kind, size = struct.unpack(">cI", head)
            content = self._node.stdout.read(size)
            if kind == b"s":
                return answers, json.loads(content)
            answers += content


class Ghostty:
    """libghostty by way of the package ``pyghostty``; ``graphemes`` sets mode 2027 as its windows do."""

    def __init__(self, columns: int, lines: int, *, graphemes: bool) -> None:
        core: Any = importlib.import_module("pyghostty.core")  # it has no types
        self._terminal: Any = core.Terminal(columns, lines)
        self._size = columns, lines
        self._answers = b""
        self._terminal.on_reply(self._keep)
        if graphemes:
            self._terminal.feed(b"\x1b[?2027h")

    def feed(self, data: bytes) -> bytes:
        self._terminal.feed(data)
        answers, self._answers = self._answers, b""
        return answers

    def cells(self) -> Cells:
        columns, lines = self._size
        return [[self._cell(x, y) for x in range(columns)] for y in range(lines)]

    def close(self) -> None:
        self._terminal.close()

    def _keep(self, answer: bytes) -> None:
        self._answers += answer

    def _cell(self, x: int, y: int) -> str:
        library: Any = importlib.import_module("pyghostty._ffi")
        ffi, api = library.ffi, library.lib
        cell, wide = ffi.new("GhosttyCell*"), ffi.new("GhosttyCellWide*")
        reference = self._terminal.ref(x, y)
        api.ghostty_grid_ref_cell(reference, cell)
        api.ghostty_cell_get(cell[0], api.GHOSTTY_CELL_DATA_WIDE, wide)
        if wide[0] == api.GHOSTTY_CELL_WIDE_SPACER_TAIL:
            return ""
        codes, count = ffi.new("uint32_t[32]"), ffi.new("size_t*")
        api.ghostty_grid_ref_graphemes(reference, codes, 32, count)
        return "".join(map(chr, codes[0 : count[0]])) or " "
