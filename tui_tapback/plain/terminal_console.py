"""A terminal whose line is edited here, so that what happens can be said without destroying what is typed."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import termios
from collections.abc import Callable, Sequence
from types import FrameType

from .console import End, Event, Interrupt, Line, Pasted, Writer
from .editor import LineEditor
from .keys import Key, KeyReader

_PASTE_ON = "\x1b[?2004h"
_PASTE_OFF = "\x1b[?2004l"


class TerminalConsole:
    """Takes the keys of ``descriptor`` one by one while it is open.

    ``bare``: a terminal that knows no control sequence (TERM=dumb); then none is sent, not even the one that
    marks what is pasted. ``typed``: keys that were read before. ``complete`` gives what a line could become.
    """

    def __init__(
        self,
        descriptor: int,
        writer: Writer,
        *,
        bare: bool,
        complete: Callable[[str], tuple[str, ...]],
        typed: bytes = b"",
    ) -> None:
        self.events: asyncio.Queue[Event] = asyncio.Queue()
        self._descriptor = descriptor
        self._writer = writer
        self._bare = bare
        self._editor = LineEditor(lambda: shutil.get_terminal_size().columns, complete)
        self._keys = KeyReader()
        self._typed = typed
        self._awaited = False
        """Whether the prompt stands on the screen, with the cursor behind what was typed."""
        self._before: list[int | list[bytes | int]] | None = None

    def open(self) -> None:
        """Take the terminal."""
        loop = asyncio.get_running_loop()
        self._take()
        loop.add_reader(self._descriptor, self._readable)
        loop.add_signal_handler(signal.SIGINT, self._interrupted)
        signal.signal(signal.SIGTSTP, self._suspend)
        for key in self._keys.feed(self._typed):
            self._press(key)

    def close(self) -> None:
        """Give it back as it was."""
        asyncio.get_running_loop().remove_reader(self._descriptor)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        self._leave_line()
        self._give_back()

    def say(self, lines: Sequence[str]) -> None:
        """Under what is typed, which is then repeated; nothing above is ever touched."""
        if not lines:
            return
        if self._awaited:
            # With nothing typed the prompt is written over; else it stays, and a new line begins.
            self._writer.raw("\n" if self._editor.text else "\r")
            self._editor_hides(lines[0])
        self._writer.lines(lines)
        if self._awaited:
            self._writer.raw(self._editor.repeated())

    def ready(self, prompt: str, *, hidden: bool = False, prefill: str = "") -> None:
        """Show the prompt and what was typed ahead."""
        self._editor.prompt = self._writer.spell(prompt).rstrip() + " "
        self._editor.hidden = hidden
        if prefill and not self._editor.text:
            self._editor.clear(prefill)
        if self._awaited:
            self._writer.raw("\n")
        self._awaited = True
        self._writer.raw(self._editor.repeated())

    def _editor_hides(self, line: str) -> None:
        """Blank out what a shorter line would leave of the prompt."""
        if not self._editor.text and len(line) < len(self._editor.prompt):
            self._writer.raw(" " * len(self._editor.prompt) + "\r")

    # --- keys ------------------------------------------------------------------------------------------

    def _readable(self) -> None:
        try:
            data = os.read(self._descriptor, 1 << 16)
        except OSError:
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._descriptor)
            self.events.put_nowait(End())
            return
        for key in self._keys.feed(data):
            self._press(key)

    def _press(self, key: Key) -> None:
        if key.name == "enter":
            self._finish()
        elif key.name == "end_of_input":
            if self._editor.text:
                self._show(Key("delete"))
            else:
                self._leave_line()
                self.events.put_nowait(End())
        elif key.name == "paste" and "\n" in key.text.rstrip("\n"):
            self._paste(key.text.rstrip("\n").split("\n"))
        else:
            self._show(key)

    def _show(self, key: Key) -> None:
        written = self._editor.press(key)
        if self._awaited:
            self._writer.raw(written)

    def _finish(self) -> None:
        shown = self._awaited
        self._leave_line()
        self.events.put_nowait(Line(self._editor.take(), shown))

    def _paste(self, lines: list[str]) -> None:
        """Several lines at once: all but the last are kept back, so that none is sent by itself."""
        first = self._editor.text + lines[0]
        self._leave_line()
        self._editor.clear(lines[-1])
        self.events.put_nowait(Pasted((first, *lines[1:-1])))

    def _leave_line(self) -> None:
        if self._awaited:
            self._awaited = False
            self._writer.raw("\n")

    # --- signals ---------------------------------------------------------------------------------------

    def _interrupted(self) -> None:
        idle = not self._editor.text
        self._leave_line()
        self._editor.clear()
        self.events.put_nowait(Interrupt(idle))

    def _suspend(self, number: int, frame: FrameType | None) -> None:
        """Back to the shell with the terminal as it was, and here again when the shell says so."""
        self._give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._suspend)
        self._take()
        if self._awaited:
            self._writer.raw("\n" + self._editor.repeated())

    def _take(self) -> None:
        self._before = termios.tcgetattr(self._descriptor)
        attributes = termios.tcgetattr(self._descriptor)
        attributes[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, attributes)
        if not self._bare:
            self._writer.raw(_PASTE_ON)

    def _give_back(self) -> None:
        if self._before is None:
            return
        if not self._bare:
            self._writer.raw(_PASTE_OFF)
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)
        self._before = None
