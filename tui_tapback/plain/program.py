"""Runs the plain mode: says what happens, carries out what is typed, and leaves when the person does."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import assert_never

from tui_tapback.client.state import ClientState
from tui_tapback.domain.errors import TapbackError
from tui_tapback.words import _, plural

from . import sentences, settling
from .console import Console, End, Event, Interrupt, Line, Pasted
from .dispatch import carry_out
from .reading import Assembly, Whole
from .room import Room

FAILED = 1
TOLD_TO_END = 128
"""Added to the number of the signal that ended the program."""
_LATE = 0.02
"""Seconds after which a change that was due has certainly settled."""


class PlainProgram:
    """``sequential``: lines come from a file or pipe; each waits until what it caused is over, the end of the
    input ends the program, and its exit status says whether all went well. ``start`` begins the chat."""

    def __init__(
        self, room: Room, console: Console, *, sequential: bool, start: Callable[[], Awaitable[None]]
    ) -> None:
        self._room = room
        self._console = console
        self._sequential = sequential
        self._start = start
        self._assembly = Assembly()
        self._held: list[str] = []
        self._busy: asyncio.Task[None] | None = None
        self._asked_to_leave = False
        self._interrupting = False
        self._fault: BaseException | None = None
        self._done = asyncio.Event()
        self._following: list[asyncio.Task[None]] = []
        self._typed: asyncio.Queue[Line | End] = asyncio.Queue()
        self._wake = asyncio.Event()
        self._news = asyncio.Event()
        self._status = 0
        room.changed_chat = self._follow
        room.say = self._say_now

    async def run(self) -> int:
        """Until the person leaves; returns the exit status."""
        loop = asyncio.get_running_loop()
        if sys.platform != "win32":
            for number in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(number, self._told_to_end, number)
        self._console.open()
        try:
            self._console.say(sentences.opening(is_muted=self._room.announcer.muted))
            await self._start()
            self._follow()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._events()), group.create_task(self._lines())]
                await self._done.wait()
                for task in (*tasks, *self._following, *filter(None, [self._busy])):
                    task.cancel()
        finally:
            self._console.close()
            await self._room.chat.close()
        if self._fault is not None:
            raise self._fault
        return self._status

    def _told_to_end(self, number: int) -> None:
        self._status = TOLD_TO_END + number
        self._done.set()

    # --- what happens ----------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Listen to the chat that is open now."""
        for task in self._following:
            task.cancel()
        self._following = [
            asyncio.create_task(self._states()),
            asyncio.create_task(self._notices()),
            asyncio.create_task(self._clock()),
        ]
        for task in self._following:
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A fault in one of them ends the program and is raised there; it would be silent otherwise."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fault = error
            self._done.set()

    async def _states(self) -> None:
        async for state in self._room.chat.changes():
            self._announce(state)

    def _announce(self, state: ClientState) -> None:
        lines = self._room.announcer.news(state, self._room.now)
        self._wake.set()
        self._news.set()
        self._interrupting = self._interrupting and state.running
        self._say_later(lines)

    async def _clock(self) -> None:
        """Ask the announcer again when something will have settled."""
        while True:
            due = self._room.announcer.due
            self._wake.clear()
            wait = None if due is None else max(0.0, due - self._room.now) + _LATE
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._wake.wait()
                continue
            self._announce(self._room.chat.state)

    async def _notices(self) -> None:
        async for notice in self._room.chat.notices():
            self._say_later([notice.text])

    def _say_later(self, lines: list[str]) -> None:
        """What nobody asked for: where it shall be quiet, it waits for Enter."""
        if self._room.quiet and not self._sequential:
            self._held += lines
        else:
            self._console.say(lines)

    def _say_now(self, line: str) -> None:
        self._console.say([line])

    def _release(self) -> None:
        held, self._held = self._held, []
        self._console.say(held)

    # --- what is typed ---------------------------------------------------------------------------------

    async def _events(self) -> None:
        """Ctrl+C is heard also while something is carried out; lines wait for their turn."""
        while True:
            self._event(await self._console.events.get())

    def _event(self, event: Event) -> None:
        match event:
            case Interrupt(idle):
                self._interrupted(idle)
            case Pasted(lines):
                self._assembly.hold(list(lines))
                words = plural(
                    "{count} pasted line waits above this one. Enter sends all, Ctrl+C throws all away.",
                    "{count} pasted lines wait above this one. Enter sends all, Ctrl+C throws all away.",
                    len(lines),
                )
                self._console.say([words.format(count=len(lines))])
                self._ready()
            case Line() | End():
                self._asked_to_leave = False
                self._typed.put_nowait(event)
            case _:
                assert_never(event)

    def _interrupted(self, idle: bool) -> None:
        room = self._room
        if self._busy is not None and not self._busy.done():
            self._busy.cancel()
            return
        if room.expectation is not None or self._assembly.open:
            room.expectation = None
            self._assembly.drop()
            room.say(_("Nothing was done."))
        elif room.chat.state.running and not self._interrupting:
            self._interrupting = True
            self._busy = asyncio.create_task(self._carried_out(self._interrupt()))
            return
        elif self._asked_to_leave or self._interrupting:
            self._done.set()
            return
        elif idle:
            self._asked_to_leave = True
            room.say(_("Ctrl+C once more leaves."))
        self._ready()

    async def _interrupt(self) -> None:
        try:
            await self._room.chat.interrupt()
        except TapbackError as error:
            self._room.say(error.sentence())

    async def _lines(self) -> None:
        if self._sequential:
            await self._settled(None)
        self._ready()
        while not self._room.leaving:
            event = await self._typed.get()
            if isinstance(event, End):
                break
            self._repeat(event)
            self._release()
            whole = self._assembled(event.text)
            if whole is None:
                self._ready()
                continue
            before = set(self._room.announcer.own)
            self._busy = asyncio.create_task(self._carried_out(carry_out(self._room, whole)))
            await asyncio.wait({self._busy})
            if not self._busy.cancelled():
                self._busy.result()
            if self._sequential:
                sent = self._room.announcer.own - before
                await self._settled(next(iter(sent), None))
        self._done.set()

    def _repeat(self, line: Line) -> None:
        """What was typed ahead is shown when its turn comes, unless nobody was to see it."""
        expected = self._room.expectation
        if not line.shown and line.text and not (expected is not None and expected.hidden):
            self._room.say(self._prompt() + line.text)

    def _assembled(self, line: str) -> Whole | None:
        if self._room.expectation is not None and not self._assembly.open:
            return Whole(line, literal=True)
        if line.strip() == "/drop" and self._assembly.open:
            self._assembly.drop()
            self._room.say(_("Thrown away."))
            return None
        was_open = self._assembly.open
        whole = self._assembly.feed(line)
        if self._assembly.pasting and not was_open:
            self._room.say(_("Write or paste lines; a line with /end alone sends them, /drop does not."))
        return whole

    async def _carried_out(self, doing: Awaitable[None]) -> None:
        try:
            await doing
        except asyncio.CancelledError:
            self._room.say(_("Stopped."))
        finally:
            if not self._room.leaving and not self._done.is_set() and self._typed.empty():
                self._ready()

    def _ready(self) -> None:
        """Await the next line."""
        expected = self._room.expectation
        if expected is not None and not self._assembly.open:
            self._console.ready(self._prompt(), hidden=expected.hidden, prefill=expected.prefill)
        else:
            self._console.ready(self._prompt())

    def _prompt(self) -> str:
        if self._assembly.open:
            return _("more: ")
        expected = self._room.expectation
        return expected.prompt if expected is not None else _("You: ")

    # --- the end ---------------------------------------------------------------------------------------

    async def _settled(self, said: str | None) -> None:
        """Until what the last line caused is over and was announced; ``said`` is the message it sent.

        A question ends the waiting: the next line may be its answer.
        """
        at_work = False
        while True:
            self._news.clear()
            state = self._room.chat.state
            at_work = at_work or state.running
            if state.questions or settling.over(state, said, at_work=at_work, due=self._room.announcer.due):
                break
            await self._news.wait()
        if not settling.reached(state) or settling.went_wrong(state, said):
            self._status = FAILED
