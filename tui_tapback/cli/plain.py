"""Opens the chat as plain lines: decides when, and puts settings, terminal and client together for it."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tui_tapback.client.outbox import Outbox
from tui_tapback.client.session import ChatClient
from tui_tapback.client.tapback_memory import TapbackMemory
from tui_tapback.config.settings import Settings
from tui_tapback.config.writing import SettingsFile
from tui_tapback.plain.console import Console, LineConsole, Writer, echoes
from tui_tapback.plain.program import PlainProgram
from tui_tapback.plain.room import Choices, Room
from tui_tapback.plain.speech import Pictures, Speech
from tui_tapback.plain.table import COMMANDS
from tui_tapback.terminal.cursor import places_cursor
from tui_tapback.terminal.last_frame import FILE_NAME
from tui_tapback.terminal.profile import speaks_utf8
from tui_tapback.words import _

from .compose import Program


def why_plain(environ: Mapping[str, str], isatty: Callable[[int], bool] = os.isatty) -> str:
    """The sentence that says why this terminal gets plain lines; empty where a screen can be drawn.

    Only for a person at a terminal; who pipes has to ask for plain lines.
    """
    term = environ.get("TERM", "")
    if not (isatty(0) and isatty(1)) or places_cursor(term):
        return ""
    words = _("This terminal (TERM={term}) cannot place its cursor, so the chat comes as plain lines.")
    return words.format(term=term or _("not set"))


@dataclass(frozen=True, slots=True)
class PlainGateways:
    """Implements ``plain.room.Gateways`` over the settings."""

    program: Program
    current: str

    @property
    def names(self) -> tuple[str, ...]:
        """Our own, those of the settings, and one that was given as an address."""
        return tuple(dict.fromkeys(("", *self.program.settings.connections, self.current)))

    def chat(self, name: str) -> ChatClient:
        """A chat that has not begun. A long one is read whole, so that its numbers can begin at the front."""
        return ChatClient(self.program.connector(name), outbox=Outbox(self.program.paths.outbox, name))


def open_plain(program: Program, options: argparse.Namespace, *, why: str = "", typed: str = "") -> int:
    """Run the chat as plain lines; returns the exit status.

    ``why`` is said first where nobody asked for it; ``typed`` is what was typed before.
    """
    (program.paths.data / FILE_NAME).unlink(missing_ok=True)  # no last screen may flash up at the next start
    return asyncio.run(_run(program, options, why, typed))


async def _run(program: Program, options: argparse.Namespace, why: str, typed: str) -> int:
    settings, environ = program.settings, program.environ
    speech = speech_of(settings, environ)
    person = os.isatty(0)
    gateways = PlainGateways(program, getattr(options, "connect", None) or "")
    console = _console(speech, environ, person=person, typed=typed)
    choices = Choices(
        settings.quick_reactions, settings.plain_quiet, SettingsFile(program.paths.settings_file), environ
    )
    chat = gateways.chat(gateways.current)
    memory = TapbackMemory(program.paths.tapbacks_file)
    room = Room(chat, gateways, choices, speech, memory=memory, clock=time.time)

    async def start() -> None:
        if why:
            room.say(why)
        await chat.start(session_id=getattr(options, "session", None), new=options.new)

    return await PlainProgram(room, console, sequential=not person, start=start).run()


def speech_of(settings: Settings, environ: Mapping[str, str]) -> Speech:
    """How things are said on this terminal: without UTF-8 emoji have only their names."""
    return Speech(Pictures(settings.plain_emoji), ascii_only=not speaks_utf8(environ))


def _console(speech: Speech, environ: Mapping[str, str], *, person: bool, typed: str) -> Console:
    writer = Writer(sys.stdout, speech.line, ascii_only=speech.ascii_only)
    shown = os.isatty(1)
    if person and shown and echoes(0):
        from tui_tapback.plain.terminal_console import TerminalConsole

        bare = not places_cursor(environ.get("TERM", ""))
        return TerminalConsole(0, writer, bare=bare, complete=complete, typed=typed.encode())
    return LineConsole(0, writer, prompts=person and shown)


def complete(typed: str) -> tuple[str, ...]:
    """The commands that begin as what was typed."""
    if not typed.startswith("/") or " " in typed:
        return ()
    names = [name for item in COMMANDS for name in (item.name, *item.aliases)]
    return tuple(sorted(f"/{name}" for name in names if name.startswith(typed[1:])))
