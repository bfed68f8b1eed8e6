"""The plain mode without a terminal: lines go in as if typed, and what is said is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC
from pathlib import Path

from tui_tapback.client.ports import Connector
from tui_tapback.client.session import ChatClient
from tui_tapback.client.tapback_memory import TapbackMemory
from tui_tapback.config.writing import SettingsFile
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.plain.console import Event, Interrupt, Line
from tui_tapback.plain.program import PlainProgram
from tui_tapback.plain.room import Choices, Room
from tui_tapback.plain.speech import Speech

from .client import QUICK, counted

DEADLINE = 20.0


class MemoryConsole:
    """Implements ``plain.console.Console``; ``said`` has every line, ``prompts`` every prompt."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[Event] = asyncio.Queue()
        self.said: list[str] = []
        self.prompts: list[tuple[str, bool, str]] = []
        self.news = asyncio.Event()

    def open(self) -> None:
        """Nothing to take."""

    def close(self) -> None:
        """Nothing to give back."""

    def say(self, lines: Sequence[str]) -> None:
        """Keep them."""
        self.said += lines
        self.news.set()

    def ready(self, prompt: str, *, hidden: bool = False, prefill: str = "") -> None:
        """Keep the prompt."""
        self.prompts.append((prompt, hidden, prefill))
        self.news.set()


class OneGateway:
    """Implements ``plain.room.Gateways``: our own, and ``others`` by name."""

    current = ""

    def __init__(self, **others: Connector) -> None:
        self._others = others

    @property
    def names(self) -> tuple[str, ...]:
        """Our own first."""
        return ("", *self._others)

    def chat(self, name: str) -> ChatClient:
        """A client of one of the others."""
        return ChatClient(self._others[name], policy=QUICK, ids=counted(name))


class PlainBench:
    """A running plain mode. ``console.said`` is its transcript."""

    def __init__(self, room: Room, console: MemoryConsole) -> None:
        self.room = room
        self.console = console
        self._read = 0

    def type(self, *lines: str) -> None:
        """Type lines."""
        for line in lines:
            self.console.events.put_nowait(Line(line))

    def interrupt(self) -> None:
        """Press Ctrl+C."""
        self.console.events.put_nowait(Interrupt(idle=True))

    async def ask(self, line: str) -> list[str]:
        """Type a line; what was said until the next prompt."""
        before, prompts = len(self.console.said), len(self.console.prompts)
        self.type(line)
        await self.until(lambda: len(self.console.prompts) > prompts)
        self._read = before
        return self.console.said[before:]

    async def hear(self, words: str, *, since: int | None = None) -> str:
        """The first line that holds these words, of those that nobody has asked for yet."""
        begin = self._read if since is None else since

        def found() -> int | None:
            lines = self.console.said
            return next((n for n in range(begin, len(lines)) if words in lines[n]), None)

        try:
            await self.until(lambda: found() is not None)
        except TimeoutError:
            raise AssertionError(f"{words!r} was not said; said was {self.console.said[begin:]}") from None
        place = found()
        assert place is not None
        self._read = place + 1
        return self.console.said[place]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Look after everything that is said. Raises TimeoutError."""
        async with asyncio.timeout(DEADLINE):
            while not holds():
                self.console.news.clear()
                await self.console.news.wait()


@asynccontextmanager
async def running_plain(
    connect: Connector,
    folder: Path,
    *,
    new: bool = True,
    quiet: bool = False,
    speech: Speech | None = None,
    gateways: OneGateway | None = None,
    clock: Callable[[], float] | None = None,
) -> AsyncGenerator[PlainBench]:
    """A plain mode that has greeted; left at the end. ``folder`` holds the settings file."""
    loop = asyncio.get_running_loop()
    console = MemoryConsole()
    chat = ChatClient(connect, policy=QUICK, ids=counted())
    choices = Choices(QUICK_REACTIONS, quiet, SettingsFile(folder / "settings.toml"), {})
    zone = Speech(zone=UTC)
    memory = TapbackMemory(folder / "tapbacks.json")
    room = Room(
        chat, gateways or OneGateway(), choices, speech or zone, memory=memory, clock=clock or loop.time
    )
    program = PlainProgram(room, console, sequential=False, start=lambda: chat.start(new=new))
    running = asyncio.create_task(program.run())
    bench = PlainBench(room, console)
    try:
        await bench.until(lambda: any("chat" in line.lower() for line in console.said[1:]))
        yield bench
    finally:
        bench.type("/quit")
        await asyncio.wait_for(running, DEADLINE)
