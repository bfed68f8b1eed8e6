"""Where lines come from and sentences go to: the events, and a console that reads whole lines."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TextIO

if sys.platform != "win32":
    import termios


@dataclass(frozen=True, slots=True)
class Line:
    """A line was finished. ``shown``: it stands on the screen behind its prompt, if anything does."""

    text: str
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Pasted:
    """Several lines came at once; the last of them stands in the line that is being typed."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Ctrl+C. ``idle``: there was nothing in the line that it could have thrown away."""

    idle: bool


@dataclass(frozen=True, slots=True)
class End:
    """There is no further line: Ctrl+D on an empty one, the end of a file, a terminal that is gone."""


Event = Line | Pasted | Interrupt | End


class Console(Protocol):
    """``events`` are in order. Everything happens on one event loop."""

    events: asyncio.Queue[Event]

    def open(self) -> None:
        """Take the terminal."""
        ...

    def close(self) -> None:
        """Give it back as it was."""
        ...

    def say(self, lines: Sequence[str]) -> None:
        """Write lines; what is being typed stays."""
        ...

    def ready(self, prompt: str, *, hidden: bool = False, prefill: str = "") -> None:
        """A line is awaited behind ``prompt``; ``hidden``: it is typed unseen."""
        ...


class Writer:
    """Writes lines to a stream, spelt by ``spell`` as the terminal can."""

    def __init__(self, stream: TextIO, spell: Callable[[str], str], *, ascii_only: bool) -> None:
        self._stream = stream
        self._ascii_only = ascii_only
        self.spell = spell

    def lines(self, lines: Sequence[str]) -> None:
        """Each on a line of its own."""
        self.raw("".join(f"{self.spell(line)}\n" for line in lines))

    def raw(self, text: str) -> None:
        """Exactly this, as far as it can be spelt."""
        self._stream.write(text.encode("ascii", "replace").decode() if self._ascii_only else text)
        self._stream.flush()


class LineConsole:
    """Reads whole lines from ``descriptor``: a pipe, a file, or a terminal that edits its lines by itself.

    ``prompts``: whether a person sees them.
    """

    def __init__(self, descriptor: int, writer: Writer, *, prompts: bool) -> None:
        self.events: asyncio.Queue[Event] = asyncio.Queue()
        self._descriptor = descriptor
        self._writer = writer
        self._prompts = prompts
        self._prompt = ""
        self._echo = Echo(descriptor) if os.isatty(descriptor) else None

    def open(self) -> None:
        """Begin to read, in a thread that ends with the process: a read cannot be called off."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        if os.isatty(self._descriptor) and sys.platform != "win32":
            loop.add_signal_handler(signal.SIGINT, self._interrupted)

    def close(self) -> None:
        """Give back the terminal's echo, if it was taken."""
        if self._echo is not None:
            self._echo.back()

    def say(self, lines: Sequence[str]) -> None:
        """Below the prompt; the terminal keeps what was typed behind it."""
        if not lines:
            return
        prompt = self._prompt
        if prompt:
            self._writer.raw("\n")
        self._writer.lines(lines)
        if prompt:
            self._writer.raw(prompt)

    def ready(self, prompt: str, *, hidden: bool = False, prefill: str = "") -> None:
        """Write the prompt; there is no line here that could be filled in."""
        if self._echo is not None:
            self._echo.off() if hidden else self._echo.back()
        if self._prompts:
            self._prompt = self._writer.spell(prompt).rstrip() + " "
            self._writer.raw(self._prompt)

    def _interrupted(self) -> None:
        if self._prompt:
            self._writer.raw("\n")
            self._prompt = ""
        self.events.put_nowait(Interrupt(idle=True))

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        rest = b""
        while True:
            try:
                data = os.read(self._descriptor, 1 << 16)
            except OSError:
                data = b""
            *lines, rest = (rest + data).split(b"\n")
            if not data and rest:
                lines, rest = [rest], b""
            try:
                for line in lines:
                    loop.call_soon_threadsafe(self._came, line.decode("utf-8", "replace").removesuffix("\r"))
                if not data:
                    loop.call_soon_threadsafe(self.events.put_nowait, End())
                    return
            except RuntimeError:
                return  # the loop has ended before the input did

    def _came(self, line: str) -> None:
        self._prompt = ""
        self.events.put_nowait(Line(line))


class Echo:
    """Switches a terminal's echo off for what is typed unseen, and back."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._was: int | None = None

    def off(self) -> None:
        """Show nothing of what is typed."""
        attributes = termios.tcgetattr(self._descriptor)
        if self._was is None:
            self._was = attributes[3]
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, attributes)

    def back(self) -> None:
        """As it was."""
        if self._was is None:
            return
        attributes = termios.tcgetattr(self._descriptor)
        attributes[3] = self._was
        self._was = None
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, attributes)


def echoes(descriptor: int) -> bool:
    """Whether this terminal shows what is typed; one that does not has a program around it that does so."""
    if sys.platform == "win32":
        return False
    try:
        return bool(termios.tcgetattr(descriptor)[3] & termios.ECHO)
    except termios.error:
        return False
